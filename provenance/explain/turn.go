package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
)

// longestTurn is the most relations from a fact back to the same fact.
const longestTurn = 6

// turned is a step of a turn: a firing, and the fact with which the turn continues.
type turned struct {
	firing *provenance.Firing
	from   *provenance.Fact
}

// turn looks for the same fact in an earlier round from which f came by way of other facts,
// as when two relations hold a value in turns: each step continues with one fact, and its
// other needs merely persist. It returns the steps, the latest first, or nil.
func (x *Explainer) turn(f *provenance.Fact) []turned {
	return x.turnTo(f, f, nil)
}

func (x *Explainer) turnTo(f, g *provenance.Fact, steps []turned) []turned {
	firing := x.derivation(g)
	if firing == nil || firing.Rule() == nil || firing.Rows() != nil || travels(firing) || len(steps) == longestTurn {
		return nil
	}
	for i, next := range firing.Positive() {
		if next.Round() < g.Round()-1 || x.lacksLasting(firing, i) {
			continue
		}
		all := append(slices.Clone(steps), turned{firing, next})
		if next.Relation() == f.Relation() && next.SameArgs(f) && next.Round() < f.Round() {
			return all
		}
		if found := x.turnTo(f, next, all); found != nil {
			return found
		}
	}
	return nil
}

// lacksLasting tells whether a firing needs something besides one of its facts
// that did not merely last.
func (x *Explainer) lacksLasting(firing *provenance.Firing, but int) bool {
	for i, other := range firing.Positive() {
		if i == but || other.Given() || other.Relation() == syntax.Crash {
			continue
		}
		if keeper := x.derivation(other); keeper == nil || !carries(other, keeper) {
			return true
		}
	}
	return false
}

// keepTurn records the relations that had the value, and their other needs.
func (x *Explainer) keepTurn(kept *Persistence, f *provenance.Fact, s turned) {
	if name := s.from.Relation(); name != f.Relation() && !slices.Contains(kept.Turns, name) {
		kept.Turns = append(kept.Turns, name)
	}
	for _, other := range s.firing.Positive() {
		if other != s.from {
			x.withMeanwhile(kept, x.factPattern(other))
		}
	}
}

// withMeanwhile records a needed fact, and joins it with the later rounds if it held in
// between.
func (x *Explainer) withMeanwhile(kept *Persistence, p Pattern) {
	for _, q := range kept.With {
		if q.Atom.sameColumns(p) && !x.absentIn(p, p.First, q.Atom.First) {
			q.Atom.First = min(q.Atom.First, p.First)
			return
		}
	}
	kept.With = append(kept.With, &Part{Met: true, Atom: &p})
}

// absentIn tells whether nothing of a pattern holds in some of the rounds.
func (x *Explainer) absentIn(p Pattern, first, last int) bool {
	for round := first; round <= last; round++ {
		if !x.anyHolds(p, round) {
			return true
		}
	}
	return false
}

// absentBetween tells whether no fact meets a pattern from its rounds up to round last.
func (x *Explainer) absentBetween(p Pattern, last int) bool {
	for round := p.Last + 1; round < last; round++ {
		if x.anyHolds(p, round) {
			return false
		}
	}
	return true
}
