// Package subject asks one question in one way, whatever it is asked about: does
// this protocol, or this system, keep its promise within these bounds?
//
// A [Subject] is a [Protocol] or a [System] with the bounds. Opened, it is searched for a
// schedule that breaks the promise, and schedules that were found elsewhere or earlier are
// replayed on it. Both give an answer. Suites of regression checks and searches across
// versions ask through this package, so that they mean the same by an answer.
//
// A question is answered in this process, or handed out: where.go has how that is decided.
package subject

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
)

// Subject is a question: does this protocol, or this system, keep its promise within
// these bounds? It is a [Protocol] or a [System].
type Subject interface {
	// Open reads the program, or starts the host. Its errors are those of the input, with
	// positions where known. The caller has to close the result.
	Open(context.Context) (*Opened, error)
	// Key is the key of the opened question. It starts no host.
	Key() (string, error)
	// InjectCommand returns the command line that executes a schedule.
	InjectCommand(rounds.Schedule) string
	// Shared returns the common part, to be read and changed.
	Shared() *Common
	// Copy returns an equal question that can be changed alone.
	Copy() Subject
	// AsProtocol returns the protocol, nil if it is a system.
	AsProtocol() *Protocol
	// AsSystem returns the system, nil if it is a protocol.
	AsSystem() *System
}

// Common is the part that questions about protocols and about systems have in common.
type Common struct {
	Dir     string `json:",omitempty"` // what files and commands are relative to; "": the working directory
	Version string `json:"-"`          // what a comparison with another version calls it
	Apart   bool   `json:"-"`          // Dir is one of a version, of which answers are without it
	Named   bool   `json:"-"`          // on the command line, by the user: then files may be pipes and devices
	FS      fs.FS  `json:"-"`          // where files are read from, so that nothing else can be; nil: the disk

	Bounds   map[string]string // replace settings of the program or the system, by the keys of [rounds.BoundsFrom]
	Strategy string            // "": what fits; of a protocol lineage, or ""
	Guide    string            `json:",omitempty"` // the file of a guide; "": there is none
	Hold     bool              `json:",omitempty"` // what leads to the waypoints of the guide stays unharmed

	Max  int    // how many counterexamples are looked for; 0: one
	Size int    `json:",omitempty"` // of a list of fault sets: the most faults of each; 0: any number
	Cost string `json:",omitempty"` // of a list of fault sets: what faults cost, by kind, "crash=3,omit=1"; "": one each
	Bare bool   `json:"-"`          // of a list of fault sets: without reasons and executions

	Hands work.Hands    `json:"-"` // do what can be done anywhere; nil: all is done here
	Limit time.Duration `json:"-"` // of a search that they do: how long it may take, from when somebody begins it; 0: as long as the context lives

	Trace    func(result.Step)  `json:"-"` // told each turn of a search by lineage; nil: nobody is
	Progress func(doing string) `json:"-"` // told what is being done, a phrase; nil: nobody is
}

// Shared returns c.
func (c *Common) Shared() *Common { return c }

// path returns a file name from the working directory.
func (c *Common) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(c.Dir, file)
}

// ReadGuide reads the guide, nil if there is none.
func (c *Common) ReadGuide() (*guide.Guide, error) {
	switch {
	case c.Guide == "" && c.Hold:
		return nil, errors.New("hold leaves unharmed what leads to the waypoints of a guide: name one (--guide FILE.mg)")
	case c.Guide == "":
		return nil, nil
	}
	if err := c.regular([]string{c.Guide}); err != nil {
		return nil, err
	}
	var data []byte
	var err error
	if c.FS != nil {
		data, err = files.ReadFrom(c.FS, c.path(c.Guide), files.Text)
	} else {
		data, err = files.Read(c.path(c.Guide), files.Text)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a guide: %w", err)
	}
	name := filepath.ToSlash(c.path(c.Guide))
	if c.Version != "" { // the guide of all versions lies in none
		name = filepath.Base(c.Guide)
	}
	g, err := guide.Parse(name, string(data))
	if err == nil && c.Hold && g.Waypoints() == 0 {
		err = fmt.Errorf("hold leaves unharmed what leads to the waypoints of a guide, and %s has none", name)
	}
	return g, err
}

