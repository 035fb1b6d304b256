package ldfi

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// reason explains the violations of an execution, whose world x explains. It skips missing
// outcomes that are no facts of their own.
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
