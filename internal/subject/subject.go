package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// Subject is a question: does this protocol, or this system, keep its promise
// within these bounds? Either Files or System is set.
type Subject struct {
	Dir string // what files and commands are relative to; "": the working directory

	Version string `json:"-"` // what a comparison with another version calls it

	Apart bool `json:"-"` // Dir is one of a version, of which answers are without it

	Named bool `json:"-"` // on the command line, by the user: then files may be pipes and devices

	FS fs.FS `json:"-"` // where files are read from, so that nothing else can be; nil: the disk

	Files  []string          // a protocol: Dedalus files, one program
	Bounds map[string]string // in place of the settings of the program, by the keys of [rounds.BoundsFrom]

	Input *Input `json:",omitempty"` // of a protocol, in place of facts of the program; nil: none

	System     string   // or a system: the command that starts its host
	Name       string   // which of the systems of the host; "": it has one
	Properties []string // files with Mangle rules that have to be satisfied as well
	Inputs     []string // files that the answers of the host depend on; nil: that is not known
	Strategy   string   // "": what fits; of a protocol lineage, or ""
	Executions int      // 0: 10,000
	Seed       uint64   // of what is drawn at random

	Past []result.Violation `json:"-"` // of a system: are known, and the search goes on past them

	GoroutineOrders bool `json:",omitempty"` // the order of goroutines is drawn as well
	Statistics      bool `json:",omitempty"` // are counted of executions

	CallTimeout time.Duration // how long a call of a process may take before it is tried again; 0: 10 s

	// Of a protocol: how many counterexamples are looked for, and the limits on
	// facts and gates; 0: one, and those of [ldfi.Options].
	Max, MaxFacts, MaxGates int
	Size                    int    `json:",omitempty"` // of a list of fault sets: the most faults of each; 0: any number
	Group                   string `json:"-"`          // of a list of fault sets: by what they are put in groups: rounds, symmetry, cause; "": they are not
	Bare                    bool   `json:"-"`          // of a list of fault sets: without reasons and executions
	Cost                    string `json:",omitempty"` // of a list of fault sets: what faults cost, by kind, "crash=3,omit=1"; "": one each
	Depth                   int    `json:"-"`          // of a protocol: the levels of explanations; 0: all
	Workers                 int    `json:"-"`          // of a protocol: how many cores to use; 0: all

	Solver    string         `json:",omitempty"` // of a protocol: the command of a SAT solver in place of the one that is built in
	Certifier solver.Decider `json:"-"`          // of a protocol: see [ldfi.Options]; nil: none

	Stages func(result.Stage) `json:"-"` // of a protocol: told in place of Progress how far the ways to decide it are; nil: nobody is

	Progress func(doing string) `json:"-"` // told what is being done, a phrase; nil: nobody is

	Hands    work.Hands    `json:"-"` // do what can be done anywhere; nil: all is done here
	Parts    work.Hands    `json:"-"` // of a system: do parts of the search; nil: nobody does
	Programs *Programs     `json:"-"` // that were built for either; nil: one is built for this question alone
	Limit    time.Duration `json:"-"` // of a search that they do: how long it may take, from when somebody begins it; 0: as long as the context lives

	Trace func(result.Step) `json:"-"` // told each turn of a search by lineage; nil: nobody is

	Stderr io.Writer // gets what the host writes to standard error; nil: nobody does

	room string // where the command runs, if that is not Dir
}

// Open reads the program, or starts the host. Its errors are those of the input,
// with positions where there are some. The caller has to close what is opened.
func (s *Subject) Open(ctx context.Context) (*Opened, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*Opened, error) { return s.open(ctx) })
}

func (s *Subject) open(ctx context.Context) (*Opened, error) {
	switch {
	case s.System != "" && len(s.Files) > 0:
		return nil, fmt.Errorf("the system %q and the file %s: there can be one of these", s.System, s.Files[0])
	case s.System != "":
		h, err := openHosted(ctx, s)
		if err != nil {
			return nil, err
		}
		return &Opened{h, s}, nil
	case len(s.Files) > 0:
		p, err := openProtocol(s)
		if err != nil {
			return nil, err
		}
		return &Opened{p, s}, nil
	default:
		return nil, errors.New("there is neither a file with a protocol nor a system")
	}
}

// GoPast lets the search go on past what an execution has violated, as that is known.
func (s *Subject) GoPast(in *result.Injection) {
	s.Past = append(s.Past, in.Violations...)
}

