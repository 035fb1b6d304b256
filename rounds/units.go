package rounds

import (
	"fmt"
	"slices"
)

// Units returns the units that a schedule consists of, sorted. It is an error
// that names the bound if the schedule is not within the bounds. Isolations are
// taken for the rounds that they cover: over several phases one is several
// units.
func (u *Universe) Units(s Schedule) ([]int, error) {
	b := u.bounds
	if err := s.check(u.index, b.Processes, b.EOT); err != nil {
		return nil, err
	}
	var units []int
	isolated := map[int]map[int]bool{} // by process, the rounds
	count := map[Kind]int{}
	for _, f := range s.Normal() {
		if f.Kind != Crash && max(f.Round, f.Until) > b.LastLoss() {
			return nil, fmt.Errorf("schedule: %s: messages are lost only before round %d (eff=%d)", f, b.EFF, b.EFF)
		}
		if f.Kind == Isolate {
			p := u.index[f.Process]
			if isolated[p] == nil {
				isolated[p] = map[int]bool{}
			}
			for round := f.Round; round <= f.Until; round++ {
				isolated[p][round] = true
			}
			continue
		}
		count[f.Kind]++
		if unit, ok := u.Index(f); ok {
			units = append(units, unit)
		}
	}
	for p := range u.n {
		for _, ph := range b.phases() {
			start := ph.first
			for start <= ph.last && !isolated[p][start] {
				start++
			}
			if start > ph.last {
				continue
			}
			for round := start; round <= ph.last; round++ {
				if !isolated[p][round] {
					return nil, fmt.Errorf("schedule: %s is isolated in round %d and has to stay so until its phase ends: isolate %s@%d..%d (period=%d)",
						b.Processes[p], round-1, b.Processes[p], start, ph.last, b.Period)
				}
			}
			count[Isolate]++
			units = append(units, u.isolation(p, start))
		}
	}
	for _, limit := range []struct {
		kind    Kind
		what    string
		setting string
		atMost  int
	}{
		{Crash, "crash", "crashes", b.Crashes},
		{Isolate, "isolation", "isolations", b.Isolations},
		{Omit, "omission", "omissions", b.Omissions},
	} {
		if limit.atMost != Unlimited && count[limit.kind] > limit.atMost {
			return nil, fmt.Errorf("schedule: %s, and the bounds allow %d (%s=%d)",
				plural(count[limit.kind], limit.what), limit.atMost, limit.setting, limit.atMost)
		}
	}
	slices.Sort(units)
	return units, nil
}
