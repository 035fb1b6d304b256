package ldfi

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// reason says why violations come about in an execution, whose world is explained;
// nothing of what is missing and is no fact of its own.
func reason(x *explain.Explainer, e *recording.Execution, broken []result.Violation) []string {
	var asked []explain.Question
	for _, v := range broken {
		q := explain.Question{Fact: v.Fact}
		if v.While != nil {
			q.While = []recording.Fact{*v.While}
		}
		if !v.Missing || v.Fact.Args != nil {
			asked = append(asked, q)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	return x.Recorded(e).Reason(asked...)
}
