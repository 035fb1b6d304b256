package search

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
)

// Warn adds to an answer what its system says about an execution without faults, even when
// the time is up. A system that has nothing to say is not executed for that.
func (s *Session) Warn(ctx context.Context, a *result.Answer) {
	if s.System == nil || s.System.Warnings == nil {
		return
	}
	r := s.System.NewRunner()
	r.Options = system.RunOptions{Rounds: s.Bounds.EOT, Record: true, FactsOnly: true}
	err := r.Run(context.WithoutCancel(ctx), s.With(rounds.Schedule{}))
	if err != nil && !Panics(err) { // of which the search has told
		return
	}
	e := r.Execution()
	a.Warnings = append(a.Warnings, s.WarningsOf(e)...)
	if a.Verdict == result.Inconclusive && a.Limit != nil {
		s.fewerRounds(a.Limit, e)
		if s.Bounds.Crashes == 0 && slices.Contains(s.Offers, OffersSignals) {
			a.Limit.Advice = append(a.Limit.Advice, "--crashes 1 --restarts 1: within these bounds no server crashes")
		}
	}
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

// Advice returns the advice of an answer in the words of somebody who has no flags: in them
// stand $1 and $2 for a strategy and the executions, crashes and restarts, and the rounds.
func Advice(l *result.Limit, strategy, crashes, rounds string) string {
	text := strategyFlags.ReplaceAllString(strings.Join(l.Advice, "; or "), strategy)
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
