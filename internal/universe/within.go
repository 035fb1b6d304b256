package universe

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/rounds"
)

// Within reports a bound that a schedule exceeds.
func Within(s rounds.Schedule, b rounds.Bounds) error {
	_, err := New(b).Units(s)
	return err
}

// Units returns the units that a schedule consists of, sorted. It is an error
// if the schedule is not within the bounds. An isolation counts for the rounds
// that it covers: if they belong to several phases it is several units.
func (u *Universe) Units(s rounds.Schedule) ([]int, error) {
	if err := s.Check(u.bounds.Processes, u.bounds.EOT); err != nil {
		return nil, err
	}
	s = s.Normal()
	if err := u.checkLosses(s); err != nil {
		return nil, err
	}
	if err := Assumed(s, u.bounds); err != nil {
		return nil, err
	}
	var units []int
	counts := make([]int, len(u.sections))
	for i := range u.sections {
		of := u.units
		if u.sections[i].lasts {
			of = u.lastingUnits
		}
		more, count, err := of(&u.sections[i], s)
		if err != nil {
			return nil, err
		}
		units, counts[i] = append(units, more...), count
	}
	for i, count := range counts {
		noun := u.sections[i].kind.kind.Noun()
		if most := u.sections[i].budget; most != rounds.Unlimited && count > most {
			return nil, wrong("%s, where the bounds allow %d (%s=%d): %s", plural.Of(count, noun), most, plural.Word(noun), most, s)
		}
	}
	slices.Sort(units)
	return units, nil
}

// checkLosses reports a loss or pause after the last round that can have one.
func (u *Universe) checkLosses(s rounds.Schedule) error {
	for _, f := range s.Faults {
		if max(f.Round, f.Until) > kindOf(f.Kind).last(u.bounds) {
			return wrong("%s: messages can be lost only in rounds before %d (eff=%d)", f, u.bounds.EFF, u.bounds.EFF)
		}
	}
	return nil
}

// units returns the units of a kind of fault that has one round, and how many
// faults of it there are: those that the bounds do not allow are no units.
func (u *Universe) units(s *section, schedule rounds.Schedule) (units []int, count int, err error) {
	for i, f := range schedule.Faults {
		if f.Kind != s.kind.kind {
			continue
		}
		again := func(g rounds.Fault) bool { return g.Kind == f.Kind && g.Process == f.Process && g.To == f.To }
		if s.period > 1 && slices.ContainsFunc(schedule.Faults[:i], again) {
			return nil, 0, wrong("%s: within bounds a process has at most one %s", f, f.Kind.Noun())
		}
		count++
		if unit, ok := u.Index(f); ok {
			units = append(units, unit)
		}
	}
	return units, count, nil
}

// lastingUnits returns the units of a kind of fault that lasts, and how many.
func (u *Universe) lastingUnits(s *section, schedule rounds.Schedule) (units []int, count int, err error) {
	struck := map[span]bool{} // by process and round
	for _, f := range schedule.Faults {
		for round := f.Round; f.Kind == s.kind.kind && round <= f.Until; round++ {
			struck[span{u.index[f.Process], round}] = true
		}
	}
	if len(struck) == 0 {
		return nil, 0, nil
	}
	// The bounds may not allow any, which are to be counted all the same.
	all := *s
	all.last = u.bounds.LastLoss()
	for i := range all.phases() {
		for number := range all.width {
			start, err := u.start(&all, struck, all.target(number), all.phaseOf(i*all.period+1))
			if err != nil {
				return nil, 0, err
			}
			if start > 0 {
				units = append(units, all.unit(number, start))
			}
		}
	}
	return units, len(units), nil
}

// start returns the round in a phase from which on a process is struck, 0 if it
// is not.
func (u *Universe) start(s *section, struck map[span]bool, p int, phase span) (int, error) {
	start := 0
	for round := phase.first; round <= phase.last; round++ {
		switch in := struck[span{p, round}]; {
		case in && start == 0:
			start = round
		case !in && start > 0:
			f := rounds.Fault{Kind: s.kind.kind, Process: u.bounds.Processes[p], Round: start, Until: round - 1}
			whole := f
			whole.Until = phase.last
			return 0, wrong("%s: it lasts until its phase ends (period=%d), which is %s", f, u.bounds.Period, whole)
		}
	}
	return start, nil
}

// wrong is what is wrong with a schedule. [errors.Unwrap] gives it without the
// word in front.
func wrong(format string, args ...any) error {
	return fmt.Errorf("schedule: %w", fmt.Errorf(format, args...))
}
