package ldfi

import (
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
)

// reason says why the first of some violations comes about under a schedule.
func reason(g *provenance.Graph, s rounds.Schedule, broken []Violation) ([]string, error) {
	w, err := g.Under(s)
	if err != nil || len(broken) == 0 {
		return nil, err
	}
	first := broken[0]
	if first.While != nil {
		return explain.New(w).Reason(first.Fact, *first.While), nil
	}
	return explain.New(w).Reason(first.Fact), nil
}