func (c *Common) paths(files []string) []string {
	paths := make([]string, len(files))
	for i, file := range files {
		paths[i] = c.path(file)
	}
	return paths
}

// regular reports files named by a repository that are no regular files.
func (c *Common) regular(names []string) error {
	if c.Named || c.FS != nil { // which gives no others
		return nil
	}
	for _, name := range names {
		if err := files.CheckRegular(c.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// options returns the options for listing fault sets, of a program or of a learned program.
func (c *Common) options(goals string, costs map[rounds.Kind]int) ldfi.Options {
	return ldfi.Options{Version: c.Version, Size: c.Size, Cost: costs, Bare: c.Bare, Hold: c.Hold, Goals: goals, Max: c.Max, Progress: c.Progress}
}

// Opened is a subject that can be asked. Several goroutines can ask at once.
type Opened struct {
	asked
	subject Subject
}

// asked has the methods that every question has. It is an [OpenedProtocol] or an
// [OpenedSystem], which have further methods.
type asked interface {
	// AsProtocol returns the protocol, nil if it is a system.
	AsProtocol() *OpenedProtocol
	// AsSystem returns the system, nil if it is a protocol.
	AsSystem() *OpenedSystem
	// Bounds returns the bounds, with everything implied written out.
	Bounds() rounds.Bounds
	// Inexact says why executions of one schedule may differ; empty if they cannot, as for
	// a protocol.
	Inexact() string
	// Read returns the files that were read: the files of a program with all included ones,
	// or the files with properties of a system.
	Read() []string
	// Promise returns the rules of a protocol that state its promise, with their positions,
	// or the names of the properties of a system.
	Promise() []string
	// Involved returns the rules and facts of a protocol that the promise depends
	// on, in the order of the program; of a system nothing, since it is not known.
	Involved() ([]Element, error)
	// Spare returns a schedule of a system with the setting reliable of the bounds, if the
	// schedule has none. For a protocol it returns the schedule: a program takes the
	// setting from its bounds.
	Spare(rounds.Schedule) rounds.Schedule
	// Within reports a bound of the question that a schedule exceeds.
	Within(rounds.Schedule) error
	// Trials returns the trials of schedules.
	Trials(context.Context) (Trials, error)
	// Key returns a name for everything that the answers depend on, but the
	// version of this program: equal keys, equal answers. It is empty if that is
	// not known.
	Key() (string, error)
	// Identity is like Key, for versions of a subject that lie in different directories: it
	// does not depend on the directory of the subject. For a protocol it covers the files,
	// with their names in that directory; for a system it covers host, the program that the
	// command starts. It is empty if host is.
	Identity(host string) (string, error)
	// Pack returns the question with all that it takes along, or a [HereError].
	Pack(context.Context) (*Parcel, error)
	// Close ends what Open started.
	Close() error

	search(context.Context) (*result.Answer, error)
	suspect(context.Context, *result.Answer) // adds possible causes
	hypotheses(ctx context.Context, require, forbid []string) (*result.Answer, error)
	whatIf(context.Context, result.Wanted) (*result.WhatIf, error)
	replay(context.Context, rounds.Schedule) (*result.Injection, error)
	watched(context.Context, rounds.Schedule) (*result.Injection, error) // as replay, with the bad states of a guide
	comment(context.Context, *result.Injection) error                    // adds why it came about
	fits(rounds.Schedule) error
	idle() []error
	diff(ctx context.Context, good, bad rounds.Schedule) (*result.Difference, error)
	diffWith(ctx context.Context, other asked, s rounds.Schedule) (*result.Difference, error) // both are protocols, or both are systems
	support(context.Context, rounds.Schedule) ([]Element, error)
	vet(ctx context.Context, strict bool) (*Vetted, error)
	roundBased(context.Context) (*RoundBased, error)
}

// ErrRepairs is why nothing can be added to a system.
var ErrRepairs = errors.New("repairs are suggested for protocols, whose rules are known")

// ErrParts is why a search about a protocol has no parts.
var ErrParts = errors.New("a protocol has no executions that could be made in parts")

// opening opens a question, as long as the context lives.
func opening(ctx context.Context, about Subject, open func() (asked, error)) (*Opened, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*Opened, error) {
		a, err := open()
		if err != nil {
			return nil, err
		}
		return &Opened{a, about}, nil
	})
}

// Subject returns the question that was opened.
func (o *Opened) Subject() Subject { return o.subject }

// Version returns the name of this version in comparisons.
func (o *Opened) Version() string { return o.subject.Shared().Version }

// Replay executes one schedule. The verdict is Violated or Holds, and is that of
// this execution; it is empty if nothing is promised. A schedule that names
// processes, rounds or faults that are not there is a [MisfitError].
func (o *Opened) Replay(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return fitting(ctx, o, s, func() (*result.Injection, error) {
		in, err := o.watched(ctx, s)
		if err != nil {
			return nil, err
		}
		return in, o.comment(ctx, in)
	})
}

// Guided executes one schedule with what the guide of the question decides beside it. The
// schedule of the result has all of it. Without a guide it is Replay.
func (o *Opened) Guided(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	if o.subject.Shared().Guide == "" {
		return o.Replay(ctx, s)
	}
	if h := o.AsSystem(); h != nil {
		return fitting(ctx, o, s, func() (*result.Injection, error) { return h.guided(ctx, o, s) })
	}
	p := o.AsProtocol()
	return fitting(ctx, o, s, func() (*result.Injection, error) { return p.model.InjectGuided(ctx, p.guide, s) })
}

// WhatIf finds the smallest fault sets that make a fact appear, or vanish.
func (o *Opened) WhatIf(ctx context.Context, wanted result.Wanted) (*result.WhatIf, error) {
	if err := o.Idle(); err != nil {
		return nil, err
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.WhatIf, error) { return o.whatIf(ctx, wanted) })
}

