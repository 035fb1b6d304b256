package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// NondeterminismError reports a system that did different things with the same input:
// in two executions of one schedule, or in two rounds that a process began in the same
// local state. In the second case its fingerprint or its snapshot leaves something out.
type NondeterminismError struct {
	System   string
	Schedule rounds.Schedule
	Round    int // the first round in which they differ
	Process  string
	What     string // what differs first: "messages", "facts", ...
	First    string // its value in the first execution
	Second   string // its value in the second

	State string          // the local state; empty if two executions were compared
	Other rounds.Schedule // the schedule of the second time in that state, which may be the same

	// Executions are the recordings of two executions that a search compared. With them
	// Process, What, First and Second are not set.
	Executions []*recording.Execution
}

func (e *NondeterminismError) Error() string {
	if len(e.Executions) == 2 {
		return fmt.Sprintf("system %q does not do the same twice: two executions under the schedule %q differ, first in round %d\n%s%s",
			e.System, e.Schedule, e.Round, execution.FirstDivergence(e.Executions[0], e.Executions[1]).SideBySide("the first", "the second"), onlyCalls)
	}
	if e.State != "" {
		return fmt.Sprintf("system %q: process %s has state that its fingerprint or snapshot does not have: in state %q in round %d, with the same inbox, its %s differ:\n  under the schedule %q: %s\n  under the schedule %q: %s",
			e.System, e.Process, e.State, e.Round, e.What, e.Schedule, e.First, e.Other, e.Second)
	}
	return fmt.Sprintf("system %q: two executions of the schedule %q differ, first in round %d at process %s, in its %s:\n  the first has  %s\n  the second has %s\n%s",
		e.System, e.Schedule, e.Round, e.Process, e.What, e.First, e.Second, onlyCalls)
}

// onlyCalls is what makes a system do the same twice.
const onlyCalls = "What a process does may depend only on the calls that it gets: not on a clock, on the order of a map, on goroutines, on variables that executions share, or on random numbers that are not those of the Step"

// CheckDeterminism executes runs random schedules, drawn from seed, twice each. It
// returns the first difference between two executions of one schedule as a
// *NondeterminismError, with a schedule from which nothing can be left out. No error is
// no proof that the system is deterministic.
func (s *System) CheckDeterminism(ctx context.Context, runs int, seed uint64) error {
	return s.checkDeterminism(ctx, runs, seed, &execution.Test{})
}

func (s *System) checkDeterminism(ctx context.Context, runs int, seed uint64, ran *execution.Test) error {
	random := rand.New(rand.NewPCG(seed, determinismStream))
	can, err := s.Abilities()
	if err != nil {
		return err
	}
	t := &twice{system: s, first: s.NewRunner(), second: s.NewRunner(), visits: newVisits(can.Points), ran: ran}
	defer func() { t.visits.tell(s.Processes, ran) }()
	for range runs {
		schedule := s.randomSchedule(can, random)
		ran.Schedules++
		if err := t.exact(can, t.execute(ctx, schedule)); err != nil {
			return s.smaller(ctx, schedule, rounds.Settings{}, err, t.execute)
		}
	}
	return nil
}

// twice executes schedules twice.
type twice struct {
	system        *System
	first, second *Runner
	visits        *visits
	ran           *execution.Test
}

// exact returns how two executions differ, unless they may: that is counted.
func (w *twice) exact(can Abilities, err error) error {
	why := cmp.Or(can.Machine.Inexact, w.first.inexact, w.second.inexact)
	if why == "" {
		return err
	}
	w.ran.Inexact = why
	if errors.As(err, new(*NondeterminismError)) {
		w.ran.Differed++
		return nil
	}
	return err
}

// execute executes a schedule and reports how the second execution differs.
func (w *twice) execute(ctx context.Context, schedule rounds.Schedule) error {
	var log []turn
	w.first.Options.Transition = func(t Transition) {
		w.visits.see(t)
		log = append(log, turnOf(t))
	}
	w.ran.Executions += 2
	if err := w.first.Run(ctx, schedule); err != nil {
		return under(schedule, err)
	}
	var different *NondeterminismError
	w.second.Options.Transition = func(t Transition) {
		if different == nil {
			different = turnOf(t).compare(log[0])
			log = log[1:]
		}
	}
	err := w.second.Run(ctx, schedule)
	if different != nil {
		different.System, different.Schedule = w.system.Name, w.first.drawn()
		return different
	}
	if err != nil {
		return fmt.Errorf("only the second of two executions of the schedule %q fails: %w", schedule, err)
	}
	return nil
}

