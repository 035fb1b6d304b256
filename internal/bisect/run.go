package bisect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"golang.org/x/sync/errgroup"
)

// Options are the question to all versions, and how to ask it.
type Options struct {
	// Question has the bounds and all other settings that are the same for all versions.
	// Its files, directories and command are ignored: versions have their own. Names of
	// properties are relative to the working directory. Nil asks with the bounds of the
	// versions.
	Question subject.Subject

	Systems  []string       // the names of the systems of the host that are searched; nil: all
	Inputs   []Input        // every version is searched with each; nil: with the inputs of the versions
	Pages    bool           // make a page of each version, for Report.Landing
	FirstBad bool           // there is one change of verdict: find it by binary search
	Cache    *subject.Cache // nil: none

	// Build builds what a command starts in its directory, into the directory out, if that is
	// not done by the go command. It returns the command with what was built, and what its
	// answers depend on; "" of a command that it does not build. Nil: there are none.
	Build func(ctx context.Context, dir, command, out string) (built, key string, err error)

	// Timeout is how long all may take, from when the first version is built and can be
	// searched; 0: as long as it takes, or the context lives.
	Timeout time.Duration

	// Progress, if set, is called with the current work, and Skipped at once with each
	// version that cannot be searched and why, in one line. Calls never overlap.
	Progress func(string)
	Skipped  func(version, reason string)
}

// Run searches all versions, in their order from old to new. When the context ends, the
// report has the results so far. The error says that nothing could be searched, or that
// there was no room for the versions.
func Run(ctx context.Context, versions []Version, o Options) (report *Report, err error) {
	if len(versions) < 2 {
		return nil, errors.New("two versions or more are needed")
	}
	question, err := o.question(versions[0].system)
	if err != nil {
		return nil, err
	}
	w, err := newPreparer(versions, o.Inputs, question)
	if err != nil {
		return nil, err
	}
	w.build = o.Build
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.begin = sync.OnceFunc(func() {
		if o.Timeout > 0 {
			time.AfterFunc(o.Timeout, func() { cancel(context.DeadlineExceeded) })
		}
	})
	defer func() { err = errors.Join(err, w.scratch.Remove()) }()
	r := &run{preparer: w, options: o, answers: map[string]*answer{}, known: map[int]bool{}}
	report = &Report{FirstBad: o.FirstBad}
	for _, system := range r.systems(ctx) {
		m, err := r.matrix(ctx, system)
		if err != nil {
			return nil, err
		}
		report.Matrices = append(report.Matrices, m)
	}
	if report.Interrupted = ctx.Err() != nil; report.Interrupted {
		report.stopped = stopped(ctx)
	}
	report.Verdict = report.verdict()
	return report, nil
}

