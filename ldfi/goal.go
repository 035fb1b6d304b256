package ldfi

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// goal is one way to break the promise, and the condition under which a
// schedule does.
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
	if w.prePost {
		for _, pre := range g.Facts(preRelation, w.eot) {
			if args := pre.Args(); w.asksFor(args) {
				post := conditionOf(g.Find(postRelation, args, w.eot))
				add(missingPost(args, w.eot), c.And(pre.Cond(), post.Not()))
			}
		}
	}
	if w.good {
		for _, args := range w.expected {
			fact := recording.Fact{Relation: goodRelation, Args: args, Round: w.eot}
			add(result.Violation{Fact: fact, Missing: true}, conditionOf(g.Find(goodRelation, args, w.eot)).Not())
		}
	}
	if w.violation {
		for round := 1; round <= w.eot; round++ {
			for _, f := range g.Facts(violationRelation, round) {
				add(result.Violation{Fact: f.Ground()}, f.Cond())
			}
		}
	}
	return all
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
