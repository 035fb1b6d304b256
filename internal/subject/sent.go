package subject

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
)

// Sent is a question as a unit has it, to be asked on another machine. What it is about
// lies in files of the unit.
type Sent struct {
	Subject *Subject          `json:"subject"`
	Names   map[string]string `json:"names"`          // what files of the unit are called in answers, by their names in the unit
	Key     string            `json:"key,omitempty"`  // of a question about a protocol: whoever opens it comes to the same one
	Host    *SentHost         `json:"host,omitempty"` // of a system
}

// Open opens the question of a task. It reads nothing but the files of the unit, whatever
// the question says, and starts no program but that of a host, if that is allowed.
func (q *Sent) Open(ctx context.Context, t *work.Task) (*Opened, error) {
	if q.Subject == nil {
		return nil, errors.New("it does not say what it is about")
	}
	s := *q.Subject
	if s.System != "" || s.Solver != "" || s.Stderr != nil {
		return nil, errors.New("it names a program of the machine on which it is asked")
	}
	var err error
	if s.FS, err = q.texts(t); err != nil {
		return nil, err
	}
	s.Dir, s.Inputs, s.Workers = "", nil, t.Workers
	if q.Host != nil {
		if err := q.Host.settle(&s, t); err != nil {
			return nil, err
		}
		return s.Open(ctx)
	}
	o, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	key, err := o.asked.(*protocol).keyWith(sentProtocol, s.called)
	if err == nil && key != q.Key {
		err = errors.New("it is understood in another way here than by who asks it")
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// texts returns the files of the unit that have other names, by these.
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

// Parcel is what a question takes along.
type Parcel struct {
	Sent
	Files map[string]string // of the unit: by a name, the digest of what is in it

	platform string            // of the unit
	contents map[string][]byte // by digest
}

func newParcel(s Subject) *Parcel {
	return &Parcel{Sent: Sent{Subject: &s, Names: map[string]string{}}, Files: map[string]string{}, contents: map[string][]byte{}}
}

// Content returns what is in a file, by its digest.
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

// addKnown does the same with one whose digest is known.
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

// HereError says why a question can only be asked where it stands.
type HereError struct{ Why string }

func (e *HereError) Error() string { return e.Why }

// Pack returns the question with all that it takes along, or a [HereError].
func (o *Opened) Pack(ctx context.Context) (*Parcel, error) {
	p, ok := o.asked.(*protocol)
	switch s := o.subject; {
	case !ok:
		return s.packSystem(ctx)
	case s.Solver != "":
		return nil, &HereError{"its SAT solver is a program of this machine"}
	case s.Certifier != nil:
		return nil, &HereError{"its proof is written on this machine"}
	case s.Trace != nil:
		return nil, &HereError{"its turns are shown"}
	}
	return p.pack(o.subject)
}

// pack takes the texts along that were read, so that it does not matter what the files
// are, or what becomes of them. Their names say nothing to whoever gets them: they are no
// more than what answers call the files.
func (p *protocol) pack(s *Subject) (*Parcel, error) {
	about := Subject{Bounds: s.Bounds, Strategy: s.Strategy, Max: s.Max, MaxFacts: s.MaxFacts, MaxGates: s.MaxGates, Size: s.Size, Cost: s.Cost}
	for _, file := range s.paths(s.Files) {
		about.Files = append(about.Files, s.called(file))
	}
	if s.Input != nil {
		about.Input = &Input{File: s.called(s.Input.File), Instead: s.Input.Instead}
	}
	parcel := newParcel(about)
	for _, file := range p.program.Files {
		if err := parcel.addText(s.called(file), []byte(p.program.Text(file))); err != nil {
			return nil, err
		}
	}
	var err error
	parcel.Key, err = p.keyWith(sentProtocol, s.called)
	return parcel, err
}

const sentProtocol = "protocol that was sent"

// called is what a file is called where the question is asked that was sent.
func (s *Subject) called(file string) string {
	if !s.Apart || s.Dir == "" {
		return file
	}
	if local, ok := cutPrefix(file, filepath.Clean(s.Dir)); ok {
		return local
	}
	return file
}

// cutPrefix returns the name of a file in a directory.
func cutPrefix(file, dir string) (string, bool) {
	local, err := filepath.Rel(dir, file)
	return cmp.Or(local, "."), err == nil && filepath.IsLocal(local)
}
