package causality

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Faultless is what a schedule is compared with where nothing else is said: the same
// without its faults, with what it chooses and its settings; without its choices too if
// it has no faults.
func Faultless(s rounds.Schedule) rounds.Schedule {
	faults := s.Size()
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Choose || faults == 0 })
	return s
}
