package inwords

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// SoFar says of a search that was stopped how many faults are needed at least, and how
// many are enough; nothing of one that was not.
func SoFar(f *result.WhatIf) string {
	if f.Limit == nil {
		return ""
	}
	enough := "no set is known that does it"
	if len(f.Sets) > 0 {
		enough = fmt.Sprintf("%d are enough", f.Sets[0].Size)
	}
	if f.AtLeast == 0 {
		return enough
	}
	needed := "at least 1 fault is needed"
	if f.AtLeast > 1 {
		needed = fmt.Sprintf("at least %d faults are needed", f.AtLeast)
	}
	return needed + "; " + enough
}
