package system

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// CheckState executes random schedules (so many, from a seed), and compares what
// the processes do in equal local states. If one does different things with the
// same requests and inbox in the same round, it is reported as a
// *NondeterminismError. Processes with snapshots are run from those as well, and
// have to do the same.
func (s *System) CheckState(ctx context.Context, runs int, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, stateStream))
	local, err := s.NewLocal(0, rounds.Settings{})
	if err != nil {
		local = nil // a process without snapshots, or without a fingerprint
	}
	c := &stateCheck{system: s, local: local, seen: map[string]sighting{}, states: map[string]State{}}
	if err := c.start(); err != nil {
		return err
	}
	r := s.NewRunner()
	r.Options.Transition = c.see
	for range runs {
		schedule, err := s.randomSchedule(random)
		if err != nil {
			return err
		}
		// All executions have the same seed and ticks, as equal states assume.
		schedule.Settings.Seed = rounds.Set(0)
		c.schedule = schedule
		if err := r.Run(ctx, c.schedule); err != nil {
			return under(c.schedule, err)
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// stateCheck remembers what was done in which state.
type stateCheck struct {
	system   *System
	local    *Local // nil if the processes cannot be run from kept states
	schedule rounds.Schedule
	seen     map[string]sighting
	states   map[string]State // by process and name
	err      error
}

// sighting is what was done, and under which schedule.
type sighting struct {
	turn     turn
	schedule rounds.Schedule
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
		c.states[name+" "+state.Name] = state
	}
	return nil
}

func (c *stateCheck) see(t Transition) {
	if c.err != nil {
		return
	}
	d := turnOf(t)
	key := fmt.Sprintf("%d %s %t %q %q %q", d.round, d.process, t.Restarted, d.state, d.requests, d.inbox)
	before, ok := c.seen[key]
	if !ok {
		c.seen[key] = sighting{d, c.schedule}
		c.again(t, d)
		return
	}
	if different := d.compare(before.turn); different != nil {
		c.fail(different, before.schedule, d)
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
	p := c.local.runner.index[t.Process]
	middle, sent, facts, err := c.local.Send(p, t.Round, from, t.Restarted, t.Requests[:len(t.Requests)-len(c.local.own(p, t.Round))])
	if err == nil {
		var next State
		var more []recording.Fact
		next, more, err = c.local.Receive(p, t.Round, middle, t.Inbox)
		facts = append(facts, more...)
		t.Sent, t.Facts, t.Next = sent, facts, next.Name
		c.states[t.Process+" "+next.Name] = next
	}
	if err != nil {
		c.err = fmt.Errorf("from a snapshot, but not in the execution of the schedule %q: %w", c.schedule, err)
		return
	}
	if different := turnOf(t).compare(d); different != nil {
		c.fail(different, c.schedule, d)
	}
}
