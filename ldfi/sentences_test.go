package ldfi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// TestSentencesAreTrue looks whether the sentences of proofs are true in each round of random executions of
// thirty rounds, as far as they are about facts that only rules of the round before give, and about no clock.
func TestSentencesAreTrue(t *testing.T) {
	asked := 0
	for _, c := range oracle.Protocols(t) {
		if !slices.Contains(quickForAnyRounds, c.Name) {
			continue
		}
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
		require.NoError(t, err)
		a, err := m.AnyRounds(t.Context())
		require.NoError(t, err)
		if a.Verdict == result.Holds {
			n, err := sentencesAreTrue(t.Context(), c, a)
			require.NoError(t, err, c.Name)
			asked += n
		}
	}
	t.Log(asked, "clauses")
	require.Greater(t, asked, 30)
}

// sentencesAreTrue returns how many clauses were asked.
func sentencesAreTrue(ctx context.Context, c oracle.Case, a *result.Answer) (asked int, err error) {
	c.Bounds = c.Bounds.Lasting(30)
	if c.Bounds, err = c.Bounds.Knowing(c.Program); err != nil {
		return 0, err
	}
	machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
	if err != nil {
		return 0, err
	}
	var clauses [][]string
	for _, s := range a.Rounds.Sentences {
		for _, clause := range s.Clauses {
			if !slices.ContainsFunc(clause, func(l string) bool { return !carriedOnly(c, a, l) }) {
				clauses = append(clauses, clause)
			}
		}
	}
	for _, s := range c.Schedules(50) {
		e, err := machine.Execute(ctx, s)
		if err != nil {
			return 0, err
		}
		facts := make([]map[string]bool, c.Bounds.EOT+1)
		for i := range facts {
			facts[i] = map[string]bool{}
		}
		for _, f := range e.Facts {
			text := f.String()
			facts[f.Round][text[:strings.LastIndex(text, "@")]] = true
		}
		for round := a.Rounds.Until + 1; round <= c.Bounds.EOT; round++ {
			for _, clause := range clauses {
				if !slices.ContainsFunc(clause, func(l string) bool {
					fact, negated := strings.CutPrefix(l, "not ")
					return facts[round][fact] != negated
				}) {
					return 0, fmt.Errorf("under %q %v is false in round %d", s, clause, round)
				}
			}
		}
	}
	return len(clauses), nil
}

// carriedOnly tells whether a literal is a fact of a relation that only rules of other rounds give, and without
// a clock.
func carriedOnly(c oracle.Case, a *result.Answer, literal string) bool {
	name, _, isFact := strings.Cut(strings.TrimPrefix(literal, "not "), "(")
	if !isFact || strings.Contains(name, " ") {
		return false
	}
	for _, clock := range a.Rounds.Clocks {
		if clock.Relation == name {
			return false
		}
	}
	if slices.ContainsFunc(c.Program.Choices, func(choice *syntax.Choose) bool { return choice.Relation == name }) {
		return false
	}
	given := false
	for _, r := range c.Program.Rules {
		if r.Head.Relation == name {
			if given = true; r.Kind == syntax.Deductive {
				return false
			}
		}
	}
	return given
}
