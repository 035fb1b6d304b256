package ldfi

import (
	"context"
	"errors"
	"time"
)

// deepened is what is known when all rounds at once are too many.
type deepened struct {
	horizons   []Horizon       // the smaller numbers of rounds that are decided, from 1 on
	found      *Counterexample // over all rounds, confirmed, if one was met
	executions int
	calls      int // of the solver
}

// patience is how long all rounds at once may take before smaller numbers of
// rounds are decided beside them.
const patience = time.Second

// later is deepening that starts once all rounds at once take long, or once
// its result is asked for.
type later struct {
	cancel context.CancelFunc
	now    chan struct{}
	done   chan struct{}

	deepened deepened
	err      error
}

// deepenLater prepares to decide smaller numbers of rounds.
func (c *check) deepenLater(ctx context.Context) *later {
	wait := patience
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)/4)
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &later{cancel: cancel, now: make(chan struct{}), done: make(chan struct{})}
	timer := time.NewTimer(wait)
	go func() {
		defer close(l.done)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-l.now:
		}
		l.deepened, l.err = c.deepen(ctx)
	}()
	return l
}

// result waits until the deepening has come as far as it can.
func (l *later) result() (deepened, error) {
	close(l.now)
	<-l.done
	return l.deepened, l.err
}

// stop gives up the deepening.
func (l *later) stop() {
	l.cancel()
	<-l.done
}

// deepen decides 1 round, 2 rounds and so on, until it meets a limit. Between
// them it executes schedules over all rounds one by one. It ends early when one
// of these breaks the promise.
func (c *check) deepen(ctx context.Context) (d deepened, err error) {
	h, err := newHunter(ctx, c)
	if err != nil {
		h = nil // all rounds are too many even for one execution
	} else {
		defer func() { d.executions += h.executor.executions }()
	}
	for eot := 1; eot < c.bounds.EOT; eot++ {
		horizon, err := c.horizon(ctx, eot, &d)
		if err != nil {
			d.found, err = h.rest(ctx, err)
			return d, passOn(err)
		}
		d.horizons = append(d.horizons, horizon)
		if d.found, err = h.next(ctx, horizon); err != nil || d.found != nil {
			return d, passOn(err)
		}
	}
	d.found, err = h.rest(ctx, nil)
	return d, passOn(err)
}

// horizon decides one smaller number of rounds.
func (c *check) horizon(ctx context.Context, eot int, d *deepened) (Horizon, error) {
	o := c.options
	o.Max = 1
	t, err := newTrial(ctx, c.program, c.bounds.At(eot), o)
	if err != nil {
		return Horizon{}, err
	}
	defer func() {
		d.executions += t.executor.executions
		d.calls += t.calls
	}()
	t.brief = true
	if err := t.evaluate(ctx); err != nil {
		return Horizon{}, err
	}
	a, err := t.decide(ctx)
	if err != nil {
		return Horizon{}, err
	}
	h := Horizon{EOT: eot, Verdict: a.verdict()}
	if len(a.found) > 0 {
		h.Schedule = a.found[0].Schedule
	}
	return h, nil
}

// passOn drops errors that only end the deepening: another number of rounds is
// another question, which may have no answer. A disagreement of the evaluators
// is one of this library, and is passed on.
func passOn(err error) error {
	var internal *InternalError
	if errors.As(err, &internal) {
		return err
	}
	return nil
}
