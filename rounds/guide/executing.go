package guide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// lostAtOnce tells whether a message that is lost was lost when it was sent, and not when it
// came to its receiver some rounds later. Its number among those of its kind is 0 if nobody knows it.
func lostAtOnce(s rounds.Schedule, m recording.Message, nth int) bool {
	if late, _ := s.Settings.LatencyOf(m.From, m.To); m.Cause.Kind != rounds.Crash {
		return true
	} else if late > 0 || m.Again || m.Cause.Round > m.Round {
		return false
	}
	return !slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Delay && f.Process == m.From && f.To == m.To && f.Round == m.Round && (f.Of == "" || f.Of == kindOf(&m) && (f.Nth == 0 || nth == 0 || f.Nth == nth))
	})
}

// liedAbout tells whether a message may be one that a lie changes.
func liedAbout(s rounds.Schedule, m recording.Message) bool {
	return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Lie && f.Process == m.From && f.To == m.To && f.Round == m.Round
	})
}

// nth returns the number of a message among those of its kind, 0 if that is not known.
func (s *Steering) nth(m recording.Message) int {
	for _, o := range s.sent[m.Round] {
		if identical(o.Message, m) {
			return o.nth
		}
	}
	return 0
}

// sentIn returns the messages that were sent in a round, identical ones once.
func sentIn(e *recording.Execution, round int) (all []recording.Message) {
	for _, m := range e.Messages {
		if m.Round == round && !m.Again && m.From != "" && (len(all) == 0 || !identical(all[len(all)-1], m)) {
			all = append(all, m)
		}
	}
	return all
}

// executor executes whole schedules for a steering.
type executor struct {
	*Steering
	execute func(rounds.Schedule) (*recording.Execution, error)
	sent    [][]recording.Message // by round, before any of it was lied about
	known   int                   // of how many rounds that stays so
}

// of returns what is sent in a round of an execution. That has what lies make of it: it is executed without them then.
func (x *executor) of(e *recording.Execution, round int) ([]recording.Message, error) {
	settled := round <= len(x.settled) && !x.only
	switch {
	case round > len(x.sent):
		x.sent = append(x.sent, nil)
	case round <= x.known || settled && len(x.settled[round-1][0].Acts) == 0:
		return x.sent[round-1], nil
	}
	if settled {
		x.known = round
	}
	if lies := liesIn(e.Schedule, round); len(lies) > 0 {
		var err error
		if e, err = x.execute(without(e.Schedule, lies)); err != nil {
			return nil, err
		}
	}
	x.sent[round-1] = sentIn(e, round)
	return x.sent[round-1], x.learn(e, round)
}

// learn takes note which messages of a round the faults hit with which the execution began.
func (x *executor) learn(e *recording.Execution, round int) (err error) {
	probe := rounds.Schedule{Settings: e.Schedule.Settings}
	var hits []rounds.Fault
	for _, f := range e.Schedule.Faults {
		switch {
		case f.Round != round || f.Nth == 0:
			probe.Faults = append(probe.Faults, f)
		case slices.Contains(x.given, f):
			f.Kind, f.By, f.Detail = rounds.Omit, 0, ""
			hits = append(hits, f)
		}
	}
	if len(hits) == 0 {
		return nil
	}
	probe = without(probe, liesIn(probe, round))
	probe.Faults = append(probe.Faults, hits...)
	if e, err = x.execute(probe.Normal()); err != nil {
		return err
	}
	for _, f := range hits {
		of := stream{f.Process, f.To, f.Of, f.Round}
		place := 0
		for _, m := range x.sent[round-1] {
			if streamOf(&m) != of {
				continue
			}
			place++
			if loses(e, f, m) {
				x.swap(of, slices.Index(x.order(of, max(place, f.Nth)), f.Nth)+1, place)
			}
		}
	}
	return nil
}

// loses tells whether a fault has lost a message.
func loses(e *recording.Execution, f rounds.Fault, m recording.Message) bool {
	return slices.ContainsFunc(e.Messages, func(is recording.Message) bool { return is.Lost && is.Cause == f && identical(is, m) })
}

// liesIn returns the lies of a round.
func liesIn(s rounds.Schedule, round int) []rounds.Fault {
	return slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Lie || f.Round != round })
}

func without(s rounds.Schedule, faults []rounds.Fault) rounds.Schedule {
	return rounds.Schedule{Settings: s.Settings, Faults: slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return slices.Contains(faults, f) })}
}

