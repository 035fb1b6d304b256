package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// believeAnswer compares the answer to a search with the request. ended tells that the
// search was asked to end. The method confirm checks the counterexamples.
func (s *System) believeAnswer(a *result.Answer, o *search.Options, ended bool) error {
	if err := messages.CheckAnswer(a, s.Name); err != nil {
		return err
	}
	if err := sameBounds("its scope", a.Scope.Bounds, o.Bounds); err != nil {
		return err
	}
	scope := result.ScopeOf(o.Bounds.Normal())
	if n := a.Scope.Scenarios; n == nil || n.Cmp(scope.Scenarios) != 0 {
		return fmt.Errorf("its scope has %v schedules, and the bounds have %v", n, scope.Scenarios)
	}
	a.Scope = scope
	// What only programs have.
	a.Decided, a.Horizons, a.Conflict = 0, nil, nil
	a.Stats.Facts, a.Stats.Gates, a.Stats.SolverCalls = 0, 0, 0
	for _, check := range []func() error{
		func() error { return believeVerdict(a) },
		func() error { return s.believeSearch(a, o) },
		func() error { return believeLimit(a, o, ended) },
		func() error { return s.believeCertificate(a.Search.Certificate, o) },
		func() error { return s.believeCounterexamples(a, o) },
		func() error { return believeLate(a, o) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	a.Search.Past = nil // ldfi itself skips known violations
	a.Search.ByHost, a.Search.Inexact = true, cmp.Or(s.Inexact, a.Search.Inexact)
	return nil
}

func sameBounds(whose string, got, asked rounds.Bounds) error {
	got, asked = got.Normal(), asked.Normal()
	if !reflect.DeepEqual(got, asked) {
		return fmt.Errorf("%s is %s (processes %q), and what was asked about is %s (processes %q)", whose, got, got.Processes, asked, asked.Processes)
	}
	return nil
}

// believeVerdict reports parts of an answer that its verdict does not have.
func believeVerdict(a *result.Answer) error {
	switch holds, violated := a.Verdict == result.Holds, a.Verdict == result.Violated; {
	case !violated && len(a.Counterexamples) > 0:
		return fmt.Errorf("a verdict %s has a counterexample", a.Verdict)
	case !violated && a.Search.Found.String() != "":
		return fmt.Errorf("a verdict %s has a schedule that was found", a.Verdict)
	case !holds && a.Search.Certificate != nil:
		return fmt.Errorf("a verdict %s has a certificate", a.Verdict)
	case (holds || violated) && (a.Search.Drawn != 0 || a.Search.Enough != nil):
		return fmt.Errorf("a verdict %s says what finding nothing means", a.Verdict)
	case a.Search.Drawn < 0 || a.Search.Drawn >= 1 || a.Search.Enough != nil && a.Search.Enough.Sign() < 1:
		return fmt.Errorf("each schedule was drawn with probability %g, and %v executions are enough, which cannot be", a.Search.Drawn, a.Search.Enough)
	case holds != a.Complete:
		return fmt.Errorf("a verdict %s has complete = %v", a.Verdict, a.Complete)
	default:
		return nil
	}
}

// believeSearch compares how the host searched with how it was to.
func (s *System) believeSearch(a *result.Answer, o *search.Options) error {
	most := o.Budget()
	switch by := a.Search; {
	case o.Strategy != "" && by.Strategy != o.Strategy:
		return fmt.Errorf("it searched by %q, and not by %q", by.Strategy, o.Strategy)
	case !slices.Contains(s.remote.strategies, by.Strategy):
		return fmt.Errorf("it searched by %q, which is none of its strategies", by.Strategy)
	case by.Seed != o.Seed:
		return fmt.Errorf("it searched with the seed %d, and not %d", by.Seed, o.Seed)
	case by.Executions < 0 || by.Executions > most:
		return fmt.Errorf("it searched with %d executions, and not at most %d", by.Executions, most)
	case by.States < 0:
		return fmt.Errorf("it met %d states", by.States)
	case by.Continued < 0:
		return fmt.Errorf("it made %d executions to go on", by.Continued)
	case by.Further < 0 || by.Further > by.Executions || by.Below < 0:
		return fmt.Errorf("it made %d executions in search of fewer than %d faults, after %d", by.Further, by.Below, by.Executions)
	case by.Untried < 0:
		return fmt.Errorf("it left %d starts untried", by.Untried)
	case (by.Statistics != nil) != o.Statistics:
		return fmt.Errorf("it has statistics: %v, and was asked for some: %v", by.Statistics != nil, o.Statistics)
	case by.Statistics != nil && by.Statistics.Executions > by.Executions:
		return fmt.Errorf("it has statistics of %d executions, and made %d", by.Statistics.Executions, by.Executions)
	case a.Stats.Executions < by.Executions+by.Continued+by.Further:
		return fmt.Errorf("it made %d executions altogether, %d of them to search, %d to go on and %d in search of fewer faults", a.Stats.Executions, by.Executions, by.Continued, by.Further)
	default:
		return nil
	}
}

// believeProgress returns the function that receives the progress of a search. A host with
// impossible counts is given up.
func (s *System) believeProgress(o *search.Options) func(result.Progress) {
	return func(p result.Progress) {
		switch most := o.Budget(); {
		case p.Executions < 0 || p.Executions > most || p.States < 0:
			s.remote.fail(fmt.Errorf("the host says that it has made %d of %d executions, and met %d states", p.Executions, most, p.States))
		case o.Progress != nil:
			o.Progress(p)
		}
	}
}

// believeLimit reports a limit that cannot have ended the search.
func believeLimit(a *result.Answer, o *search.Options, ended bool) error {
	if a.Limit == nil {
		return nil
	}
	switch kind := a.Limit.Kind; {
	case a.Verdict == result.Holds:
		return errors.New("a verdict holds has a limit")
	case a.Limit.Reason == "":
		return errors.New("its limit lacks the reason")
	case kind == result.LimitTimeout || kind == result.LimitInterrupted:
		if !ended {
			return fmt.Errorf("it was ended by its limit %q, and nobody asked for that", kind)
		}
	case kind == result.LimitExecutions && a.Verdict == result.Inconclusive && a.Search.Executions < o.Budget():
		return fmt.Errorf("it used up its executions, and made %d of %d", a.Search.Executions, o.Budget())
	case !slices.Contains([]string{result.LimitFacts, result.LimitGates, result.LimitSize, result.LimitExecutions, result.LimitHypotheses, limits.Judgement, limits.Inexact}, kind):
		return fmt.Errorf("there is no limit %q", kind)
	}
	return nil
}

// sayWhy says why a search was ended: the host only knows that it was.
func sayWhy(ctx context.Context, a *result.Answer) {
	if l := a.Limit; l != nil && l.Kind == result.LimitInterrupted {
		why := result.Ended(ctx)
		l.Kind, l.Reason = why.Kind, strings.Replace(l.Reason, result.LimitInterrupted, why.Reason, 1)
	}
}

// believeCertificate compares the range of a certificate with the request.
func (s *System) believeCertificate(c *result.Certificate, o *search.Options) error {
	if c == nil {
		return nil
	}
	if s.Inexact != "" {
		return fmt.Errorf("it has a certificate, and executions of one schedule may differ, because %s", s.Inexact)
	}
	if err := sameBounds("what its certificate covers", c.Bounds, o.Bounds); err != nil {
		return err
	}
	all := schedules.Count(o.Bounds)
	switch {
	case c.Schedules == nil || c.Schedules.Cmp(all) != 0:
		return fmt.Errorf("its certificate covers %v schedules, and the bounds have %v", c.Schedules, all)
	case !fills(c.Settings, o.Settings) || c.Settings.Reliable != "":
		return fmt.Errorf("its certificate is one with %q, and not with %q", c.Settings, o.Settings)
	case c.States < 0 || c.Transitions < 0 || c.Executions < 0:
		return errors.New("its certificate counts less than nothing")
	default:
		return nil
	}
}

// believeLate reports executions that cannot have been late.
func believeLate(a *result.Answer, o *search.Options) error {
	late := a.Search.Late
	if c := a.Search.Certificate; c != nil && !reflect.DeepEqual(c.Late, late) {
		return errors.New("its certificate and its search differ in what was late")
	}
	switch {
	case late == nil:
		return nil
	case late.Schedules < 1 || late.Schedules > a.Search.Executions || late.Reseeded < 0 || late.Broken < 0 || late.Reseeded+late.Broken > late.Schedules:
		return fmt.Errorf("it says that %d schedules were late, %d of them with another seed, and %d violated later, of %d", late.Schedules, late.Reseeded, late.Broken, a.Search.Executions)
	case late.Rounds < o.Bounds.EOT || late.Rounds > search.MostRounds(o.Bounds.EOT):
		return fmt.Errorf("it says that schedules were late by round %d, and there are %d rounds", late.Rounds, o.Bounds.EOT)
	}
	return believeSchedule(late.Slowest, o)
}

// fills tells whether settings are those asked for, with draws in place of missing ones.
func fills(s, asked rounds.Settings) bool {
	return (rounds.Schedule{Settings: s}).With(asked).Settings == s
}

// believeCounterexamples compares the schedules with the bounds.
func (s *System) believeCounterexamples(a *result.Answer, o *search.Options) error {
	if a.Verdict != result.Violated {
		return nil
	}
	if err := believeSchedule(a.Search.Found, o); err != nil {
		return fmt.Errorf("the schedule that was found: %w", err)
	}
	for i := range a.Counterexamples {
		c := &a.Counterexamples[i]
		if err := believeSchedule(c.Schedule, o); err != nil {
			return err
		}
		if c.Size != c.Schedule.Size() {
			return fmt.Errorf("the size of %q is %d, and not %d", c.Schedule, c.Schedule.Size(), c.Size)
		}
		if err := believeMinimal(c); err != nil {
			return err
		}
		if err := s.believeRepeats(c); err != nil {
			return err
		}
		c.Confirmed, c.Because, c.Senders, c.Unneeded = false, nil, nil, rounds.Schedule{}
	}
	return nil
}

// believeMinimal reports words about how small a counterexample is that say nothing.
func believeMinimal(c *result.Counterexample) error {
	fixed := c.Size > 0 && search.Drawn(c.Schedule.Settings)
	switch {
	case !c.Minimal && c.Among != "":
		return fmt.Errorf("the schedule %q is not minimal, among %q", c.Schedule, c.Among)
	case c.Minimal && c.Among != result.AmongSettings && (c.Among != result.AmongBounds || fixed):
		return fmt.Errorf("the schedule %q is not minimal among %q", c.Schedule, c.Among)
	default:
		return nil
	}
}

// believeRepeats reports impossible claims about a counterexample whose executions may
// differ. ldfi counts itself how often it breaks.
func (s *System) believeRepeats(c *result.Counterexample) error {
	switch n := c.Repeats; {
	case s.Inexact != "" && (c.Minimal || c.Irreducible):
		return fmt.Errorf("it says of the schedule %q how small it is, and executions of one schedule may differ, because %s", c.Schedule, s.Inexact)
	case n != nil && (n.Needed < 0 || n.Needed > result.RepeatedExecutions):
		return fmt.Errorf("a smaller schedule than %q had to break in %d executions, of %d", c.Schedule, n.Needed, result.RepeatedExecutions)
	}
	return nil
}

// believeSchedule reports a schedule that the search cannot have found.
func believeSchedule(s rounds.Schedule, o *search.Options) error {
	if err := schedules.WithinSystem(s, o.Bounds); err != nil {
		return fmt.Errorf("the schedule %q lies outside the bounds: %w", s, cmp.Or(errors.Unwrap(err), err))
	}
	if !fills(s.Settings, o.Settings) {
		return fmt.Errorf("the schedule %q does not have the settings %q", s, o.Settings)
	}
	return nil
}
