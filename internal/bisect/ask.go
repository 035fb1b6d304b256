package bisect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// preparer prepares versions, each once and when it is needed.
type preparer struct {
	versions []Version
	inputs   []Input // every version with each; none: as they are
	question subject.Subject
	scratch  *files.Scratch
	prepared []preparation
	begin    func() // called when a version can be searched
	build    func(ctx context.Context, dir, command, out string) (built, key string, err error)
}

type preparation struct {
	mutex sync.Mutex
	done  bool
	users int // the number of users of the place
	place *place
	err   error
}

func newPreparer(versions []Version, inputs []Input, question subject.Subject) (*preparer, error) {
	s, err := files.NewScratch("", "ldfi-bisect-")
	if err != nil {
		return nil, fmt.Errorf("making a temporary directory: %w", err)
	}
	return &preparer{versions: versions, inputs: inputs, question: question, scratch: s, prepared: make([]preparation, len(versions))}, nil
}

// prepare prepares a version, unless that has been done. The version stays until its users
// have disposed of it as often as they have prepared it.
func (w *preparer) prepare(ctx context.Context, i int) (*place, error) {
	p := &w.prepared[i]
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.users++
	if p.done {
		return p.place, p.err
	}
	dir, err := w.scratch.Mkdir(fmt.Sprint(i))
	if err != nil {
		return nil, err
	}
	p.place, p.err = gobuild.Patiently(ctx, func(ctx context.Context) (*place, error) { return w.made(ctx, i, dir) })
	p.done = ctx.Err() == nil
	return p.place, p.err
}

// made makes a version ready in a directory, and builds what its command starts.
func (w *preparer) made(ctx context.Context, i int, dir string) (*place, error) {
	p, err := w.versions[i].prepare(ctx, dir)
	if err != nil || w.build == nil || p.system == "" {
		return p, err
	}
	built, key, err := w.build(ctx, p.dir, p.system, dir)
	if err != nil {
		return nil, p.local(err)
	}
	if built != "" {
		p.system, p.key = built, key
	}
	return p, nil
}

// dispose removes a prepared version that has no more users, if it can be prepared again: a
// long history may be large.
func (w *preparer) dispose(i int) {
	p := &w.prepared[i]
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.users--; p.users == 0 && p.done && p.place != nil && p.place.brief {
		_ = w.scratch.Rmdir(fmt.Sprint(i))
		p.done = false
	}
}

// asked is a version that is open for questions.
type asked struct {
	*subject.Opened
	place *place
}

// about is the question about a finding: a version that lies in a directory, as files of a
// protocol or as a system of the host that a command starts, with an input.
func (w *preparer) about(finding int, dir string, files []string, command, system string) subject.Subject {
	about := w.question.Copy()
	about.Shared().Dir = dir
	if s := about.AsSystem(); s != nil {
		s.Command, s.Name = command, system
	}
	if p := about.AsProtocol(); p != nil {
		p.Files = files
	}
	if len(w.inputs) > 0 {
		w.inputs[finding/len(w.versions)].ask(about)
	}
	return about
}

// systemsOf returns the names of the systems that a version has.
func (w *preparer) systemsOf(ctx context.Context, p *place) []string {
	s := w.question.Copy().AsSystem()
	s.Dir, s.Command = p.dir, p.system
	names, _ := s.Systems(ctx)
	return names
}

// open opens a version of a system with an input, as the number of a finding says. The
// caller has to close it.
func (w *preparer) open(ctx context.Context, finding int, system string) (*asked, error) {
	i := finding % len(w.versions)
	p, err := w.prepare(ctx, i)
	defer w.dispose(i)
	if err != nil {
		return nil, err
	}
	about := w.about(finding, p.dir, p.files, p.system, system)
	common := about.Shared()
	common.Version, common.Named, common.Apart = w.versions[i].Name, p.dir == "", p.dir != "" // the user does not name the files in the directory
	var said beginning
	if s := about.AsSystem(); s != nil {
		s.Stderr = &said
	}
	o, err := about.Open(ctx)
	if err != nil {
		if text := strings.TrimSpace(said.String()); text != "" && !strings.Contains(err.Error(), text) {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return nil, p.local(err)
	}
	return &asked{o, p}, nil
}

// openWithin opens a version with an input, with the rounds of some bounds where any number is asked about.
func (w *preparer) openWithin(ctx context.Context, finding int, system string, b rounds.Bounds) (*asked, error) {
	a, err := w.open(ctx, finding, system)
	if err != nil {
		return nil, err
	}
	bounded, err := a.Bounded(b)
	if err != nil {
		return nil, errors.Join(a.place.local(err), a.Close())
	}
	return &asked{bounded, a.place}, nil
}

// again returns the command that executes a schedule of a finding once more, where the
// user has the version; "" if it is only made for the search, or its input is. The answer may be nil.
func (w *preparer) again(ctx context.Context, finding int, system string, b rounds.Bounds, a *result.Answer, schedule rounds.Schedule) string {
	i := finding % len(w.versions)
	h := w.versions[i].home
	if h == nil {
		return ""
	}
	if len(w.inputs) > 0 && w.inputs[finding/len(w.versions)].protocol != nil {
		return ""
	}
	files := h.files
	if len(files) == 0 && h.system == "" {
		p, err := w.prepare(ctx, i)
		defer w.dispose(i)
		if err != nil {
			return ""
		}
		files = p.files
	}
	about := w.about(finding, h.dir, files, h.system, system)
	inject := func(s rounds.Schedule) string { return subject.InjectWithin(about, b, s) }
	if a != nil {
		inject = subject.Again(about, a, inject)
	}
	command := inject(schedule)
	if len(h.first) > 0 {
		command = text.ShellJoin(h.first...) + " && " + command
	}
	return command
}

// beginning keeps the beginning of the output, and discards the rest: a host may write much
// in a long search.
type beginning struct{ bytes.Buffer }

func (b *beginning) Write(p []byte) (int, error) {
	const most = 1 << 16
	b.Buffer.Write(p[:min(len(p), max(most-b.Len(), 0))])
	return len(p), nil
}

// local returns an error without the directory of the version, which tells the user nothing
// and may be temporary.
func (p *place) local(err error) error {
	return errors.New(p.localText(err.Error()))
}

// shorten removes from an answer the directory of the version, and the executions, which
// are long and not used.
func (p *place) shorten(a *result.Answer) {
	for i := range a.Warnings {
		w := &a.Warnings[i]
		w.File, w.Message = p.localText(w.File), p.localText(w.Message)
	}
	for i := range a.Counterexamples {
		a.Counterexamples[i].Execution = nil
	}
}

func (p *place) localText(text string) string {
	if p.dir == "" {
		return text
	}
	return strings.ReplaceAll(text, p.dir+string(filepath.Separator), "")
}