// next executes a schedule with the faults that are decided in a round. It returns no execution if the fault wrong has hit another
// message than it was meant for.
func (x *executor) next(before *recording.Execution, faults []rounds.Fault, round int) (e *recording.Execution, wrong rounds.Fault, err error) {
	next := rounds.Schedule{Settings: before.Schedule.Settings, Faults: execution.Redirected(before.Schedule.Faults, faults, round)}
	if unsure := slices.DeleteFunc(slices.Clone(faults), func(f rounds.Fault) bool { return !x.unsure(next, f, faults) }); len(unsure) > 0 {
		probe := without(without(next, unsure), liesIn(next, round))
		for i := range unsure { // what loses a message is recorded
			unsure[i].Kind, unsure[i].By, unsure[i].Detail = rounds.Omit, 0, ""
			if !slices.Contains(probe.Faults, unsure[i]) {
				probe.Faults = append(probe.Faults, unsure[i])
			}
		}
		if e, err = x.execute(probe); err != nil {
			return nil, wrong, err
		}
		if wrong, is := x.misplaced(e, unsure); is {
			return nil, wrong, nil
		}
	}
	if e, err = x.execute(next); err != nil {
		return nil, wrong, err
	}
	if err := x.goesOn(before, e, next, faults, round); err != nil {
		return nil, wrong, err
	}
	if wrong, is := x.misplaced(e, faults); is {
		return nil, wrong, nil
	}
	return e, wrong, nil
}

// unsure tells whether a recording need not say which message of its kind a fault has hit, and others are not hit alike.
func (x *executor) unsure(s rounds.Schedule, f rounds.Fault, faults []rounds.Fault) bool {
	lied := liedAbout(s, recording.Message{From: f.Process, To: f.To, Round: f.Round})
	if f.Nth == 0 || f.Kind != rounds.Delay && f.Kind != rounds.Lie && (f.Kind != rounds.Omit || !lied) {
		return false
	}
	alike, all := map[int]bool{}, 0
	for _, g := range faults {
		nth := g.Nth
		if g.Nth = f.Nth; g == f && nth > 0 {
			alike[nth] = true
		}
	}
	for _, m := range x.Steering.sent[f.Round] {
		if streamOf(&m.Message) == (stream{f.Process, f.To, f.Of, f.Round}) {
			all++
		}
	}
	return len(alike) < all
}

// goesOn reports that something else happens in an execution than in the one before it, in which nothing was decided from a round on.
func (x *executor) goesOn(before, after *recording.Execution, asked rounds.Schedule, faults []rounds.Fault, round int) error {
	if x.program || before.Inexact != "" || after.Inexact != "" || !slices.Equal(asked.Normal().Faults, after.Schedule.Normal().Faults) {
		return nil
	}
	was, is := x.upTo(before, faults, round), x.upTo(after, faults, round)
	for i := range max(len(was), len(is)) {
		if i < len(was) && i < len(is) && was[i] == is[i] {
			continue
		}
		one := strings.Join(slices.Concat(was[i:min(i+1, len(was))], is[i:min(i+1, len(is))]), ", or ")
		return fmt.Errorf("two executions differ before round %d, in which their schedules do: %s: one has %s, the other %q has not: what happens must depend on the schedule alone", round, before.Schedule, one, after.Schedule)
	}
	return nil
}

