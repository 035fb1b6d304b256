package rounds

import (
	"fmt"
	"slices"
)

// Within reports a bound that a schedule exceeds.
func (s Schedule) Within(b Bounds) error {
	_, err := NewUniverse(b).Units(s)
	return err
}

// Units returns the units that a schedule consists of, sorted. It is an error
// if the schedule is not within the bounds. An isolation counts for the rounds
// that it covers: if they belong to several phases it is several units.
func (u *Universe) Units(s Schedule) ([]int, error) {
	if err := s.check(u.index, u.bounds.Processes, u.bounds.EOT); err != nil {
		return nil, err
	}
	s = s.Normal()
	if err := u.checkLosses(s); err != nil {
		return nil, err
	}
	units, err := u.isolationUnits(s)
	if err != nil {
		return nil, err
	}
	count := [len(budgeted)]int{Isolate: len(units)}
	for _, f := range s {
		if f.Kind == Isolate {
			continue
		}
		count[f.Kind]++
		if unit, ok := u.Index(f); ok {
			units = append(units, unit)
		}
	}
	for _, kind := range budgeted {
		if most := u.bounds.budget(kind); most != Unlimited && count[kind] > most {
			return nil, fmt.Errorf("schedule: %s, where the bounds allow %d (%s=%d): %s",
				plural(count[kind], kind.noun()), most, kind.budgetKey(), most, s)
		}
	}
	slices.Sort(units)
	return units, nil
}

// checkLosses reports a loss after the last round that can have one.
func (u *Universe) checkLosses(s Schedule) error {
	for _, f := range s {
		if f.Kind == Crash || max(f.Round, f.Until) <= u.losses {
			continue
		}
		return fmt.Errorf("schedule: %s: messages can be lost only in rounds before %d (eff=%d)", f, u.bounds.EFF, u.bounds.EFF)
	}
	return nil
}

// isolationUnits returns the units of the isolations of a schedule.
func (u *Universe) isolationUnits(s Schedule) ([]int, error) {
	if !slices.ContainsFunc(s, func(f Fault) bool { return f.Kind == Isolate }) {
		return nil, nil
	}
	isolated := map[[2]int]bool{} // by process and round
	for _, f := range s {
		for round := f.Round; f.Kind == Isolate && round <= f.Until; round++ {
			isolated[[2]int{u.index[f.Process], round}] = true
		}
	}
	var units []int
	for i := range u.phases() {
		for p := range u.n {
			start, err := u.start(isolated, p, u.phase(i))
			if err != nil {
				return nil, err
			}
			if start > 0 {
				units = append(units, u.isolation(p, start))
			}
		}
	}
	return units, nil
}

// start returns the round in a phase from which on a process is isolated, 0 if
// it is not.
func (u *Universe) start(isolated map[[2]int]bool, p int, ph phase) (int, error) {
	start := 0
	for round := ph.first; round <= ph.last; round++ {
		switch in := isolated[[2]int{p, round}]; {
		case in && start == 0:
			start = round
		case !in && start > 0:
			f := Fault{Kind: Isolate, Process: u.bounds.Processes[p], Round: start, Until: round - 1}
			whole := f
			whole.Until = ph.last
			return 0, fmt.Errorf("schedule: %s: an isolation lasts until its phase ends (period=%d), which is %s", f, u.bounds.Period, whole)
		}
	}
	return start, nil
}
