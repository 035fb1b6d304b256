package ldfi

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// reason says why a violation comes about in an execution, whose world is explained;
// nothing if what is missing is no fact of its own.
func reason(x *explain.Explainer, e *recording.Execution, broken result.Violation) []string {
	if broken.Missing && broken.Fact.Args == nil {
		return nil
	}
	x.Recorded(e)
	if broken.While != nil {
		return x.Reason(broken.Fact, *broken.While)
	}
	return x.Reason(broken.Fact)
}
