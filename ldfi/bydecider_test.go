package ldfi_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/stretchr/testify/require"
)

// cadical returns a SAT solver that is a program of its own, if it is installed.
func cadical(t *testing.T) *solver.Program {
	t.Helper()
	if _, err := exec.LookPath("cadical"); err != nil {
		t.Skip("cadical is not installed (Debian: apt-get install cadical)")
	}
	by, err := solver.NewProgram("cadical -q")
	require.NoError(t, err)
	return by
}

// faultSets are the faults of the counterexamples of an answer.
func faultSets(a *result.Answer) (sets []string) {
	for _, c := range a.Counterexamples {
		sets = append(sets, c.Schedule.String())
	}
	return sets
}

// longProof is the size of proofs that take seconds to check.
const longProof = 20_000

// Another SAT solver comes to the same fault sets in the same order, and proves each
// certificate: what it proves to be unsatisfiable is what Export writes.
func TestExpectedByCadical(t *testing.T) {
	by := cadical(t)
	all, err := oracle.ReadExpected(filepath.Join("..", "testdata", "protocols", "expected.txt"))
	require.NoError(t, err)
	whole := flag.Lookup("long").Value.String() != "0"
	one := 40 // in so many
	if flag.Lookup("all").Value.String() == "true" {
		one = 20
	}
	proofs := 0
	for i, e := range all {
		if i%one != 0 && !whole {
			continue
		}
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			certificate, err := by.Certify(filepath.Join(t.TempDir(), "out.drat"))
			require.NoError(t, err)
			defer certificate.Close()
			o := ldfi.Options{Goals: goals, Max: 3}
			gini, err := model(t, p, b, o).Check(t.Context())
			require.NoError(t, err)
			o.Decider, o.Certifier = by, certificate
			m := model(t, p, b, o)
			a, err := m.Check(t.Context())
			require.NoError(t, err)
			require.Equal(t, gini.Verdict, a.Verdict)
			require.Equal(t, gini.Complete, a.Complete)
			require.Equal(t, gini.Vacuity, a.Vacuity)
			require.Equal(t, faultSets(gini), faultSets(a))
			if a.Verdict != result.Holds {
				return
			}
			require.NoError(t, certificate.Keep())
			formula, err := os.ReadFile(certificate.Formula)
			require.NoError(t, err)
			proof, err := os.ReadFile(certificate.Proof)
			require.NoError(t, err)
			if whole || len(proof) < longProof {
				proofs++
				require.NoError(t, oracle.CheckProof(formula, proof))
			}
			var exported bytes.Buffer
			require.NoError(t, m.Export(t.Context(), &exported, nil, nil))
			require.Equal(t, exported.String(), string(formula))
		})
	}
	require.GreaterOrEqual(t, proofs, 3)
}

// saying gives one answer to everything.
type saying struct {
	status solver.Status
	model  solver.Model
	err    error
}

func (s saying) Decide(context.Context, *solver.Formula) (solver.Status, solver.Model, error) {
	return s.status, s.model, s.err
}

// An error of whoever decides is no verdict, a model that is none is an error, and that it
// gives up is a limit.
func TestDecidersErrors(t *testing.T) {
	e := oracle.Expected{}
	all, err := oracle.ReadExpected(filepath.Join("..", "testdata", "protocols", "expected.txt"))
	require.NoError(t, err)
	for _, e = range all {
		if !e.Violated {
			break
		}
	}
	p, b, goals, err := e.Load()
	require.NoError(t, err)
	crashed := errors.New("it crashed")
	_, err = model(t, p, b, ldfi.Options{Goals: goals, Decider: saying{err: crashed}}).Check(t.Context())
	require.ErrorIs(t, err, crashed)
	_, err = model(t, p, b, ldfi.Options{Goals: goals, Decider: saying{status: solver.Sat}}).Check(t.Context())
	require.ErrorContains(t, err, "by a model that does not")
	a, err := model(t, p, b, ldfi.Options{Goals: goals, Decider: saying{err: &solver.GaveUpError{}}}).Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.Equal(t, result.LimitSolver, a.Limit.Kind)
	require.Contains(t, a.Limit.Advice, "more time for the SAT solver, or another one (--solver)")
}

// So does it for questions about any fact, and for fault sets under assumptions by what
// they cost.
func TestQuestionsByCadical(t *testing.T) {
	by := cadical(t)
	possible, impossible := 0, 0
	all := flag.Lookup("all").Value.String() == "true" || flag.Lookup("long").Value.String() != "0"
	for n, c := range oracle.Quick(t) {
		if n%4 > 1 && !all {
			continue
		}
		o := ldfi.Options{Goals: c.Goals, Max: 2}
		asked := o
		asked.Decider = by
		for i, fact := range spread(possibleFacts(t, c), 4) {
			if (i+n)%4 != 0 && flag.Lookup("long").Value.String() == "0" {
				continue
			}
			wanted := result.Wanted{Fact: fact, Absent: n%2 == 0, Forbid: []string{"crash *"}}
			want, err := model(t, c.Program, c.Bounds, o).WhatIf(t.Context(), wanted)
			require.NoError(t, err)
			got, err := model(t, c.Program, c.Bounds, asked).WhatIf(t.Context(), wanted)
			require.NoError(t, err)
			require.Equal(t, want.Answer, got.Answer, "%s: %v", c.Name, wanted)
			require.Equal(t, want.Complete, got.Complete, "%s: %v", c.Name, wanted)
			require.Equal(t, want.Conflict, got.Conflict, "%s: %v", c.Name, wanted)
			require.Equal(t, faultSets(&result.Answer{Counterexamples: want.Sets}), faultSets(&result.Answer{Counterexamples: got.Sets}), "%s: %v", c.Name, wanted)
			switch got.Answer {
			case result.Possible:
				possible++
			case result.Impossible:
				impossible++
			}
		}
	}
	require.Greater(t, possible, 5)
	require.Greater(t, impossible, 1)

	p, b := parse(t, retry)
	b.Isolations, b.Omissions = 3, 6
	o := ldfi.Options{Max: 8, Cost: map[rounds.Kind]int{rounds.Crash: 3, rounds.Isolate: 2}, Fold: "cause"}
	want, err := model(t, p, b, o).Hypotheses(t.Context(), nil, []string{"crash b"})
	require.NoError(t, err)
	o.Decider = by
	got, err := model(t, p, b, o).Hypotheses(t.Context(), nil, []string{"crash b"})
	require.NoError(t, err)
	require.Equal(t, faultSets(want), faultSets(got))
	require.Equal(t, want.Groups, got.Groups)
}
