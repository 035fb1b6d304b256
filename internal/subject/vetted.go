package subject

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// Vetted is what looks wrong.
type Vetted struct {
	Warnings result.List[specs.Warning]  `json:"warnings"`         // of a protocol; of a system that facts of crashed processes count
	Tests    result.List[execution.Test] `json:"tests"`            // of a system
	Orders   *Orders                     `json:"orders,omitempty"` // of a protocol
}

// Orders say where it matters for the promise of a protocol when messages arrive, which
// is no mistake.
type Orders struct {
	Matter result.List[specs.Warning] `json:"matter"` // none: the promise is monotone
}

// Wrong tells whether anything does.
func (v *Vetted) Wrong() bool {
	return len(v.Warnings) > 0 || slices.ContainsFunc(v.Tests, func(t execution.Test) bool { return len(t.Found) > 0 })
}
