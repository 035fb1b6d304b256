package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/provenance"
)

// originOf follows a fact that holds here, and not there, and merely persists, back to the
// round in which it came about. It may persist in turns with facts of other relations.
func originOf(f *provenance.Fact, here, there *Explainer) (origin *provenance.Fact, turns []string) {
	for {
		before, between := earlier(f, f, here, there, longestOrigin)
		if before == nil {
			return f, turns
		}
		f, turns = before, append(turns, between...)
	}
}

// longestOrigin is the most steps from a fact back to the same fact.
const longestOrigin = 6

// earlier returns the same fact in the round before, from which f came by steps through
// facts that differ too, and the relations in between.
func earlier(wanted, f *provenance.Fact, here, there *Explainer, steps int) (before *provenance.Fact, between []string) {
	firing := here.derivation(f)
	if steps == 0 || firing == nil || firing.Rows() != nil || travels(firing) {
		return nil, nil
	}
	for _, next := range firing.Positive() {
		switch {
		case next.Round() < wanted.Round()-1 || there.Holds(in(there, next)):
		case next.Relation() == wanted.Relation() && next.SameArgs(wanted) && next.Round() < wanted.Round():
			return next, nil
		default:
			if before, between = earlier(wanted, next, here, there, steps-1); before != nil {
				return before, slices.Concat([]string{next.Relation()}, between)
			}
		}
	}
	return nil, nil
}