// question returns the question to all versions, which are those of a system or of a
// protocol.
func (o *Options) question(system bool) (subject.Subject, error) {
	switch {
	case o.Question == nil && system:
		return &subject.System{}, nil
	case o.Question == nil:
		return &subject.Protocol{}, nil
	}
	question := o.Question.Copy()
	if common := question.Shared(); common.Guide != "" {
		if _, err := common.ReadGuide(); err != nil { // else each version would be skipped for it
			return nil, err
		}
		var err error
		if common.Guide, err = filepath.Abs(common.Guide); err != nil {
			return nil, err
		}
	}
	s := question.AsSystem()
	if s == nil {
		return question, nil
	}
	s.Properties = slices.Clone(s.Properties)
	for i, file := range s.Properties {
		var err error
		if s.Properties[i], err = filepath.Abs(file); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// run is one call of Run.
type run struct {
	*preparer
	options Options

	mutex   sync.Mutex
	answers map[string]*answer // by identity
	told    sync.Mutex         // of Progress and Skipped
	known   map[int]bool       // the versions that were reported as skipped
}

// answer is the answer of all versions of one identity.
type answer struct {
	once   sync.Once
	cached bool
	*result.Answer
	err error
}

func (r *run) tell(format string, args ...any) {
	r.told.Lock()
	defer r.told.Unlock()
	if r.options.Progress != nil {
		r.options.Progress(fmt.Sprintf(format, args...))
	}
}

// systems returns the names of the systems to be searched: those asked for, or all that
// some version has. A protocol is a system without a name.
func (r *run) systems(ctx context.Context) []string {
	if !r.versions[0].system || NamesSystems(r.options.Inputs) {
		return []string{""}
	}
	if len(r.options.Systems) > 0 {
		return r.options.Systems
	}
	looked := []int{0, len(r.versions) - 1}
	if !r.options.FirstBad {
		looked = upTo(len(r.versions))
	}
	found := make([][]string, len(looked))
	parallel(len(looked), func(i int) {
		r.tell("building %s", r.versions[looked[i]].Name)
		if p, err := r.prepare(ctx, looked[i]); err == nil {
			found[i] = r.systemsOf(ctx, p)
		} else if ctx.Err() == nil {
			r.skipped(looked[i], err)
		}
	})
	var names []string
	for _, name := range slices.Concat(found...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{""} // its error is reported when it is searched
	}
	return names
}

// matrix finds out everything about one system.
func (r *run) matrix(ctx context.Context, system string) (*Matrix, error) {
	m := &matrix{run: r, Matrix: Matrix{System: system}, effects: map[effectKey]Effect{}}
	for _, in := range r.options.Inputs {
		m.Inputs = append(m.Inputs, in.Name)
	}
	for i := range max(1, len(m.Inputs)) {
		for _, v := range r.versions {
			m.Findings = append(m.Findings, Finding{Version: v.Name, Input: at(m.Inputs, i), Note: v.Note, State: NotSearched})
		}
	}
	m.keys, m.programs = make([]string, len(m.Findings)), make([]*program, len(m.Findings))
	if r.options.FirstBad {
		for _, h := range m.histories() {
			m.searchOneChange(ctx, h)
		}
	} else {
		ctx := limits.DivideMemory(ctx, min(m.searches(), len(m.Findings)))
		atATime(m.searches(), len(m.Findings), func(i int) { m.search(ctx, i) })
		m.replay(ctx)
	}
	m.relate()
	if err := m.nothingSearched(ctx); err != nil {
		return nil, err
	}
	if ctx.Err() == nil {
		m.compare(ctx)
	}
	m.conclude(r.options.FirstBad)
	if r.options.Pages {
		m.pages(ctx)
	}
	return &m.Matrix, nil
}

// matrix is a Matrix in the making.
type matrix struct {
	*run
	Matrix
	keys     []string   // identities of the questions, by finding
	programs []*program // of the protocols asked, by finding
	mutex    sync.Mutex
	effects  map[effectKey]Effect
}

// nothingSearched returns an error if no version can be searched: then the question is
// wrong.
func (m *matrix) nothingSearched(ctx context.Context) error {
	if len(m.in(Skipped)) < len(m.Findings) || ctx.Err() != nil {
		return nil
	}
	first := m.Findings[0]
	return fmt.Errorf("no version can be searched; of %s: %s", first.Version, first.Log)
}

// search searches one version.
func (m *matrix) search(ctx context.Context, i int) {
	f := &m.Findings[i]
	if ctx.Err() != nil {
		return
	}
	m.tell("building %s", f.name())
	a, err := m.ask(ctx, i)
	switch {
	case err != nil && ctx.Err() != nil:
	case err != nil:
		m.skip(i, err)
	default:
		f.take(a.Answer, m.versions[0].system, ctx.Err() != nil)
		f.Cached = a.cached
	}
}

// ask returns the answer of a version: of an earlier run, of another version that is the
// same, or of its own search.
func (m *matrix) ask(ctx context.Context, i int) (*answer, error) {
	v, err := m.open(ctx, i, m.System)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	m.begin()
	m.tell("searching %s", m.Findings[i].name())
	identity := func() (string, error) { return v.Identity(v.place.key) }
	key, err := identity()
	if err != nil {
		return nil, err
	}
	m.keys[i] = key
	m.note(i, v)
	a := m.answer(key)
	a.once.Do(func() {
		memory := &subject.Memory{Cache: m.options.Cache, Edit: v.place.shorten}
		a.Answer, a.cached, a.err = memory.Ask(ctx, v.Opened, memory.Known(key), key, identity)
	})
	if a.err != nil {
		return nil, v.place.local(a.err)
	}
	return a, nil
}

// answer returns the answer of an identity, which is found out once.
func (r *run) answer(key string) *answer {
	if key == "" {
		return &answer{}
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	a := r.answers[key]
	if a == nil {
		a = &answer{}
		r.answers[key] = a
	}
	return a
}

// same returns, by version, the index of the first version with the same program, which may
// be its own.
func (m *matrix) same() []int {
	first, same := map[string]int{}, upTo(len(m.Findings))
	for i, key := range m.keys {
		if key == "" || !m.Findings[i].State.searched() {
			continue
		}
		if earlier, ok := first[key]; ok {
			same[i] = earlier
			m.Findings[i].Same = m.Findings[earlier].name()
		} else {
			first[key] = i
		}
	}
	return same
}

// searches returns how many versions are searched at a time: as many as there are cores, or
// workers to hand the searches to.
func (r *run) searches() int {
	if hands := r.question.Shared().Hands; hands != nil {
		return max(hands.Slots(), runtime.GOMAXPROCS(0))
	}
	return runtime.GOMAXPROCS(0)
}

// parallel does something for 0 to n-1, as often at a time as there are cores.
func parallel(n int, do func(int)) { atATime(runtime.GOMAXPROCS(0), n, do) }

// atATime does it so often at a time.
func atATime(most, n int, do func(int)) {
	var workers errgroup.Group
	workers.SetLimit(most)
	for i := range n {
		workers.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = workers.Wait() // nothing ends the others
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
