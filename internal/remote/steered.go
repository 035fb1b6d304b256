package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Steered executes a schedule on a host while faults are decided. It returns no execution
// where that does not come to an end: the host cannot be steered, or refuses a fault, or a
// process panics.
func (x *executor) Steered(ctx context.Context, schedule rounds.Schedule, by system.Steering) (*recording.Execution, []result.Violation, error) {
	host, s := x.host(), x.system
	schedule = schedule.Normal()
	if !host.turns || host.checkKnown(schedule) != nil {
		return nil, nil, nil
	}
	q := &messages.Request{Do: messages.DoRun, System: s.Name, Schedule: &schedule, Rounds: x.rounds, Recording: messages.Always, Steered: true}
	c := &steered{system: s, by: by, eot: x.rounds}
	a, err := host.steer(ctx, q, c)
	if refused := refusal(""); errors.As(err, &refused) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	search.Spend(ctx, x.rounds)
	if a.Unjudged != nil || panicked(a.Violations) {
		return nil, nil, nil
	}
	e, violations, err := s.read(a, q)
	if err != nil {
		return nil, nil, fmt.Errorf("the answer of the host to the schedule %q: %w", q.Schedule, err)
	}
	return e, violations, nil
}

// steer makes a request, and answers its turns, until there is an answer. The request then
// has the schedule with all that was decided. Each turn may take as long as a run.
func (r *Remote) steer(ctx context.Context, q *messages.Request, c *steered) (*messages.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := newWaiter(nil)
	w.turns = make(chan *messages.Turn, 1)
	line, err := r.enter(q, w)
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(r.options.Answer)
	defer timer.Stop()
	out := r.out
	for {
		select {
		case out <- line:
			out = nil // until something is decided
		case a := <-w.reply:
			if a.Error != "" {
				return nil, refusal(a.Error)
			}
			return a, nil
		case t := <-w.turns:
			decided, err := c.decide(t)
			if err == nil {
				line, err = r.decided(q, c.schedule, decided)
			}
			if err != nil {
				r.cancel(q.ID)
				return nil, err
			}
			out = r.out
			timer.Reset(r.options.Answer)
		case <-r.life.Done():
			return nil, context.Cause(r.life)
		case <-timer.C:
			r.fail(r.silent(q, r.options.Answer))
			_ = r.end()
			return nil, context.Cause(r.life)
		case <-ctx.Done():
			r.cancel(q.ID)
			return nil, ctx.Err()
		}
	}
}

// decided returns the line that says what is decided in a run, and takes note of the
// schedule that it has then.
func (r *Remote) decided(q *messages.Request, schedule rounds.Schedule, faults []rounds.Fault) ([]byte, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.last++
	schedule = schedule.Normal()
	q.Schedule = &schedule
	d := messages.Request{ID: r.last, Do: messages.DoDecide, Of: q.ID}
	for _, f := range faults {
		d.Faults = append(d.Faults, f.String())
	}
	return encode(d)
}

// steered is what a host tells of an execution that is steered.
type steered struct {
	system   *System
	by       system.Steering
	eot      int
	schedule rounds.Schedule // so far; without what is drawn
	round    int             // of the last turn
	settled  int             // the last round of which the faults are decided
	first    int             // how many messages were sent in the rounds before
}

// decide decides the faults of a turn.
func (c *steered) decide(t *messages.Turn) ([]rounds.Fault, error) {
	if err := c.believe(t); err != nil {
		return nil, fmt.Errorf("the host tells round %d of the execution under the schedule %q: %w", t.Round, c.schedule, err)
	}
	if t.Begins != nil {
		c.by.Begin(*t.Begins)
	}
	faults, err := c.by.Decide(system.Turn{Round: t.Round, Facts: t.Facts, Arrived: t.Arrived, Lost: t.Lost, Sent: t.Sent, First: t.First, Settled: t.Settled})
	if err != nil {
		return nil, err
	}
	c.round, c.settled, c.first = t.Round, max(c.settled, t.Round), c.first+len(t.Sent)
	if t.Round == c.settled {
		c.schedule.Faults = execution.Redirected(c.schedule.Faults, faults, t.Round)
	}
	return faults, nil
}

// believe reports a turn that cannot be the next one.
func (c *steered) believe(t *messages.Turn) error {
	next := c.round + 1
	if t.Begins != nil {
		next = 1
		begins := t.Begins.Normal()
		if c.round == 0 {
			c.schedule = begins
		}
		if !slices.Equal(begins.Faults, c.schedule.Normal().Faults) {
			return fmt.Errorf("it has begun under the schedule %q", begins)
		}
		c.first = 0
	}
	switch {
	case t.Round != next || c.round == 0 && t.Begins == nil || next > c.eot:
		return fmt.Errorf("round %d is the next", next)
	case t.Settled != (t.Round <= c.settled):
		return errors.New("what was decided of it before cannot be said anew, or not again")
	case t.First != c.first:
		return fmt.Errorf("%d messages were sent before, and not %d", c.first, t.First)
	}
	for _, m := range slices.Concat(t.Sent, t.Lost, t.Arrived) {
		if m.From == "" {
			return fmt.Errorf("message %s: it has no sender", m)
		}
	}
	e := recording.Execution{System: c.system.Name, Bounds: c.system.scope(c.eot, c.schedule), Facts: t.Facts, Messages: slices.Concat(t.Sent, t.Lost, t.Arrived)}
	return e.Validate()
}
