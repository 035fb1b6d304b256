package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// goal is one way to break the promise, and the condition under which a schedule does.
type goal struct {
	violation result.Violation
	broken    solver.Lit
}

// goals returns every way to break the promise that is possible at all, in the
// order of promise.judge.
func (w *promise) goals(g *provenance.Graph) []goal {
	var all []goal
	add := func(v result.Violation, broken solver.Lit) {
		if broken != solver.False {
			all = append(all, goal{v, broken})
		}
	}
	c := g.Circuit
	if w.wanted != nil {
		w.wanted.goals(g, add)
	}
	if w.prePost {
		asks := w.asks(g)
		for _, pre := range g.Facts(preRelation, w.eot) {
			args := pre.Args()
			post := conditionOf(g.Find(postRelation, args, w.eot))
			add(missingPost(args, w.eot), c.And(asks(args), c.And(pre.Cond(), post.Not())))
		}
	}
	if w.good {
		w.missingGoods(g, add)
	}
	if w.violation {
		for round := 1; round <= w.eot; round++ {
			for _, f := range g.Facts(violationRelation, round) {
				add(result.Violation{Fact: f.Ground()}, f.Cond())
			}
			if some, whole := g.Whole(violationRelation, round); whole {
				add(result.Violation{Fact: recording.Fact{Relation: violationRelation, Round: round}}, some)
			}
		}
	}
	return all
}

// asks returns, by arguments, the condition under which pre(args) requires post(args).
func (w *promise) asks(g *provenance.Graph) func(args []specs.Value) solver.Lit {
	if !w.witnessed {
		return func([]specs.Value) solver.Lit { return solver.True }
	}
	facts, expected := w.expects(g, postRelation)
	return func(args []specs.Value) solver.Lit {
		if facts == nil && w.asksFor(args, w.expected) {
			return solver.True
		}
		for i, f := range facts {
			if slices.Equal(f.Args(), args) {
				return expected[i]
			}
		}
		return solver.False
	}
}

// missingGoods adds the ways in which a good is missing that is expected.
func (w *promise) missingGoods(g *provenance.Graph, add func(result.Violation, solver.Lit)) {
	facts, expected := w.expects(g, goodRelation)
	for i, f := range facts {
		add(result.Violation{Fact: f.Ground(), Missing: true}, g.Circuit.And(expected[i], f.Cond().Not()))
	}
	if facts != nil {
		return
	}
	for _, args := range w.expected {
		fact := recording.Fact{Relation: goodRelation, Args: args, Round: w.eot}
		add(result.Violation{Fact: fact, Missing: true}, conditionOf(g.Find(goodRelation, args, w.eot)).Not())
	}
}

func conditionOf(f *provenance.Fact) solver.Lit {
	if f == nil {
		return solver.False
	}
	return f.Cond()
}

// brokenOf returns the conditions under which each goal is broken.
func brokenOf(goals []goal) []solver.Lit {
	lits := make([]solver.Lit, len(goals))
	for i, g := range goals {
		lits[i] = g.broken
	}
	return lits
}
