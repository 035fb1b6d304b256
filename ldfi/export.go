package ldfi

import (
	"context"
	"errors"
	"io"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
)

// Export writes the lineage of the promise over all schedules within the bounds, to
// each of its writers that is not nil. The formula, in the DIMACS format, has as its
// minimal models the fault sets that Hypotheses lists, with the fewest choices of the
// environment, which are variables too. The graph is in the DOT language. The facts are
// in the Mangle language; their head explains the relations. Export returns an error at
// a limit, when the context ends, and when a writer fails.
//
// The facts state what each fault alone prevents. Bounds with restarts have no facts,
// because what a crash prevents then depends on the restart.
func (m *Model) Export(ctx context.Context, formula, graph, facts io.Writer) error {
	if err := m.onlyRun(); err != nil {
		return err
	}
	if facts != nil && m.bounds.Crashes != 0 && m.bounds.Restarts != 0 {
		return errors.New("facts: they cannot say what a crash prevents if its process restarts: leave out restarts, or write the formula")
	}
	q, err := newQuestion(ctx, m)
	if err != nil {
		return err
	}
	v, err := q.whole(ctx, effort{}, &circuitProgress{}, nil)
	if err != nil {
		return err
	}
	if formula != nil {
		broken := explain.Broken{Graph: v.graph, Condition: v.target[0]}
		if err := broken.WriteFormula(formula); err != nil {
			return err
		}
	}
	lineage := explain.Lineage{Graph: v.graph, Roots: q.promise.judged(v.graph)}
	if graph != nil {
		if err := lineage.WriteDOT(graph); err != nil {
			return err
		}
	}
	if facts != nil {
		return lineage.WriteFacts(facts)
	}
	return nil
}

// judged returns the possible facts by which the promise is judged.
func (w *promise) judged(g *provenance.Graph) []*provenance.Fact {
	var facts []*provenance.Fact
	if w.prePost {
		facts = append(facts, g.Facts(preRelation, w.eot)...)
		facts = append(facts, g.Facts(postRelation, w.eot)...)
	}
	if w.good {
		facts = append(facts, g.Facts(goodRelation, w.eot)...)
	}
	for round := 1; round <= w.eot && w.violation; round++ {
		facts = append(facts, g.Facts(violationRelation, round)...)
	}
	return facts
}
