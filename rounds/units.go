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
	units, err := u.lastingUnits(s, Isolate)
	if err != nil {
		return nil, err
	}
	pauses, err := u.lastingUnits(s, Pause)
	if err != nil {
		return nil, err
	}
	count := [len(budgeted)]int{Isolate: len(units), Pause: len(pauses)}
	units = append(units, pauses...)
	for i, f := range s.Faults {
		if f.Kind.lasts() {
			continue
		}
		if f.Kind == Crash && slices.ContainsFunc(s.Faults[:i], func(g Fault) bool { return g.Kind == Crash && g.Process == f.Process }) {
			return nil, fmt.Errorf("schedule: %s: within bounds a process crashes at most once", f)
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

// checkLosses reports a loss or pause after the last round that can have one.
func (u *Universe) checkLosses(s Schedule) error {
	for _, f := range s.Faults {
		if f.Kind == Crash || f.Kind == Restart || max(f.Round, f.Until) <= u.losses {
			continue
		}
		return fmt.Errorf("schedule: %s: messages can be lost only in rounds before %d (eff=%d)", f, u.bounds.EFF, u.bounds.EFF)
	}
	return nil
}

// lastingUnits returns the units of the isolations, or pauses, of a schedule.
func (u *Universe) lastingUnits(s Schedule, kind Kind) ([]int, error) {
	if !slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.Kind == kind }) {
		return nil, nil
	}
	struck := map[[2]int]bool{} // by process and round
	for _, f := range s.Faults {
		for round := f.Round; f.Kind == kind && round <= f.Until; round++ {
			struck[[2]int{u.index[f.Process], round}] = true
		}
	}
	var units []int
	for i := range u.phases() {
		for p := range u.n {
			start, err := u.start(kind, struck, p, u.phase(i))
			if err != nil {
				return nil, err
			}
			switch {
			case start > 0 && kind == Pause:
				units = append(units, u.pause(p, start))
			case start > 0:
				units = append(units, u.isolation(p, start))
			}
		}
	}
	return units, nil
}

// start returns the round in a phase from which on a process is isolated, or
// paused, 0 if it is not.
func (u *Universe) start(kind Kind, struck map[[2]int]bool, p int, ph phase) (int, error) {
	start := 0
	for round := ph.first; round <= ph.last; round++ {
		switch in := struck[[2]int{p, round}]; {
		case in && start == 0:
			start = round
		case !in && start > 0:
			f := Fault{Kind: kind, Process: u.bounds.Processes[p], Round: start, Until: round - 1}
			whole := f
			whole.Until = ph.last
			return 0, fmt.Errorf("schedule: %s: %s lasts until its phase ends (period=%d), which is %s", f, article(kind), u.bounds.Period, whole)
		}
	}
	return start, nil
}

// article returns what one fault that lasts is called in a sentence.
func article(kind Kind) string {
	if kind == Isolate {
		return "an isolation"
	}
	return "a pause"
}
