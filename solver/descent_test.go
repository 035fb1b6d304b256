package solver

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
	"github.com/stretchr/testify/require"
)

// freshGini decides each formula by reading what is written of it.
type freshGini struct{}

func (freshGini) Decide(_ context.Context, f *Formula) (Status, Model, error) {
	var text bytes.Buffer
	if err := f.WriteDIMACS(&text); err != nil {
		return Unknown, nil, err
	}
	g, err := gini.NewDimacs(&text)
	if err != nil {
		return Unknown, nil, err
	}
	if g.Solve() != 1 {
		return Unsat, nil, nil
	}
	m := make(Model, f.Variables())
	for v := range m {
		m[v] = -1
		if z.Var(v+1) <= g.MaxVar() && g.Value(z.Var(v+1).Pos()) {
			m[v] = 1
		}
	}
	return Sat, m, nil
}

// lister is a Search or a Descent.
type lister interface {
	Next(context.Context) (Found, bool, error)
}

func TestDescentListsWhatASearchLists(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		c, all := randomCircuit(rng, 6, 10+rng.IntN(60))
		goal, one, two := pickKnown(rng, all), pickKnown(rng, all), pickKnown(rng, all)
		if goal.lit <= True || one.lit <= True || two.lit <= True {
			continue // gini reads no empty clauses
		}
		want := minimalSets(trueIn(goal.table&one.table&two.table), 6)
		s := NewDescent(c, freshGini{}, goal.lit, []Lit{one.lit, two.lit}, c.inputs)
		if len(want) > 0 && seed%3 == 0 {
			s.Suggest(want[len(want)-1])
		}
		require.Equal(t, want, drain(t, s), "seed %d", seed)
	}
}

// Where there are many units, halving asks few questions.
func TestDescentAsksFewQuestions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 32))
	c, goal, units := supports(rng, 200, 8, 20)
	s := NewDescent(c, freshGini{}, goal, nil, units)
	first, ok, err := s.Next(ctx)
	require.NoError(t, err)
	require.True(t, ok && first.Minimal)
	byGini, _, err := NewSearch(c, goal, nil, units).Next(ctx)
	require.NoError(t, err)
	require.Equal(t, byGini, first)
	require.Less(t, s.Calls(), 60)
}

// answering gives one answer to everything.
type answering struct {
	status Status
	model  Model
	err    error
}

func (a answering) Decide(context.Context, *Formula) (Status, Model, error) {
	return a.status, a.model, a.err
}

func TestDecideChecksModels(t *testing.T) {
	c := NewCircuit(0)
	a, b := c.Input(), c.Input()
	f := c.Formula(c.And(a, b).Not(), a) // variables 1 and 2, and 3 for the gate
	for name, wrong := range map[string]struct {
		model Model
		says  string
	}{
		"an input":         {Model{-1, -1, -1}, "clause 1 does not hold"},
		"both":             {Model{1, 1, 1}, "clause -3 does not hold"},
		"a gate":           {Model{1, -1, 1}, "variable 3 is true there, and by its clauses false"},
		"nothing is said":  {nil, "clause 1 does not hold"},
		"the empty clause": {Model{1, -1, -1}, ""},
	} {
		_, _, err := Decide(ctx, answering{Sat, wrong.model, nil}, f)
		if wrong.says == "" {
			require.NoError(t, err, name)
			_, _, err = Decide(ctx, answering{Sat, wrong.model, nil}, c.Formula(False))
			require.ErrorContains(t, err, "the formula has the empty clause")
			continue
		}
		require.ErrorContains(t, err, wrong.says, name)
	}
	status, inputs, err := Decide(ctx, answering{Sat, Model{1, -1}, nil}, f)
	require.NoError(t, err)
	require.Equal(t, Sat, status)
	require.Equal(t, []bool{true, false}, inputs)
}

// An error ends a search, and is not taken for an answer; the end of a context is when
// a set is known.
func TestDescentPassesErrorsOn(t *testing.T) {
	c := NewCircuit(0)
	a, b := c.Input(), c.Input()
	crashed := errors.New("it crashed")
	s := NewDescent(c, answering{Unknown, nil, crashed}, c.And(a, b), nil, c.inputs)
	_, _, err := s.Next(ctx)
	require.ErrorIs(t, err, crashed)
	s.Suggest([]int{0, 1})
	_, _, err = s.Next(ctx)
	require.ErrorIs(t, err, crashed)
	over, cancel := context.WithCancel(ctx)
	cancel()
	found, ok, err := s.Next(over)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, Found{Units: []int{0, 1}}, found)
}

// A solver by a decider answers as by gini, and all assumptions are its core.
func TestSolverByDecider(t *testing.T) {
	c := NewCircuit(0)
	a, b, d := c.Input(), c.Input(), c.Input()
	s := NewSolver(c)
	s.By(freshGini{})
	s.AssertAny(a, b)
	status, err := s.Solve(ctx, a.Not())
	require.NoError(t, err)
	require.Equal(t, Sat, status)
	require.True(t, s.Value(b) && !s.Value(a))
	core, status, err := s.MinimalCore(ctx, d, a.Not(), b.Not())
	require.NoError(t, err)
	require.Equal(t, Unsat, status)
	require.Equal(t, []Lit{a.Not(), b.Not()}, core)
}
