package ldfi

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
)

// reason says why a violation comes about under a schedule; nothing if what is missing
// is no fact of its own.
func reason(w *provenance.World, broken result.Violation) []string {
	if broken.Missing && broken.Fact.Args == nil {
		return nil
	}
	if broken.While != nil {
		return explain.New(w).Reason(broken.Fact, *broken.While)
	}
	return explain.New(w).Reason(broken.Fact)
}