// upTo returns what happens before faults of a round are decided, one line each.
func (x *executor) upTo(e *recording.Execution, faults []rounds.Fault, round int) (all []string) {
	changed := slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Kind == rounds.Lie || ofProcess(f) && f.Round == round })
	for _, f := range e.Facts {
		if f.Round < round {
			all = append(all, f.String())
		}
	}
	for _, m := range e.Messages {
		switch {
		case m.Round > round || m.Round == round && (changed || m.Again):
			continue
		case liedAbout(e.Schedule, m) || m.Lost && m.Cause.Kind == rounds.Crash: // what became of it, and when, need not be known: it can say the same as another one
			if !m.Again {
				all = append(all, m.String())
			}
		case m.Lost && m.Round < round && !x.neverReleased(m):
			all = append(all, "lost "+m.String())
		case !m.Lost && max(m.Round, m.Arrival) < round:
			all = append(all, fmt.Sprintf("%s, which arrives in round %d", m, max(m.Round, m.Arrival)))
		case m.Again: // it is still on its way
		default:
			all = append(all, m.String())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ofProcess tells whether a fault changes what processes send.
func ofProcess(f rounds.Fault) bool {
	switch f.Kind {
	case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate, rounds.Isolate, rounds.Partition:
		return false
	}
	return true
}

// ByExecuting decides the faults of an execution under a schedule where only whole schedules
// can be executed: it executes again whenever something is decided. It returns the last
// execution, and what came of the guide.
func (s *Steering) ByExecuting(ctx context.Context, schedule rounds.Schedule, execute func(rounds.Schedule) (*recording.Execution, error)) (*recording.Execution, Outcome, error) {
	s.Start(ctx)
	x := &executor{Steering: s, execute: execute}
	e, err := execute(schedule)
	tries := 0 // to hit what is meant in a round
	for round := 1; err == nil; {
		if round == 1 {
			s.Begin(e.Schedule)
		}
		if round > s.eot {
			return s.settle(e, execute)
		}
		turn := system.Turn{Round: round, First: s.first + len(s.now), Settled: round <= len(s.settled) && !s.only}
		if turn.Sent, err = x.of(e, round); err != nil {
			return nil, Outcome{}, err
		}
		if round > 1 {
			past := pastOf(e, round-1, s.nth)
			turn.Facts, turn.Arrived, turn.Lost = past.Facts, past.Delivered, past.Lost
		}
		gone := len(s.gone)
		var faults []rounds.Fault
		if faults, err = s.Decide(turn); err != nil {
			return nil, Outcome{}, err
		}
		if len(faults) == 0 {
			round++
			continue
		}
		tried, wrong, err := x.next(e, faults, round)
		if err != nil {
			return nil, Outcome{}, err
		}
		switch tries++; {
		case tried != nil:
			e, tries = tried, 0
		case tries > s.first+len(s.now):
			return nil, Outcome{}, fmt.Errorf("the schedule %q and %s, which hits another message of its kind than before: what happens must depend on the schedule alone", e.Schedule, wrong)
		case turn.Settled:
			s.open = round
		default:
			s.settled = s.settled[:round-1]
		}
		if tried == nil {
			s.gone = s.gone[:gone]
		}
		round = 1
	}
	return nil, Outcome{}, err
}

// InOne decides the faults of one execution, of which it is told what each round sends. It
// returns no execution if there is none.
func (s *Steering) InOne(ctx context.Context, steered func() (*recording.Execution, error), execute func(rounds.Schedule) (*recording.Execution, error)) (*recording.Execution, Outcome, error) {
	s.Start(ctx)
	e, err := steered()
	if e == nil || err != nil {
		return nil, Outcome{}, err
	}
	f, wrong := s.misplaced(e, e.Schedule.Faults)
	for _, late := range e.Schedule.Faults {
		if late.Kind == rounds.Delay && late.Nth > 0 && len(liesIn(e.Schedule, late.Round)) == 0 && slices.ContainsFunc(s.sent[late.Round], func(m numbered) bool {
			return late.Nth == m.nth && streamOf(&m.Message) == (stream{late.Process, late.To, late.Of, late.Round}) && arrives(e, m.Message)
		}) {
			f, wrong = late, true
		}
	}
	if wrong {
		return nil, Outcome{}, fmt.Errorf("the schedule %q: %s hits another message than the one that is told in its place", e.Schedule, f)
	}
	return s.settle(e, execute)
}

// arrives tells whether a message arrives in its own round.
func arrives(e *recording.Execution, m recording.Message) bool {
	return slices.ContainsFunc(e.Messages, func(is recording.Message) bool {
		return identical(is, m) && !is.Lost && !is.Again && is.Arrival == 0
	})
}

// settle returns an execution that has ended, under the schedule that is written, and what
// came of the guide.
func (s *Steering) settle(e *recording.Execution, execute func(rounds.Schedule) (*recording.Execution, error)) (*recording.Execution, Outcome, error) {
	o, decided, err := s.End(e)
	if err != nil || decided.String() == e.Schedule.String() {
		return e, o, err
	}
	again, err := execute(decided)
	if err == nil && !s.program && e.Inexact == "" && again.Inexact == "" && !slices.EqualFunc(e.Facts, again.Facts, func(f, g recording.Fact) bool { return f.Compare(g) == 0 && f.Round == g.Round }) {
		return nil, o, fmt.Errorf("processes report other facts under the schedule %q than while it was decided: what happens must depend on the schedule alone", decided)
	}
	return again, o, err
}
