package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// InOrder finds the smallest fault sets within the bounds, at most Options.Max of them, under which facts hold one
// after the other: each in a later round than the one before. The facts are written as for
// [Model.WhatIf]; the last one is the target. Each set is executed and confirmed. That the answer is Impossible
// is a certificate for the bounds.
func (m *Model) InOrder(ctx context.Context, facts ...string) (*result.WhatIf, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	if len(facts) == 0 {
		return nil, fmt.Errorf("no fact is to be reached: name at least one")
	}
	last := len(facts) - 1
	w, err := wantedOf(m.program, m.bounds, facts[last], false)
	if err != nil {
		return nil, err
	}
	for _, text := range facts[:last] {
		q, err := dedalus.ParseQuery(text)
		if err != nil {
			return nil, err
		}
		if err := possible(&q, m.program, m.bounds); err != nil {
			return nil, fmt.Errorf("fact %q: %w", text, err)
		}
		w.through = append(w.through, q)
	}
	return m.whatIf(ctx, w, result.Wanted{})
}

// relations returns the relations that are looked at.
func (w *wanted) relations() []string {
	names := []string{w.fact.Relation}
	for _, q := range w.through {
		if !slices.Contains(names, q.Relation) {
			names = append(names, q.Relation)
		}
	}
	return names
}

// earliest returns the first round in which the wanted fact counts: it comes after all facts on the way to it. It is after the
// last round if one of these is not reached.
func (w *wanted) earliest(o outcome) int {
	round := 0
	for _, q := range w.through {
		for round++; round <= w.last && !w.has(o, &q, round); round++ {
		}
	}
	return max(w.first, round+1)
}

// has tells whether a fact that is asked for holds in a round.
func (w *wanted) has(o outcome, q *syntax.Query, round int) bool {
	if q.Round != 0 && q.Round != round {
		return false
	}
	for _, args := range o.Facts(q.Relation, round) {
		if matches(q, w.program, args) {
			return true
		}
	}
	return false
}

// passed returns by round, from 0 on, the condition under which all facts on the way have held by then, in order.
func (w *wanted) passed(g *provenance.Graph) []solver.Lit {
	before := slices.Repeat([]solver.Lit{solver.True}, w.last+1)
	for _, q := range w.through {
		before = follows(g.Circuit, before, w.conditions(g, &q))
	}
	return before
}

// conditions returns by round, from 0 on, the condition under which a fact holds in that very round.
func (w *wanted) conditions(g *provenance.Graph, q *syntax.Query) []solver.Lit {
	holds := make([]solver.Lit, w.last+1)
	for round := 1; round <= w.last; round++ {
		var any []solver.Lit
		for _, f := range g.Facts(q.Relation, round) {
			if (q.Round == 0 || q.Round == round) && matches(q, w.program, f.Args()) {
				any = append(any, f.Cond())
			}
		}
		holds[round] = g.Circuit.Ors(any...)
	}
	return holds
}

// follows returns by round the condition under which something has held by then, in a later round than that by which
// what comes before it has.
func follows(c *solver.Circuit, before, holds []solver.Lit) []solver.Lit {
	by := make([]solver.Lit, len(holds)) // nothing holds in round 0
	for round := 1; round < len(holds); round++ {
		by[round] = c.Or(by[round-1], c.And(before[round-1], holds[round]))
	}
	return by
}
