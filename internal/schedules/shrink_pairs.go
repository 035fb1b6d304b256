package schedules

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// leaveOutPairs tries once for each two faults of a process that follow each other,
// a crash and its restart, or a restart and the next crash, to leave both out: alone
// neither can be. It begins with the last.
func leaveOutPairs(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
	for i := len(turnsOfAll(s)) - 1; i > 0; i-- {
		all := turnsOfAll(s)
		if i >= len(all) || s.Faults[all[i]].Process != s.Faults[all[i-1]].Process {
			continue
		}
		fewer := WithoutTurn(s, all[i-1])
		failed, err := fails(fewer)
		if err != nil {
			return s, err
		}
		if failed {
			s = fewer
		}
	}
	return s, nil
}

// turnsOfAll returns the indexes of the crashes and restarts of a schedule, those of one
// process after the other in the order of time.
func turnsOfAll(s rounds.Schedule) (all []int) {
	for i, f := range s.Faults {
		if inTurn(f) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(i, j int) int {
		f, g := s.Faults[i], s.Faults[j]
		return cmp.Or(cmp.Compare(f.Process, g.Process), cmp.Compare(Instant(f), Instant(g)))
	})
	return all
}
