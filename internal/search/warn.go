package search

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Warn adds to an answer what its system says about an execution without faults, even when
// the time is up. A system that has nothing to say is not executed for that.
func (s *Session) Warn(ctx context.Context, a *result.Answer) {
	if s.System == nil || s.System.Warnings == nil {
		return
	}
	j := s.Target.Judge(s.Bounds.EOT, false)
	e, violations, err := j.Execute(context.WithoutCancel(ctx), s.With(rounds.Schedule{}))
	if e == nil || err != nil && !errors.As(err, new(*limits.UnjudgedError)) { // of which the search has told
		return
	}
	a.Warnings = append(a.Warnings, s.WarningsOf(e)...)
	if c := a.First(); c != nil && c.Size == 0 {
		a.Warnings = append(a.Warnings, s.MoreRounds(s.Bounds.EOT, &Aftermath{Left: c.Violations, Continued: c.Continued})...)
	}
	if a.Verdict == result.Inconclusive && a.Limit != nil {
		s.fewerRounds(a.Limit, e)
		if after, err := s.GoOn(ctx, e, violations); err == nil {
			if more, why := s.moreRounds(s.Bounds.EOT, after); more != "" {
				a.Limit.Advice = append(a.Limit.Advice, more+": "+why)
			}
		}
		if s.Bounds.Crashes == 0 && slices.Contains(s.Offers, OffersSignals) {
			a.Limit.Advice = append(a.Limit.Advice, "--crashes 1 --restarts 1: within these bounds no server crashes")
		}
	}
}

// enoughRounds are more than most programs need that end at all: who has not ended by then
// waits for something that does not come.
const enoughRounds = 1000

// MoreRounds advises more rounds, where something has not happened by the end of an
// execution of eot rounds without faults, such as the end of a client. The aftermath says
// what came of it when it went on.
func (d *Description) MoreRounds(eot int, after *Aftermath) []specs.Warning {
	more, why := d.moreRounds(eot, after)
	if more == "" {
		return nil
	}
	return []specs.Warning{{Position: specs.Position{File: d.Name}, Message: why + ": try " + more}}
}

// moreRounds returns the flag and the reason; "" if more rounds are of no use.
func (d *Description) moreRounds(eot int, after *Aftermath) (more, why string) {
	what, rounds, enough := byEnd(after.Left), eot, 0
	switch c := after.Continued; {
	case after.Late != nil:
		what, enough = after.Awaited, after.Late.Rounds
	case c != nil && c.Rounds < enoughRounds:
		rounds, enough = c.Rounds, max(2*c.Rounds, enoughRounds/2)
	}
	if len(what) == 0 || enough <= eot || !slices.Contains(d.Offers, OffersSignals) {
		return "", ""
	}
	return fmt.Sprintf("--eot %d", enough), text.Safe(fmt.Sprintf("%s in %s, though nothing failed", what[0].Text, text.Plural(rounds, "round")))
}

// WarningsOf returns what the system says about an execution of it.
func (d *Description) WarningsOf(e *recording.Execution) (all []specs.Warning) {
	for _, message := range e.Warnings {
		all = append(all, specs.Warning{Position: specs.Position{File: d.Name}, Message: text.Safe(message)})
	}
	return all
}

// The flags in the advice of an answer.
var (
	strategyFlags = regexp.MustCompile(`--strategy (\w+) --executions (\d+)`)
	crashesFlags  = regexp.MustCompile(`--crashes (\d+) --restarts (\d+)`)
	roundsFlag    = regexp.MustCompile(`--eot (\d+)`)
)

// Advice returns a text in the words of somebody who has no flags: in them stand $1 and $2
// for a strategy and the executions, crashes and restarts, and the rounds.
func Advice(text, strategy, crashes, rounds string) string {
	text = strategyFlags.ReplaceAllString(text, strategy)
	return roundsFlag.ReplaceAllString(crashesFlags.ReplaceAllString(text, crashes), rounds)
}

// fewerRounds advises to search fewer rounds, where those who do not crash, which are
// clients, report nothing in most of them: faults behind their end strike nobody who asks.
// There remain as many rounds for faults to make them slower.
func (s *Session) fewerRounds(l *result.Limit, e *recording.Execution) {
	last, who := 0, ""
	for _, f := range e.Facts {
		if len(f.Args) > 0 && slices.Contains(s.Bounds.NeverCrash, f.Args[0].Text()) && f.Round > last {
			last, who = f.Round, f.Args[0].Text()
		}
	}
	if enough := max(2*last, 50); last > 0 && 3*enough/2 <= s.Bounds.EOT {
		l.Advice = append(l.Advice, fmt.Sprintf("--eot %d: without faults %s has nothing to say after round %d of %d", enough, who, last, s.Bounds.EOT))
	}
}
