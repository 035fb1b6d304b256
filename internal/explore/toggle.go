package explore

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Toggle removes a fault of a kind from a cell, or adds one. A fault that lasts ends with
// its phase. If a fault can be later or farther, Toggle first increases it one step, and
// removes it after the last step. A process that crashed elsewhere crashes here instead,
// and another chosen fact replaces the one before. The error says why the kind is
// impossible there; then nothing is changed.
func (e *Exploration) Toggle(k rounds.Kind, c Cell) error {
	if LayerOf(k) != c.Layer() {
		return fmt.Errorf("%s is a fault of %s: there is another layer for these", withArticle(k), LayerOf(k))
	}
	return e.turn(c, e.faultsOf(k, c))
}

// Cycle replaces the fault in a cell by the next one possible there; after the last one the
// cell is empty.
func (e *Exploration) Cycle(c Cell) error {
	var all []rounds.Fault
	for _, k := range e.Kinds(c) {
		all = append(all, e.faultsOf(k, c)...)
	}
	return e.turn(c, all)
}

// turn replaces the fault in a cell by the next of the offered ones, or by none after the
// last. If none is possible, the error gives the reason for the last one.
func (e *Exploration) turn(c Cell, offered []rounds.Fault) error {
	at, here := -1, e.Faults(c)
	for i, f := range offered {
		if slices.ContainsFunc(here, func(g rounds.Fault) bool { return e.same(g, f) }) {
			at = i
		}
	}
	cleared := e.now.schedule
	if at >= 0 {
		cleared = without(cleared, func(f rounds.Fault) bool { return e.Strikes(f, c) && e.same(f, offered[at]) })
	}
	var err error
	for _, f := range offered[at+1:] {
		next := e.with(cleared, f)
		if at < 0 && len(next.Faults) == len(cleared.Faults) && e.bounds.ByDefault(f) {
			return fmt.Errorf("%s holds already, as long as nothing else is chosen", f.Detail)
		}
		if err = e.Set(next); err == nil {
			return nil
		}
	}
	if at < 0 {
		return err
	}
	return e.Set(cleared)
}

// with returns a schedule with one more fault, and without the faults that contradict it.
func (e *Exploration) with(s rounds.Schedule, f rounds.Fault) rounds.Schedule {
	switch f.Kind {
	case rounds.Crash:
		s = uncrashed(s, f)
	case rounds.Choose:
		s = e.unchosen(s, f)
		if e.bounds.ByDefault(f) {
			return s
		}
	}
	s.Faults = append(slices.Clone(s.Faults), f)
	return s
}

// without returns a schedule without some faults, and without the restarts that are left
// with no crash.
func without(s rounds.Schedule, gone func(rounds.Fault) bool) rounds.Schedule {
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), gone)
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool {
		return f.Kind == rounds.Restart && !crashedBefore(s.Faults, f)
	})
	return s
}

// crashedBefore tells whether the process of a restart is down when it comes.
func crashedBefore(faults []rounds.Fault, restart rounds.Fault) bool {
	before := slices.DeleteFunc(schedules.Turns(faults, restart.Process), func(f rounds.Fault) bool {
		return schedules.Instant(f) >= schedules.Instant(restart)
	})
	return len(before) > 0 && before[len(before)-1].Kind == rounds.Crash
}

// uncrashed returns a schedule without the crash that contradicts crash: the crash by which
// the process is down then, or else a later one from which it is not back.
func uncrashed(s rounds.Schedule, crash rounds.Fault) rounds.Schedule {
	chain := schedules.Turns(s.Faults, crash.Process)
	next := slices.IndexFunc(chain, func(f rounds.Fault) bool { return schedules.Instant(f) > schedules.Instant(crash) })
	if next < 0 {
		next = len(chain)
	}
	var gone rounds.Fault
	switch {
	case next > 0 && chain[next-1].Kind == rounds.Crash:
		gone = chain[next-1]
	case next < len(chain) && chain[next].Kind == rounds.Crash:
		gone = chain[next]
	default:
		return s
	}
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return f == gone })
	return s
}

// unchosen returns a schedule without the facts that cannot be chosen beside one.
func (e *Exploration) unchosen(s rounds.Schedule, f rounds.Fault) rounds.Schedule {
	for _, c := range e.bounds.Choose {
		if c.Exclusive() && slices.Contains(c.Of, f) {
			s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(g rounds.Fault) bool { return slices.Contains(c.Of, g) })
		}
	}
	return s
}

// Clear takes all faults away.
func (e *Exploration) Clear() error {
	return e.Set(rounds.Schedule{Settings: e.now.schedule.Settings})
}
