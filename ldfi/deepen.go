package ldfi

import (
	"context"
	"errors"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// deepened is the result of smaller numbers of rounds, if all rounds at once are too many.
type deepened struct {
	horizons   []result.Horizon       // the smaller numbers of rounds that are decided, from 1 on
	found      *result.Counterexample // over all rounds, confirmed, if one was met
	executions int
	calls      int // of the solver
}

// settle adds the result of smaller numbers of rounds to an answer.
func (d deepened) settle(a *result.Answer) {
	a.Horizons = d.horizons
	if len(d.horizons) > 0 {
		a.Decided = d.horizons[len(d.horizons)-1].EOT
	}
	a.Stats.Executions += d.executions
	a.Stats.SolverCalls += d.calls
	if d.found != nil {
		a.Verdict, a.Counterexamples = result.Violated, []result.Counterexample{*d.found}
	}
}

// later is deepening that starts after half of the time, or when its result is needed.
type later struct {
	cancel context.CancelFunc
	now    chan struct{}
	done   chan struct{}

	deepened deepened
	err      error
}

// deepenLater prepares to decide smaller numbers of rounds.
func (m *Model) deepenLater(ctx context.Context) *later {
	var half <-chan time.Time
	if deadline, ok := ctx.Deadline(); ok {
		half = time.After(time.Until(deadline) / 2)
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &later{cancel: cancel, now: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		select {
		case <-ctx.Done():
			return
		case <-half:
		case <-l.now:
		}
		l.deepened, l.err = m.deepen(ctx)
	}()
	return l
}

// result waits for the end of the deepening.
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

// deepen decides 1 round, 2 rounds and so on, until it reaches a limit. In between it
// executes schedules over all rounds one by one. It ends early when one of these breaks the
// promise.
func (m *Model) deepen(ctx context.Context) (d deepened, err error) {
	h, err := newSampler(ctx, m)
	if err != nil {
		h = nil // all rounds are too many even for one execution
	} else {
		defer func() { d.executions += h.executor.executions }()
	}
	for eot := 1; eot < m.bounds.EOT; eot++ {
		horizon, err := m.horizon(ctx, eot, &d)
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
func (m *Model) horizon(ctx context.Context, eot int, d *deepened) (result.Horizon, error) {
	fewer := *m
	fewer.bounds.EOT, fewer.options.Max, fewer.options.Certifier = eot, 1, nil
	fewer.options.Progress, fewer.options.Stages = nil, nil // of another question
	if len(m.bounds.Choose) > 0 {                           // choices of later rounds are left out
		var err error
		if fewer.bounds, err = fewer.bounds.Declared(m.program); err != nil {
			return result.Horizon{}, err
		}
	}
	q, err := newQuestion(ctx, &fewer)
	if err != nil {
		return result.Horizon{}, err
	}
	defer func() {
		d.executions += q.executor.executions
		d.calls += int(q.cost.calls.Load())
	}()
	q.brief = true
	found, err := q.search(ctx, q.alone)
	if err != nil {
		return result.Horizon{}, err
	}
	h := result.Horizon{EOT: eot, Verdict: found.verdict()}
	if len(found.found) > 0 {
		h.Schedule = found.found[0].Schedule
	}
	return h, nil
}

// passOn drops errors that only end the deepening: another number of rounds is another
// question, which may have no answer. A disagreement of the evaluators is an error of this
// library, and is passed on.
func passOn(err error) error {
	var internal *internalError
	if errors.As(err, &internal) {
		return err
	}
	return nil
}
