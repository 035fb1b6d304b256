package difference

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Faultless is a schedule without its faults: with what it chooses, and its settings.
func Faultless(s rounds.Schedule) rounds.Schedule {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Choose })
	return s
}
