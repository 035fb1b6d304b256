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
	c := &steered{system: s, by: by, eot: x.rounds, schedule: schedule}
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
	if err == nil {
		err = c.recorded(e)
	}
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
	turns    []*messages.Turn
	gone     []rounds.Fault // they lose what was on its way for some rounds
}

// decide decides the faults of a turn.
func (c *steered) decide(t *messages.Turn) ([]rounds.Fault, error) {
	if err := c.believe(t); err != nil {
		return nil, fmt.Errorf("the host tells round %d of the execution under the schedule %q: %w", t.Round, c.schedule, err)
	}
	if t.Begins != nil {
		c.turns = nil
		c.by.Begin(*t.Begins)
	}
	c.turns = append(c.turns, t)
	faults, err := c.by.Decide(system.Turn{Round: t.Round, Facts: t.Facts, Arrived: t.Arrived, Lost: t.Lost, Sent: t.Sent, First: t.First, Settled: t.Settled})
	if err != nil {
		return nil, err
	}
	c.round, c.settled, c.first = t.Round, max(c.settled, t.Round), c.first+len(t.Sent)
	if t.Round == c.settled {
		c.schedule.Faults = execution.Redirected(c.schedule.Faults, faults, t.Round)
	}
	for _, f := range faults {
		if f.Kind == rounds.Omit && f.Round < t.Round {
			c.gone = append(c.gone, f)
		}
	}
	return faults, nil
}

// recorded reports turns of an execution that are not those of its recording.
func (c *steered) recorded(e *recording.Execution) error {
	if len(c.turns) < c.eot {
		return fmt.Errorf("round %d was not told", len(c.turns)+1)
	}
	all := c.happenings(e)
	for i, t := range c.turns {
		told := &happening{}
		for _, f := range t.Facts {
			told.facts = append(told.facts, f.String())
		}
		for _, m := range t.Arrived {
			told.arrived = append(told.arrived, m.String())
		}
		for _, m := range t.Lost {
			told.lost = append(told.lost, m.String())
		}
		for _, m := range t.Sent {
			if !c.lied(m) {
				told.sent = append(told.sent, m.String())
			}
		}
		before, now := all[i], all[i+1]
		if err := errors.Join(
			contradicted("fact", told.facts, before.facts, nil), contradicted("message that arrived", told.arrived, before.arrived, nil),
			contradicted("message that was lost", told.lost, before.lost, before.later), contradicted("message that was sent", told.sent, now.sent, nil),
		); err != nil {
			return fmt.Errorf("round %d was told with other events than the recording has: %w", t.Round, err)
		}
	}
	return nil
}

// happening is what happens in a round, one line each.
type happening struct {
	facts, sent, arrived, lost []string
	later                      []string // of lost, what may have been lost in a later round
}

// happenings returns what a recording has, by round.
func (c *steered) happenings(e *recording.Execution) []happening {
	all := make([]happening, c.eot+2)
	for _, f := range e.Facts {
		h := &all[f.Round]
		h.facts = append(h.facts, f.String())
	}
	for _, m := range e.Messages {
		h, text := &all[m.Round], m.String()
		if !m.Lost {
			at := &all[min(max(m.Round, m.Arrival), c.eot+1)]
			at.arrived = append(at.arrived, text)
		} else if h.lost = append(h.lost, text); m.Cause.Kind == rounds.Crash || slices.Contains(c.gone, m.Cause) {
			h.later = append(h.later, text)
		}
		if !m.Again && !c.lied(m) {
			h.sent = append(h.sent, text)
		}
	}
	return all
}

// lied tells whether something may lie about a message: a recording has what arrives.
func (c *steered) lied(m recording.Message) bool {
	return slices.ContainsFunc(c.schedule.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Lie && f.Process == m.From && f.To == m.To && f.Round == m.Round
	})
}

// contradicted reports the first line that was told and is not so, or is so and was not told, unless it may be left out.
func contradicted(what string, told, is, may []string) error {
	for _, lines := range [][]string{told, is, may} {
		slices.Sort(lines)
	}
	in := func(lines []string, line string) bool { _, ok := slices.BinarySearch(lines, line); return ok }
	for _, line := range told {
		if !in(is, line) {
			return fmt.Errorf("the %s %s is not recorded", what, line)
		}
	}
	for _, line := range is {
		if !in(told, line) && !in(may, line) {
			return fmt.Errorf("the %s %s was not told", what, line)
		}
	}
	return nil
}

// believe reports a turn that cannot be the next one.
func (c *steered) believe(t *messages.Turn) error {
	next := c.round + 1
	if t.Begins != nil {
		next = 1
		begins := t.Begins.Normal()
		if c.round == 0 {
			if err := sameSchedule(begins, c.schedule); err != nil {
				return err
			}
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
	sent := map[string]bool{}
	for _, m := range t.Sent {
		if m.Round != t.Round || sent[m.String()] {
			return fmt.Errorf("message %s: those of this round are told, and identical ones once", m)
		}
		sent[m.String()] = true
	}
	e := recording.Execution{System: c.system.Name, Bounds: c.system.scope(c.eot, c.schedule), Facts: t.Facts, Messages: slices.Concat(t.Sent, t.Lost, t.Arrived)}
	return e.Validate()
}