// Hypotheses lists the fault sets that break the promise under assumptions, as
// [ldfi.Model.Hypotheses] does.
func (o *Opened) Hypotheses(ctx context.Context, require, forbid []string) (*result.Answer, error) {
	if err := o.Idle(); err != nil {
		return nil, err
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.Answer, error) { return o.hypotheses(ctx, require, forbid) })
}

// Vet returns the warnings about a protocol, strict ones as well if strict, or the results
// of the self-tests of a system.
func (o *Opened) Vet(ctx context.Context, strict bool) (*Vetted, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*Vetted, error) { return o.vet(ctx, strict) })
}

// RoundBased returns the conditions under which executions in lock-step rounds stand for
// asynchronous ones, and whether each is met.
func (o *Opened) RoundBased(ctx context.Context) (*RoundBased, error) {
	return limits.Await(ctx, limits.QuestionGrace, func() (*RoundBased, error) { return o.roundBased(ctx) })
}

// Fits reports names in a schedule that the subject does not have, by a [MisfitError].
func (o *Opened) Fits(s rounds.Schedule) error { return misfit(o, s) }

func misfit(a asked, s rounds.Schedule) error {
	if err := a.fits(s); err != nil {
		return &MisfitError{err}
	}
	return nil
}

// fitting asks something about a schedule, if it fits.
func fitting[T any](ctx context.Context, a asked, s rounds.Schedule, ask func() (T, error)) (none T, err error) {
	if err := misfit(a, s); err != nil {
		return none, err
	}
	return limits.Await(ctx, limits.QuestionGrace, ask)
}

// MisfitError says that a schedule cannot be executed: a process, a round or a
// kind of fault is not there.
type MisfitError struct{ Err error } // which [errors.Unwrap] gives without the word schedule in front

func (e *MisfitError) Error() string { return e.Err.Error() }

// Unwrap returns the error about the schedule.
func (e *MisfitError) Unwrap() error { return e.Err }
