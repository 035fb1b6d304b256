package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// TestWithin compares answers about the rounds after the quiet begins with executions of all schedules of a few
// rounds, or of many drawn ones, for random programs.
func TestWithin(t *testing.T) {
	campaign.Run(t, 300, withinAgrees)
}

// fewRounds is how many rounds behind those that a program names are executed.
const fewRounds = 3

func withinAgrees(ctx context.Context, c oracle.Case) (string, error) {
	number := int(c.Seed % 3)
	c.Bounds.Crashes = max(c.Bounds.Crashes, 1) // or else rules that read crash are gone, and what only they read
	if c.Bounds.CheckRestarts(c.Program) != nil {
		return "refused", nil
	}
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, MaxFacts: 10_000, MaxGates: 200_000})
	if err != nil {
		return "", err
	}
	asked := number
	if c.Seed%4 == 3 {
		asked = rounds.Least
	}
	a, err := m.Within(ctx, asked)
	switch {
	case errors.As(err, new(*provenance.UntimedError)), errors.As(err, new(*ldfi.NoPromiseError)):
		return "refused", nil
	case errors.As(err, new(*limits.UndefinedError)), errors.As(err, new(*limits.RunawayError)), errors.As(err, new(*limits.LimitError)), errors.As(err, new(*solver.LimitError)):
		return "undefined", nil
	case err != nil:
		return "", fmt.Errorf("within %d: %w", number, err)
	case a.Verdict == result.Inconclusive:
		return "inconclusive", nil
	}
	number = a.Rounds.Within.Rounds
	q := quietOf(c)
	if a.Rounds.State == 0 { // there is no step, and a schedule was found
		if a.Rounds.Within.Never != nil {
			return "violated for ever, refused", q.lacking(ctx, c, a)
		}
		return "violated, refused", nil
	}
	c.Bounds = c.Bounds.Lasting(max(q.given, q.last) + fewRounds)
	if c.Bounds, err = c.Bounds.Knowing(c.Program); err != nil {
		return "", err
	}
	machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{Only: []string{"pre", "post", "violation"}, MaxFacts: 10_000})
	if err != nil {
		return "", err
	}
	all := c.Schedules(1500)
	first, by := 0, rounds.Schedule{}
	for _, s := range all {
		run, err := machine.Run(ctx, s)
		if err != nil {
			return "undefined", nil
		}
		if round := q.breaks(run, s, number, c.Bounds.EOT); round > 0 && (first == 0 || round < first) {
			first, by = round, s
		}
	}
	count := schedules.Count(c.Bounds)
	complete := count.IsInt64() && count.Int64() <= 1500
	late := a.Verdict == result.Holds || a.Rounds.Round > c.Bounds.EOT
	switch {
	case first > 0 && (late || a.Rounds.Round > first):
		return "", fmt.Errorf("within %d it is %s in round %d, and %q breaks it in round %d", number, a.Verdict, a.Rounds.Round, by, first)
	case complete && first == 0 && !late, complete && first > a.Rounds.Round && !late:
		return "", fmt.Errorf("within %d it is violated in round %d by %q, and executions break it in round %d first", number, a.Rounds.Round, a.First().Schedule, first)
	case a.Verdict == result.Holds && a.Rounds.Vacuous:
		return "holds of nothing", nil
	case a.Rounds.Within.Never != nil:
		outcome := "violated for ever"
		if a.Rounds.Within.Never.With != "" {
			outcome += " by losses"
		}
		return outcome, q.lacking(ctx, c, a)
	}
	return string(a.Verdict), nil
}

// quiet is when a program falls quiet, apart from faults.
type quiet struct {
	program *dedalus.Program
	goesOn  bool // losses go on
	given   int  // the last round in which something comes by the number of the round
	first   int  // the first round that can be the last one of bounds
	last    int  // the first for which pre and post are judged: rounds that are named are over
}

func quietOf(c oracle.Case) *quiet {
	b := c.Bounds.Normal()
	q := &quiet{c.Program.Slice("pre", "post", "violation"), b.Deliver+b.Kernel != "", 0, max(b.From, 1), max(b.From, 1)}
	for _, r := range q.program.Rules {
		for _, term := range r.Body {
			q.last = max(q.last, term.At)
		}
	}
	for _, f := range q.program.Facts {
		q.given = max(q.given, f.Round)
	}
	for _, choice := range q.program.Choices {
		if choice.Rounds.Word == syntax.Any {
			q.given = max(q.given, 1)
		}
		for _, r := range choice.Rounds.Ranges {
			_, until := r.Rounds()
			q.given = max(q.given, until)
		}
	}
	for _, round := range b.Joins {
		q.given, q.first, q.last = max(q.given, round), max(q.first, round), max(q.last, round)
	}
	return q
}

// begins is the first quiet round under a schedule.
func (q *quiet) begins(s rounds.Schedule) int {
	first := q.given + 1
	for _, f := range s.Faults {
		each := false
		for _, choice := range q.program.Choices {
			name, _ := f.Fact()
			each = each || f.Kind == rounds.Choose && choice.Relation == name && choice.Rounds.Word != syntax.Any
		}
		if !each && !(f.Kind == rounds.Omit && q.goesOn) {
			first = max(first, f.Round+f.By+1, f.Until+1)
		}
	}
	return first
}

// breaks returns the first round in which an execution breaks the promise, 0 if there is none.
func (q *quiet) breaks(run *lockstep.Run, s rounds.Schedule, number, eot int) int {
	for round := max(s.LastRound(), q.first); round <= eot; round++ { // what comes later belongs to another schedule
		for before := 1; before <= round; before++ {
			if len(run.Facts("violation", before)) > 0 {
				return round
			}
		}
		if round < max(q.begins(s)+number, q.last) {
			continue
		}
		for _, args := range run.Facts("pre", round) {
			if !run.Has("post", args, round) {
				return round
			}
		}
	}
	return 0
}

// lacking executes the schedule of an answer, after which something is said to be missing for ever.
func (q *quiet) lacking(ctx context.Context, c oracle.Case, a *result.Answer) error {
	never := a.Rounds.Within.Never
	period := never.Until - never.From + 1
	b, err := c.Bounds.Lasting(never.Until + 5*period).Knowing(c.Program)
	if err != nil {
		return err
	}
	machine, err := lockstep.Compile(c.Program, b, lockstep.Options{Only: []string{"pre", "post", "violation"}, MaxFacts: 10_000})
	if err != nil {
		return err
	}
	s := a.First().Schedule
	if never.With != "" {
		faults := s.Faults
		s = rounds.Schedule{}
		for _, f := range faults {
			for i := 0; i < 6 && f.Round <= never.Until && (i == 0 || f.Round >= never.From); i++ {
				again := f
				again.Round += i * period
				s.Faults = append(s.Faults, again)
			}
		}
	}
	run, err := machine.Run(ctx, s.Normal())
	if err != nil {
		return err
	}
	for from := never.From; from+period <= b.EOT; from += period {
		lacks := false
		for round := from; round < from+period; round++ {
			for _, args := range run.Facts("pre", round) {
				lacks = lacks || !run.Has("post", args, round)
			}
		}
		if !lacks {
			return fmt.Errorf("under %q nothing is missing from round %d on", s, from)
		}
	}
	return nil
}