// The streams of random numbers of the self-tests.
const (
	determinismStream = 1<<32 + iota
	durabilityStream
	stateStream
	ordersStream
)

// turn is what a process did in a round, as texts.
type turn struct {
	round       int
	process     string
	state       string
	requests    []string
	inbox, sent []string
	facts       []string
	next        string
}

func turnOf(t Transition) turn {
	d := turn{round: t.Round, process: t.Process, state: t.State, next: t.Next}
	for _, q := range t.Requests {
		d.requests = append(d.requests, fmt.Sprintf("%d: %s", q.ID, execution.PayloadText(q.Payload)))
	}
	for _, m := range t.Inbox {
		d.inbox = append(d.inbox, fmt.Sprintf("%s from %s: %s", execution.PayloadKind(m.Payload), m.From, execution.PayloadText(m.Payload)))
	}
	for _, m := range t.Sent {
		d.sent = append(d.sent, fmt.Sprintf("%s to %s: %s", execution.PayloadKind(m.Payload), m.To, execution.PayloadText(m.Payload)))
	}
	for _, f := range t.Facts {
		d.facts = append(d.facts, f.String())
	}
	return d
}

// compare returns the first difference to what was done before, nil if there
// is none. Messages come before the state that they led to.
func (d turn) compare(before turn) *NondeterminismError {
	for _, pair := range []struct {
		what          string
		first, second []string
	}{
		{"state before the round", []string{before.state}, []string{d.state}},
		{"messages sent", before.sent, d.sent},
		{"messages received", before.inbox, d.inbox},
		{"facts", before.facts, d.facts},
		{"state after the round", []string{before.next}, []string{d.next}},
	} {
		for i := range max(len(pair.first), len(pair.second)) {
			if first, second := nth(pair.first, i), nth(pair.second, i); first != second {
				return &NondeterminismError{Round: d.round, Process: d.process, What: pair.what, First: first, Second: second}
			}
		}
	}
	return nil
}

// nth returns the text at a place, "nothing" beyond the last.
func nth(texts []string, i int) string {
	if i >= len(texts) {
		return "nothing"
	}
	return strings.TrimSpace(texts[i])
}

// randomSchedule returns a schedule with all kinds of fault that the system can
// have.
func (s *System) randomSchedule(can Abilities, random *rand.Rand) rounds.Schedule {
	b := s.Bounds(0)
	b.Points = can.Points
	b.Period = 1 + random.IntN(max(b.EOT/2, 1))
	b.Isolations, b.Omissions, b.Pauses, b.Crashes = random.IntN(4), random.IntN(4), random.IntN(3), random.IntN(2)
	if can.Restarts {
		b.Crashes, b.Restarts = rounds.Unlimited, rounds.Unlimited
	}
	if n := len(b.Processes); n > 2 && n <= mostParted {
		b.Partitions = random.IntN(3)
	}
	if b.Disks = can.Machine.Disk; b.Disks {
		b.FailedSyncs = random.IntN(3)
	}
	if len(b.Choose) > 0 {
		b.Choices = random.IntN(4)
	}
	if can.Machine.Clock {
		b.FastClocks, b.SlowClocks, b.Jumps, b.MaxJump = random.IntN(2), random.IntN(2), random.IntN(3), 1+random.IntN(b.EOT)
	}
	b.Cuts = random.IntN(3)
	if can.Timers {
		b.FastClocks, b.SlowClocks, b.Jumps, b.MaxJump = random.IntN(2), random.IntN(2), random.IntN(2), 1+random.IntN(b.EOT)
	}
	if can.Machine.Terminates {
		b.Terminations, b.NeverCrash = random.IntN(3), s.Faults.NeverCrash // such as clients, which get no signal
	}
	b.Delays, b.Duplicates, b.MaxDelay, b.Orders = s.Faults.Delays, s.Faults.Duplicates, s.Faults.MaxDelay, s.Faults.Orders // others may not be made for that
	return schedules.New(b).Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64N(1000))})
}

// mostParted is how many processes self-tests part: there are too many ways to part
// more.
const mostParted = 8

// under says in which execution of a self-test an error came up.
func under(schedule rounds.Schedule, err error) error {
	return fmt.Errorf("the execution under %q: %w", schedule, err)
}
