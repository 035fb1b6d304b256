package ldfi

import (
	"context"
	"errors"
	"io"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
)

// Export writes the lineage of the promise over all schedules within the bounds, to
// those of the writers that are not nil: as a formula in the DIMACS format, whose
// minimal models are the fault sets that Hypotheses lists (with the fewest choices of
// each, where the environment has some, which are variables too); as a graph in the DOT
// language; and as facts of the Mangle language, with relations that their head
// explains. A limit or a context that ends is an error, and so is what a writer
// returns.
//
// The facts say of each fault alone what it prevents, which cannot be said of a crash
// whose process comes back: bounds with restarts have none.
func (m *Model) Export(ctx context.Context, formula, graph, facts io.Writer) error {
	if facts != nil && m.bounds.Crashes != 0 && m.bounds.Restarts != 0 {
		return errors.New("facts: what a crash prevents depends on when its process is back, which the facts of a lineage do not say: leave out restarts, or write the formula")
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

// judged returns the facts by which the promise is judged, of those that may be
// there.
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
