package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Support returns the part of the program that the good outcome under the schedule s
// rests on: the rules that fire in some derivation of the outcome, and the stated facts
// that it uses. The outcome is every pre of the last round whose post holds, with that
// post, or every good. For a promise that forbids violations, it is every fact that the
// promise depends on. The schedule may have more faults than the bounds allow. Limits
// and a cancelled context are errors here.
func (m *Model) Support(ctx context.Context, s rounds.Schedule) (*dedalus.Program, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	if err := s.Check(m.bounds); err != nil {
		return nil, err
	}
	promised, err := m.promised()
	if err != nil {
		return nil, err
	}
	alone := *m
	alone.bounds.Crashes, alone.bounds.Omissions, alone.bounds.Isolations = 0, 0, 0
	alone.bounds.Partitions, alone.bounds.Cuts = 0, 0
	world, g, err := alone.world(ctx, s, promised.relations()...)
	if err != nil {
		return nil, err
	}
	w := &supportWalk{world: world, seen: map[*provenance.Fact]bool{}, rules: map[*syntax.Rule]bool{}}
	for _, f := range promised.supported(g) {
		w.fact(f)
	}
	return w.support(g), nil
}

// Promised returns the part of the program p that its promise depends on.
func Promised(p *dedalus.Program) (*dedalus.Program, error) {
	w, err := promiseOf(p, every, 1)
	if err != nil {
		return nil, err
	}
	return p.Slice(w.relations()...), nil
}

// supported returns the facts of an execution, among the possible ones, that the promise
// rests on.
func (w *promise) supported(g *provenance.Graph) []*provenance.Fact {
	var facts []*provenance.Fact
	if w.prePost {
		for _, pre := range g.Facts(preRelation, w.eot) {
			facts = append(facts, pre)
			if post := g.Find(postRelation, pre.Args(), w.eot); post != nil {
				facts = append(facts, post)
			}
		}
	}
	if w.good {
		facts = append(facts, g.Facts(goodRelation, w.eot)...)
	}
	if w.violation {
		for _, r := range g.Program.Slice(violationRelation).Relations() {
			for round := 1; round <= w.eot && r.Name != violationRelation; round++ {
				facts = append(facts, g.Facts(r.Name, round)...)
			}
		}
	}
	return facts
}

// supportWalk goes from facts that hold to all that gave them.
type supportWalk struct {
	world *provenance.World
	seen  map[*provenance.Fact]bool
	rules map[*syntax.Rule]bool
}

func (w *supportWalk) fact(f *provenance.Fact) {
	if w.seen[f] || !w.world.Holds(f) {
		return
	}
	w.seen[f] = true
	for _, firing := range f.Firings() {
		w.firing(firing)
	}
}

func (w *supportWalk) firing(f *provenance.Firing) {
	if !w.world.Fires(f) {
		return
	}
	if rule := f.Rule(); rule != nil {
		w.rules[rule] = true
	}
	for _, used := range f.Positive() {
		w.fact(used)
	}
	for _, row := range f.Rows() {
		w.firing(row)
	}
}

// support returns the visited part, in the order of the program.
func (w *supportWalk) support(g *provenance.Graph) *dedalus.Program {
	s := *g.Program
	s.Rules, s.Facts, s.Choices = nil, nil, nil
	chosen := map[string]bool{}
	for f := range w.seen {
		chosen[f.Relation()] = chosen[f.Relation()] || slices.ContainsFunc(f.Firings(), (*provenance.Firing).Chosen)
	}
	for _, c := range g.Program.Choices {
		if chosen[c.Relation] {
			s.Choices = append(s.Choices, c)
		}
	}
	for _, r := range g.Program.Rules {
		if w.rules[r] {
			s.Rules = append(s.Rules, r)
		}
	}
	for _, f := range g.Program.Facts {
		if w.seen[g.Find(f.Relation, f.Args, f.Round)] {
			s.Facts = append(s.Facts, f)
		}
	}
	return &s
}
