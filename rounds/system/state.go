package system

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// CheckState executes runs random schedules, drawn from seed, and compares what the
// processes do in equal local states. A process that does different things with the
// same requests and inbox in the same round is returned as a *NondeterminismError, with
// schedules from which nothing can be left out. Processes with snapshots are also run
// from these, and have to do the same. States without a fingerprint are not compared.
func (s *System) CheckState(ctx context.Context, runs int, seed uint64) error {
	return s.checkState(ctx, runs, seed, &execution.Test{})
}

func (s *System) checkState(ctx context.Context, runs int, seed uint64, ran *execution.Test) error {
	can, err := s.Abilities()
	if err != nil {
		return err
	}
	c, err := s.newStateCheck(ran)
	defer c.close()
	if err != nil {
		return err
	}
	c.visits = newVisits(can.Points)
	defer func() { c.visits.tell(s.Processes, ran) }()
	if !slices.ContainsFunc(c.runner.processes, func(p *participant) bool { return p.fingerprinter != nil }) {
		ran.Skipped = "the processes offer no fingerprints (system.Fingerprinter)"
		return nil
	}
	random := rand.New(rand.NewPCG(seed, stateStream))
	for range runs {
		schedule := s.randomSchedule(can, random)
		// All executions have the same seed and ticks, as equal states assume.
		schedule.Settings.Seed = rounds.Set(0)
		ran.Schedules++
		if err := c.execute(ctx, schedule); err != nil {
			return s.smallerStates(ctx, schedule, err, ran)
		}
	}
	return nil
}

// smallerStates makes the schedules smaller under which a mistake shows: the one
// that was executed last, and the one before it that it is compared with, if that
// is another.
func (s *System) smallerStates(ctx context.Context, last rounds.Schedule, found error, ran *execution.Test) error {
	test := func(ctx context.Context, schedules ...rounds.Schedule) error {
		c, err := s.newStateCheck(&execution.Test{})
		defer c.close()
		for i := 0; i < len(schedules) && err == nil; i++ {
			err = c.execute(ctx, schedules[i])
		}
		ran.Executions += c.ran.Executions
		return err
	}
	alone := func(ctx context.Context, schedule rounds.Schedule) error { return test(ctx, schedule) }
	if err := alone(ctx, last); alike(found, err) {
		return s.smaller(ctx, last, last.Settings, err, alone)
	}
	before := rounds.Schedule{}
	if different := (*NondeterminismError)(nil); errors.As(found, &different) {
		before = different.Schedule
	}
	found = s.smaller(ctx, before, before.Settings, found, func(ctx context.Context, fewer rounds.Schedule) error {
		err := test(ctx, fewer, last)
		if alike(found, err) {
			before = fewer
		}
		return err
	})
	return s.smaller(ctx, last, last.Settings, found, func(ctx context.Context, fewer rounds.Schedule) error { return test(ctx, before, fewer) })
}

// stateCheck remembers what was done in which state.
type stateCheck struct {
	system   *System
	runner   *Runner
	local    *Local // nil if the processes cannot be run from kept states
	ran      *execution.Test
	visits   *visits
	schedule rounds.Schedule
	seen     map[string]sighting
	states   map[string]kept // by process and name
	met      map[string]bool // the same of all states
	err      error
}

// sighting is what was done, and under which schedule.
type sighting struct {
	turn     turn
	schedule rounds.Schedule
}

// kept is a state, and the schedule that led to it.
type kept struct {
	State
	schedule rounds.Schedule
}

// newStateCheck returns one that has seen the states before the first round.
func (s *System) newStateCheck(ran *execution.Test) (*stateCheck, error) {
	local, err := s.NewLocal(0, rounds.Settings{})
	if err != nil {
		local = nil // a process without snapshots, or without a fingerprint
	}
	c := &stateCheck{system: s, runner: s.NewRunner(), local: local, ran: ran, visits: newVisits(nil), seen: map[string]sighting{}, states: map[string]kept{}, met: map[string]bool{}}
	c.runner.Options.Transition = c.see
	if err := c.runner.reset(rounds.Schedule{}); err != nil {
		return c, err
	}
	return c, c.start()
}

