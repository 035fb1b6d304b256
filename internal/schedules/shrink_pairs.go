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
	for i := len(downsInTime(s)) - 1; i > 0; i-- {
		all := downsInTime(s)
		if i >= len(all) || all[i].Process != all[i-1].Process {
			continue
		}
		fewer := s
		fewer.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f == all[i] || f == all[i-1] })
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

// downsInTime returns the crashes and restarts of a schedule, of one process after the
// other in the order of time. Those of one process are in turn, so that in a round
// only a crash at a point can follow a restart.
func downsInTime(s rounds.Schedule) []rounds.Fault {
	all := slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f.Kind != rounds.Crash && f.Kind != rounds.Restart })
	within := func(f rounds.Fault) int {
		switch {
		case f.Kind == rounds.Restart:
			return 1
		case f.Point() != "":
			return 2
		}
		return 0
	}
	slices.SortFunc(all, func(f, g rounds.Fault) int {
		return cmp.Or(cmp.Compare(f.Process, g.Process), cmp.Compare(f.Round, g.Round), cmp.Compare(within(f), within(g)))
	})
	return all
}
