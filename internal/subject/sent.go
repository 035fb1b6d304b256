package subject

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/work"
)

// Sent is a question about a protocol or a system in a unit, to be asked on another
// machine. The unit has the files of the protocol or system.
type Sent struct {
	Protocol *Protocol         `json:"protocol,omitempty"`
	System   *System           `json:"system,omitempty"`
	Names    map[string]string `json:"names"`          // what files of the unit are called in answers, by their names in the unit
	Key      string            `json:"key,omitempty"`  // of a question about a protocol: whoever opens it comes to the same one
	Host     *SentHost         `json:"host,omitempty"` // of a system
}

// Open opens the question of a task. It reads nothing but the files of the unit, whatever
// the question says, and starts no program but that of a host, if that is allowed.
func (q *Sent) Open(ctx context.Context, t *work.Task) (*Opened, error) {
	p, s := q.Protocol, q.System
	switch {
	case p != nil && s != nil:
		return nil, errors.New("it is about a protocol as well as a system")
	case p == nil && s == nil:
		return nil, errors.New("it does not say what it is about")
	case p != nil && p.Solver != "" || s != nil && s.Command != "":
		return nil, errors.New("it names a program of the machine on which it is asked")
	case s != nil && q.Host == nil:
		return nil, errors.New("it names no program that it has")
	}
	files, err := q.texts(t)
	if err != nil {
		return nil, err
	}
	if s != nil {
		there := *s
		there.FS, there.Dir, there.Inputs = files, "", nil
		if err := q.Host.settle(&there, t); err != nil {
			return nil, err
		}
		return there.Open(ctx)
	}
	there := *p
	there.FS, there.Dir, there.Workers = files, "", t.Workers
	o, err := there.Open(ctx)
	if err != nil {
		return nil, err
	}
	key, err := o.AsProtocol().keyWith(sentProtocol, there.called)
	if err == nil && key != q.Key {
		err = errors.New("it is understood in another way here than by who asks it")
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// texts returns the texts of the unit that have other names in answers, by these names.
func (q *Sent) texts(t *work.Task) (texts, error) {
	dir, err := files.OpenDir(t.Dir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	all := texts{}
	for name, called := range q.Names {
		if _, ok := t.Unit.Files[name]; !ok {
			return nil, fmt.Errorf("the unit has no file %q", name)
		}
		text, err := files.ReadFrom(dir, name, files.Text)
		if err != nil {
			return nil, err
		}
		all[textName(called)] = string(text)
	}
	return all, nil
}

// Parcel is a question with the files that it needs.
type Parcel struct {
	Sent
	Files map[string]string // of the unit: the digests of the files by name

	platform string            // of the unit
	contents map[string][]byte // by digest
}

func newParcel(s Sent) *Parcel {
	s.Names = map[string]string{}
	return &Parcel{Sent: s, Files: map[string]string{}, contents: map[string][]byte{}}
}

// Content returns the content of the file with a digest.
func (p *Parcel) Content(digest string) ([]byte, error) {
	content, ok := p.contents[digest]
	if !ok {
		return nil, fmt.Errorf("the question has no file with the digest %s", digest)
	}
	return content, nil
}

// Unit returns the unit that asks the question, for the ldfi with that build.
func (p *Parcel) Unit(build string) (*work.Unit, error) {
	ask, err := json.Marshal(p.Sent)
	if err != nil {
		return nil, fmt.Errorf("writing a question: %w", err)
	}
	return &work.Unit{Kind: work.Search, Build: build, Platform: p.platform, Files: p.Files, Ask: ask}, nil
}

// add takes a file along.
func (p *Parcel) add(name string, content []byte) {
	p.addKnown(name, work.Digest(content), content)
}

// addKnown adds a file whose digest is known.
func (p *Parcel) addKnown(name, digest string, content []byte) {
	p.Files[name], p.contents[digest] = digest, content
}

// addText takes a text along that has another name in answers.
func (p *Parcel) addText(called string, text []byte) error {
	for _, other := range p.Names {
		if textName(other) == textName(called) {
			return &HereError{fmt.Sprintf("two of its files are called %s", called)}
		}
	}
	name := fmt.Sprint(len(p.Names))
	p.Names[name] = called
	p.add(name, text)
	return nil
}

// Pack packs the texts that were read, so that later changes of the files do not matter.
// The names of the files in the unit tell its receiver nothing more than the names that
// answers have.
func (p *OpenedProtocol) Pack(context.Context) (*Parcel, error) {
	s := p.question
	if err := s.stays(); err != nil {
		return nil, err
	}
	if p.limits.Within != "" {
		return nil, errProofHere
	}
	about := &Protocol{Common: s.sent(), MaxFacts: s.MaxFacts, MaxGates: s.MaxGates}
	about.Max, about.Size, about.Cost = s.Max, s.Size, s.Cost
	for _, file := range s.paths(s.Files) {
		about.Files = append(about.Files, s.called(file))
	}
	if s.Input != nil {
		about.Input = &Input{File: s.called(s.Input.File), Instead: s.Input.Instead}
	}
	parcel := newParcel(Sent{Protocol: about})
	for _, file := range p.program.Files {
		if err := parcel.addText(s.called(file), []byte(p.program.Text(file))); err != nil {
			return nil, err
		}
	}
	var err error
	parcel.Key, err = p.keyWith(sentProtocol, s.called)
	return parcel, err
}

// sent returns the part of a question that is sent for protocols and systems.
func (c *Common) sent() Common { return Common{Bounds: c.Bounds, Strategy: c.Strategy} }

const sentProtocol = "protocol that was sent"

// called returns the name of a file where the sent question is asked.
func (c *Common) called(file string) string {
	if !c.Apart || c.Dir == "" {
		return file
	}
	if local, ok := cutPrefix(file, filepath.Clean(c.Dir)); ok {
		return local
	}
	return file
}

// cutPrefix returns the name of a file in a directory.
func cutPrefix(file, dir string) (string, bool) {
	local, err := filepath.Rel(dir, file)
	return cmp.Or(local, "."), err == nil && filepath.IsLocal(local)
}

// SentPart is a question about a system as a unit of draws has it: of its search some
// executions are to be made.
type SentPart struct {
	Sent
	Part search.Part `json:"part"`
}

// Draws is the answer to a unit of draws.
type Draws struct {
	Stretch *search.Stretch `json:"stretch"`
	Took    time.Duration   `json:"took"` // how long the executions took, in nanoseconds
}

// readDraws reads such an answer.
func readDraws(text json.RawMessage) (*Draws, error) {
	a := &Draws{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	if a.Stretch == nil || a.Took < 0 {
		return nil, fmt.Errorf("its answer does not say what the executions came to")
	}
	return a, nil
}

// Draw makes some executions of the search, see [remote.System.Part].
func (h *OpenedSystem) Draw(ctx context.Context, p search.Part) (*Draws, error) {
	start := time.Now()
	k, err := h.system().Part(ctx, h.options(), p)
	return &Draws{k, time.Since(start)}, err
}

// part returns the unit that makes some executions.
func (p *Parcel) part(build string, part search.Part) (*work.Unit, error) {
	u, err := p.Unit(build)
	if err != nil {
		return nil, err
	}
	u.Kind = work.Draws
	if u.Ask, err = json.Marshal(SentPart{p.Sent, part}); err != nil {
		return nil, fmt.Errorf("writing a question: %w", err)
	}
	return u, nil
}