// close ends the processes. What goes wrong in that, each execution shows, too.
func (c *stateCheck) close() {
	_ = c.runner.close()
	if c.local != nil {
		_ = c.local.Close()
	}
}

// start keeps the states before the first round.
func (c *stateCheck) start() error {
	if c.local == nil {
		return nil
	}
	for i, name := range c.system.Processes {
		state, err := c.local.Start(i)
		if err != nil {
			return err
		}
		c.states[name+" "+state.Name] = kept{State: state}
	}
	return nil
}

// execute executes a schedule and compares what is done with what was done before.
func (c *stateCheck) execute(ctx context.Context, schedule rounds.Schedule) error {
	c.schedule = schedule
	c.ran.Executions++
	if err := c.runner.Run(ctx, schedule); err != nil {
		return under(schedule, err)
	}
	return c.err
}

func (c *stateCheck) see(t Transition) {
	if c.err != nil {
		return
	}
	c.visits.see(t)
	if why := c.runner.inexact; why != "" { // nothing is proved from here on
		c.ran.Inexact = why
		return
	}
	if c.runner.processes[c.runner.index[t.Process]].fingerprinter == nil || !named(t.State) || !named(t.Next) {
		c.ran.Unnamed++
		return
	}
	d := turnOf(t)
	key := fmt.Sprintf("%d %s %t %d %q %q %q %q %t %q %v", d.round, d.process, t.Restarted, t.Told, d.state, d.requests, d.inbox, t.Point, t.Received, t.Kept, t.Conditions)
	c.note(d)
	before, ok := c.seen[key]
	if !ok {
		c.seen[key] = sighting{d, c.schedule}
		c.again(t, d)
		return
	}
	c.ran.Compared++
	if different := d.compare(before.turn); different != nil {
		c.fail(different, before.schedule, d)
	}
}

// note counts the states.
func (c *stateCheck) note(d turn) {
	for _, state := range []string{d.state, d.next} {
		if key := d.process + " " + state; !c.met[key] {
			c.met[key] = true
			c.ran.States++
		}
	}
}

func (c *stateCheck) fail(different *NondeterminismError, under rounds.Schedule, d turn) {
	different.System, different.Schedule = c.system.Name, under
	different.State, different.Other = d.state, c.schedule
	c.err = different
}

// again repeats a transition from the kept state.
func (c *stateCheck) again(t Transition, d turn) {
	from, ok := c.states[t.Process+" "+t.State]
	if c.local == nil || !ok {
		return
	}
	c.ran.Compared++
	p := c.local.runner.index[t.Process]
	if err := c.repeat(p, from.State, &t); err != nil {
		c.err = fmt.Errorf("from a snapshot, but not in the execution of the schedule %q: %w", c.schedule, err)
		return
	}
	if different := d.compare(turnOf(t)); different != nil {
		c.fail(different, from.schedule, d)
	}
}

// repeat repeats a transition of a process from a state, and makes it what the process
// does this time.
func (c *stateCheck) repeat(p int, from State, t *Transition) (err error) {
	for i := 0; t.Restarted && i < max(t.Told, 1); i++ {
		if from, err = c.local.Crash(p, t.Round, from); err != nil {
			return err
		}
	}
	next, sent, facts, crashed, err := c.local.Send(p, t.Round, from, t.Restarted, t.Requests, t.Point, t.More)
	if err == nil && !crashed {
		var more []recording.Fact
		next, more, _, err = c.local.Receive(p, t.Round, next, t.Inbox, t.Point)
		facts = append(facts, more...)
	}
	t.Sent, t.Facts, t.Next = sent, facts, next.Name
	if err == nil {
		c.states[t.Process+" "+next.Name] = kept{next, c.schedule}
	}
	return err
}
