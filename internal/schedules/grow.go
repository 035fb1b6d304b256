package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Add adds faults to the schedule of the environment. If that is not valid then the
// environment stays unchanged. It costs what is new, unless crashes, restarts or clocks are.
func (e *Environment) Add(faults ...rounds.Fault) error {
	again := func() error {
		return e.Reset(rounds.Schedule{Settings: e.schedule.Settings, Faults: slices.Concat(e.schedule.Faults, faults)})
	}
	ofKind := slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Of != "" })
	if ofKind && len(e.ofKinds) == 0 || slices.ContainsFunc(faults, func(f rounds.Fault) bool { return !alone(f.Kind) }) {
		return again()
	}
	var beside []rounds.Fault
	for i, f := range faults {
		if i == 0 || faults[i-1].Round != f.Round {
			beside = slices.AppendSeq(beside, e.in(f.Round))
		}
	}
	for i, f := range faults {
		if len(e.ofKinds) > 0 && slices.ContainsFunc(slices.Concat(beside, faults[:i]), func(g rounds.Fault) bool { return meet(f, g) }) {
			return again() // in normal form
		}
	}
	if err := e.valid(append(beside, faults...)); err != nil {
		return err
	}
	for _, f := range faults {
		e.schedule.Faults = append(e.schedule.Faults, f)
		e.take(f)
		if f.Kind == rounds.Delay || f.Kind == rounds.Duplicate {
			e.postpone = append(e.postpone, f)
		}
	}
	e.place()
	e.putOff()
	return nil
}

// Redirect puts another delay of the same message, or its loss, in place of a delay of the
// schedule.
func (e *Environment) Redirect(old, f rounds.Fault) error {
	if err := e.valid([]rounds.Fault{f}); err != nil {
		return err
	}
	if i := lastIndex(e.schedule.Faults, old); i >= 0 {
		e.schedule.Faults[i] = f
	}
	if i := lastIndex(e.ofKinds, old); i >= 0 {
		e.ofKinds[i] = f
	}
	if i := lastIndex(e.postpone, old); i >= 0 && f.Kind == rounds.Delay {
		e.postpone[i] = f
	} else if i >= 0 {
		e.postpone = slices.Delete(e.postpone, i, i+1)
	}
	e.putOff()
	return nil
}

func lastIndex(all []rounds.Fault, f rounds.Fault) int {
	i := len(all) - 1
	for i >= 0 && all[i] != f {
		i--
	}
	return i
}

// alone tells whether a fault of a kind is valid, and does the same, whatever other faults there
// are in other rounds.
func alone(k rounds.Kind) bool {
	switch k {
	case rounds.Omit, rounds.Cut, rounds.Isolate, rounds.Partition, rounds.Delay, rounds.Duplicate, rounds.Lie, rounds.Tick, rounds.Ask:
		return true
	}
	return false
}

// meet tells whether two faults may be one in normal form.
func meet(f, g rounds.Fault) bool {
	return f.Kind == g.Kind && f.Process == g.Process && f.To == g.To && f.Round <= max(g.Until, g.Round) && g.Round <= max(f.Until, f.Round) &&
		(f.Of == "" || g.Of == "" || f.Of == g.Of && (f.Nth == 0 || g.Nth == 0 || f.Nth == g.Nth))
}

// valid returns an error if faults that are alone are not valid.
func (e *Environment) valid(faults []rounds.Fault) error {
	kept := slices.DeleteFunc(slices.Clone(faults), func(f rounds.Fault) bool { return !alone(f.Kind) && f.Kind != rounds.Order })
	if err := (rounds.Schedule{Faults: kept}).Check(e.bounds); err != nil {
		return err
	}
	_, err := e.reliable.of(rounds.Schedule{Settings: e.schedule.Settings, Faults: kept}, e.bounds)
	return err
}
