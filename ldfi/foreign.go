package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/internal/universe"
)

// foreign is how cases are decided elsewhere. What is said there is checked as far as that
// is possible: the sets are executed. That there are no others nobody can see.
type foreign struct {
	question *question
	work     *casework     // of this process, for what nobody else decides
	room     chan struct{} // there

	executing sync.Mutex
	executor  *executor // of its own: what it executes is no part of the answer

	mutex   sync.Mutex
	running map[*context.CancelCauseFunc]scenario
}

// errHopeless says that a case has too many faults to matter, since more is known.
var errHopeless = errors.New("a smaller set is known")

// handsOut tells whether cases are decided elsewhere: those of the promise of a program.
func (q *question) handsOut() bool {
	return q.options.Cases != nil && q.options.Decider == nil && q.promise.wanted == nil && len(q.assumed) == 0 && !q.supposing && !q.weighs() && q.size == 0
}

func newForeign(ctx context.Context, q *question) (*foreign, error) {
	x, _, err := newExecutor(ctx, q.Model)
	if err != nil {
		return nil, err
	}
	return &foreign{
		question: q, work: &casework{question: q}, executor: x,
		room: make(chan struct{}, q.options.Workers), running: map[*context.CancelCauseFunc]scenario{},
	}, nil
}

// decide decides a case. The error is errHopeless if that was given up.
func (f *foreign) decide(ctx context.Context, c *byCases, s scenario, asked cases.Case) (cases.Outcome, error) {
	own, cancel := context.WithCancelCause(ctx)
	f.begin(&cancel, s)
	defer f.end(&cancel)
	o, err := c.cases.Decide(own, asked, func(o cases.Outcome) error { return f.check(own, asked, o) })
	if errors.Is(err, cases.ErrHere) {
		o, err = f.here(own, asked)
	} else if err != nil && ctx.Err() == nil && own.Err() == nil {
		err = &cases.UndecidedError{Err: err}
	}
	if err != nil && ctx.Err() == nil && context.Cause(own) == errHopeless {
		err = errHopeless
	}
	return o, err
}

// here decides a case in this process.
func (f *foreign) here(ctx context.Context, c cases.Case) (cases.Outcome, error) {
	select {
	case f.room <- struct{}{}:
		defer func() { <-f.room }()
		return f.work.Decide(ctx, c)
	case <-ctx.Done():
		return cases.Outcome{}, context.Cause(ctx)
	}
}

func (f *foreign) begin(cancel *context.CancelCauseFunc, s scenario) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.running[cancel] = s
}

func (f *foreign) end(cancel *context.CancelCauseFunc) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	delete(f.running, cancel)
	(*cancel)(nil)
}

// giveUp takes the cases back that are hopeless.
func (f *foreign) giveUp(hopeless func(scenario) bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for cancel, s := range f.running {
		if hopeless(s) {
			(*cancel)(errHopeless)
		}
	}
}

// check reports what cannot be true of a case.
func (f *foreign) check(ctx context.Context, c cases.Case, o cases.Outcome) error {
	u, compare := universe.New(f.question.bounds), f.question.compare
	switch {
	case o.TooMuch && (o.Complete || len(o.Sets) > 0):
		return errors.New("it is said to be too much work, and what comes of it")
	case o.TooMuch:
		return nil
	case len(o.Sets) > c.Max:
		return fmt.Errorf("%d sets are named, of %d that were asked for", len(o.Sets), c.Max)
	case !o.Complete && len(o.Sets) == 0:
		return errors.New("no set is named, and it is not said that there is none")
	}
	for i, set := range o.Sets {
		if i > 0 && compare(u, o.Sets[i-1], set) >= 0 {
			return fmt.Errorf("the sets %v and %v are not in order", o.Sets[i-1], set)
		}
		if err := f.breaks(ctx, u, c, set); err != nil {
			return fmt.Errorf("the set %v: %w", set, err)
		}
	}
	return nil
}

// breaks reports of a set of units why it is none that a case has and that breaks the
// promise.
func (f *foreign) breaks(ctx context.Context, u *universe.Universe, c cases.Case, set []int) error {
	for i, unit := range set {
		if unit < 0 || unit >= u.Len() || i > 0 && set[i-1] >= unit {
			return errors.New("is none of units in order")
		}
	}
	within := !slices.ContainsFunc(c.On, func(unit int) bool { return !slices.Contains(set, unit) })
	if !within || slices.ContainsFunc(c.Off, func(unit int) bool { return slices.Contains(set, unit) }) {
		return errors.New("is none of the case")
	}
	s := scheduleOf(u, set)
	if units, err := u.Units(s); err != nil {
		return err
	} else if !slices.Equal(slices.Sorted(slices.Values(units)), set) {
		return errors.New("is none of a schedule within the bounds")
	}
	f.executing.Lock()
	defer f.executing.Unlock()
	broken, err := f.executor.broken(context.WithoutCancel(ctx), s)
	if err == nil && len(broken) == 0 {
		err = errors.New("executed, it breaks nothing")
	}
	return err
}
