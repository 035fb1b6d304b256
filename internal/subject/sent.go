package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/unit"
)

// Sent is a question as a unit has it, to be asked on another machine. What it is about
// lies in files of the unit.
type Sent struct {
	Subject *Subject          `json:"subject"`
	Names   map[string]string `json:"names"` // what files of the unit are called in answers, by their names in the unit
	Key     string            `json:"key"`   // of the question: whoever opens it comes to the same one
}

// Parcel is what a question takes along.
type Parcel struct {
	Sent
	Files map[string]string // of the unit: by a name, the digest of what is in it

	contents map[string]string // by digest
}

// Content returns what is in a file, by its digest.
func (p *Parcel) Content(digest string) ([]byte, error) {
	text, ok := p.contents[digest]
	if !ok {
		return nil, fmt.Errorf("the question has no file with the digest %s", digest)
	}
	return []byte(text), nil
}

// Unit returns the unit that asks the question, for the ldfi with that build.
func (p *Parcel) Unit(build string) (*unit.Unit, error) {
	ask, err := json.Marshal(p.Sent)
	if err != nil {
		return nil, fmt.Errorf("writing a question: %w", err)
	}
	return &unit.Unit{Kind: unit.Search, Build: build, Files: p.Files, Ask: ask}, nil
}

// HereError says why a question can only be asked where it stands.
type HereError struct{ Why string }

func (e *HereError) Error() string { return e.Why }

// Pack returns the question with all that it takes along, or a [HereError].
func (o *Opened) Pack() (*Parcel, error) {
	p, ok := o.asked.(*protocol)
	switch s := o.subject; {
	case !ok:
		return nil, &HereError{"its program is on this machine"}
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
	parcel := &Parcel{Files: map[string]string{}, contents: map[string]string{}}
	parcel.Names = map[string]string{}
	taken := map[string]bool{}
	for i, file := range p.program.Files {
		name, text := strconv.Itoa(i), p.program.Text(file)
		called, digest := s.called(file), unit.Digest([]byte(text))
		if slashed := filepath.ToSlash(filepath.Clean(called)); taken[slashed] {
			return nil, &HereError{fmt.Sprintf("two of its files are called %s", called)}
		} else {
			taken[slashed] = true
		}
		parcel.Names[name], parcel.Files[name], parcel.contents[digest] = called, digest, text
	}
	about := Subject{Bounds: s.Bounds, Strategy: s.Strategy, Max: s.Max, MaxFacts: s.MaxFacts, MaxGates: s.MaxGates, Size: s.Size, Cost: s.Cost}
	for _, file := range s.paths(s.Files) {
		about.Files = append(about.Files, s.called(file))
	}
	if s.Input != nil {
		about.Input = &Input{File: s.called(s.Input.File), Instead: s.Input.Instead}
	}
	parcel.Subject = &about
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
	return strings.TrimPrefix(file, s.Dir+string(filepath.Separator))
}

// Open opens the question of a task. It reads nothing but the files of the unit,
// whatever the question says.
func (q *Sent) Open(ctx context.Context, t *unit.Task) (*Opened, error) {
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
	s.Dir, s.Workers = "", t.Workers
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

// texts returns the files of the unit, by what they are called.
func (q *Sent) texts(t *unit.Task) (texts, error) {
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
		all[filepath.ToSlash(filepath.Clean(called))] = string(text)
	}
	return all, nil
}