// patience is how long a call of a process may take at first.
func (s *Subject) patience() time.Duration { return cmp.Or(s.CallTimeout, search.Patience) }

// path returns a file name from the working directory.
func (s *Subject) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.Dir, file)
}

// regular reports files that a repository names and that are no regular ones.
func (s *Subject) regular(names []string) error {
	if s.Named || s.FS != nil { // which gives no others
		return nil
	}
	for _, name := range names {
		if err := files.CheckRegular(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *Subject) paths(files []string) []string {
	paths := make([]string, len(files))
	for i, file := range files {
		paths[i] = s.path(file)
	}
	return paths
}

// Opened is a subject that can be asked. Several goroutines can ask at once.
type Opened struct {
	asked
	subject *Subject
}

// asked is a protocol or a system.
type asked interface {
	// Bounds returns the bounds, with everything implied written out.
	Bounds() rounds.Bounds
	// Involved returns the rules and facts of a protocol that the promise depends
	// on, in the order of the program; of a system nothing, since it is not known.
	Involved() ([]Element, error)
	// Key returns a name for everything that the answers depend on, but the
	// version of this program: equal keys, equal answers. It is empty if that is
	// not known.
	Key() (string, error)
	// Identity is Key for versions of a subject that lie in different directories:
	// the directory of the subject does not belong to it. Of a protocol it covers
	// the files, with their names in that directory; of a system whatever host
	// names: the program that the command starts. It is empty if host is.
	Identity(host string) (string, error)
	// Close ends what was started.
	Close() error

	search(context.Context) (*result.Answer, error)
	hypotheses(ctx context.Context, require, forbid []string) (*result.Answer, error)
	vet(ctx context.Context, strict bool) (*Vetted, error)
	roundBased(context.Context) (*RoundBased, error)
	closure(context.Context) (*vet.Unclosed, error)
	replay(context.Context, rounds.Schedule) (*result.Injection, error)
	fits(rounds.Schedule) error
	support(context.Context, rounds.Schedule) ([]Element, error)
}

// Search looks for a schedule within the bounds that breaks the promise. When
// the context ends before that is known, the answer is inconclusive. An error
// says that the question has no answer (so do bounds that are [Opened.Idle]), or
// an internal error. Who was handed the question may have answered it.
func (o *Opened) Search(ctx context.Context) (*result.Answer, error) {
	a, _, err := o.answer(ctx)
	return a, err
}

// answer tells also whether it is that of a worker, or may rest on what workers say.
func (o *Opened) answer(ctx context.Context) (a *result.Answer, theirs bool, err error) {
	if err := o.Idle(); err != nil {
		return nil, false, err
	}
	if a, err = o.handed(ctx); a != nil || err != nil {
		o.suspected(ctx, a)
		return a, true, err
	}
	a, err = o.searched(ctx)
	o.suspected(ctx, a)
	return a, o.subject.Parts != nil, err
}

// searched is the answer of a search in this process.
func (o *Opened) searched(ctx context.Context) (*result.Answer, error) {
	start := time.Now()
	if o.subject.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.subject.Limit)
		defer cancel()
	}
	a, err := limits.Await(ctx, limits.QuestionGrace, func() (*result.Answer, error) { return o.asked.search(ctx) })
	if left := (*limits.LeftError)(nil); errors.As(err, &left) {
		a, err = inconclusive(o.Bounds(), refusal.Ended(ctx)), nil
	}
	if err != nil {
		return nil, err
	}
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	return a, nil
}

// Replay executes one schedule. The verdict is Violated or Holds, and is that of
// this execution; it is empty if nothing is promised. A schedule that names
// processes, rounds or faults that are not there is a [MisfitError].
func (o *Opened) Replay(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	if err := o.Fits(s); err != nil {
		return nil, err
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.Injection, error) {
		in, err := o.replay(ctx, s)
		if h, ok := o.asked.(*hosted); ok && err == nil && in.Verdict == result.Violated && in.Repeats == nil {
			in.Because, err = h.because(ctx, in.Execution, in.Violations[0])
		}
		if h, ok := o.asked.(*hosted); ok && err == nil {
			in.Warnings = h.suspects(ctx, in.Warnings, in.Verdict == result.Violated && s.Size() == 0, in.Execution.Inexact, in.Repeats)
		}
		return in, err
	})
}

// Spare returns a schedule with the setting reliable of the bounds, if it has none and
// is one of a system: a program has that from its bounds.
func (o *Opened) Spare(s rounds.Schedule) rounds.Schedule {
	if o.subject.System != "" && s.Settings.Reliable == "" {
		s.Settings.Reliable = syntax.LinksText(o.Bounds().Reliable)
	}
	return s
}

// Within reports a bound of the question that a schedule exceeds.
func (o *Opened) Within(s rounds.Schedule) error {
	if o.subject.System != "" {
		return schedules.WithinSystem(s, o.Bounds())
	}
	return schedules.Within(s, o.Bounds())
}

// Vet returns what looks wrong: of a protocol warnings about the program, strict
// ones as well; of a system what its self-tests find, and how much they ran.
func (o *Opened) Vet(ctx context.Context, strict bool) (*Vetted, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*Vetted, error) { return o.vet(ctx, strict) })
}

// RoundBased returns the conditions under which executions in lock-step rounds stand for
// asynchronous ones, and which of them are met.
func (o *Opened) RoundBased(ctx context.Context) (*RoundBased, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*RoundBased, error) { return o.roundBased(ctx) })
}

// Closure looks for an execution with late messages that no execution in lock-step rounds
// looks like. What is known when the context ends is returned with its error.
func (o *Opened) Closure(ctx context.Context) (*vet.Unclosed, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*vet.Unclosed, error) { return o.closure(ctx) })
}

// Fits reports what of a schedule is not there, by a [MisfitError].
func (o *Opened) Fits(s rounds.Schedule) error {
	if err := o.fits(s); err != nil {
		return &MisfitError{err}
	}
	return nil
}

// Instead returns the relations of which the program of a protocol states facts
// that do not count, because its input gives them.
func (o *Opened) Instead() []string {
	if p, ok := o.asked.(*protocol); ok {
		return p.instead
	}
	return nil
}

// Version is what a comparison with another version calls this one.
func (o *Opened) Version() string { return o.subject.Version }

// Inexact says why executions of one schedule may differ; empty if they cannot, as
// those of a protocol.
func (o *Opened) Inexact() string {
	if h, ok := o.asked.(*hosted); ok {
		return h.System.Inexact
	}
	return ""
}

// Kept returns the directory in which the test that is the host keeps schedules; "" if
// the host is none.
func (o *Opened) Kept() string {
	if h, ok := o.asked.(*hosted); ok {
		return h.Kept
	}
	return ""
}

// Tested tells whether the host of a system is a test, as far as its command shows.
func (s *Subject) Tested() bool {
	words, err := text.ShellSplit(s.System)
	if err != nil {
		return false
	}
	p, ok := gobuild.ParseCommand(words)
	return ok && p.Test || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-test.") })
}

// Read returns the files that were read: those of a program with all that it
// includes, of a system those with properties.
func (o *Opened) Read() []string {
	if p, ok := o.asked.(*protocol); ok {
		return p.program.Files
	}
	return o.subject.paths(o.subject.Properties)
}

// Model returns the model of a protocol, nil for a system.
func (o *Opened) Model() *ldfi.Model {
	if p, ok := o.asked.(*protocol); ok {
		return p.model
	}
	return nil
}

// Possible reports why a protocol cannot be asked within other bounds.
func (o *Opened) Possible(b rounds.Bounds) error {
	p, ok := o.asked.(*protocol)
	if !ok {
		return errOwnBounds
	}
	return errors.Join(b.Validate(), b.CheckProgram(), b.CheckRestarts(p.program))
}

var errOwnBounds = errors.New("a system is asked within its own bounds")

// SearchWithin decides whether a protocol keeps its promise within other bounds.
func (o *Opened) SearchWithin(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
	p, ok := o.asked.(*protocol)
	if !ok {
		return nil, errOwnBounds
	}
	options, err := o.subject.optionsOf(p.goals)
	if err != nil {
		return nil, err
	}
	options.Progress, options.Stages, options.Certifier, options.Max = nil, nil, nil, 1
	if b.EOT != p.limits.EOT && len(b.Choose) > 0 { // there are others in other rounds
		if b, err = b.Declared(p.program); err != nil {
			return nil, err
		}
	}
	m, err := ldfi.New(p.program, b, options)
	if err != nil {
		return nil, err
	}
	return m.Check(ctx)
}

// MisfitError says that a schedule cannot be executed: a process, a round or a
// kind of fault is not there.
type MisfitError struct{ Err error } // which [errors.Unwrap] gives without the word schedule in front

func (e *MisfitError) Error() string { return e.Err.Error() }

// Unwrap returns what does not fit.
func (e *MisfitError) Unwrap() error { return e.Err }
