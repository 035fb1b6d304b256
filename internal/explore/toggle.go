package explore

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Toggle takes a fault of a kind in a cell away, or puts one there. One that lasts does
// so to the end of its phase. A process that crashed elsewhere crashes here instead. An
// error says why the kind is not possible there, and nothing is changed.
func (e *Exploration) Toggle(k rounds.Kind, c Cell) error {
	if OfLinks(k) != (c.To != "") {
		return fmt.Errorf("%s is a fault of %s: there is another layer for these", withArticle(k), placeOf(k))
	}
	if len(e.of(k, c)) > 0 {
		return e.Set(e.without(k, c))
	}
	s := e.now.schedule
	if k == rounds.Crash {
		s = e.uncrashed(c)
	}
	return e.Set(rounds.Schedule{Settings: s.Settings, Faults: append(slices.Clone(s.Faults), e.faultAt(k, c))})
}

// OfLinks tells whether faults of a kind strike links rather than processes.
func OfLinks(k rounds.Kind) bool {
	return k == rounds.Omit || k == rounds.Cut || k == rounds.Delay || k == rounds.Duplicate
}

func placeOf(k rounds.Kind) string {
	if OfLinks(k) {
		return "links"
	}
	return "processes"
}

func withArticle(k rounds.Kind) string {
	if noun := k.Noun(); slices.Contains([]rune("aeiou"), rune(noun[0])) {
		return "an " + noun
	}
	return "a " + k.Noun()
}

// of returns the faults of a kind in a cell.
func (e *Exploration) of(k rounds.Kind, c Cell) []rounds.Fault {
	return slices.DeleteFunc(e.Faults(c), func(f rounds.Fault) bool { return f.Kind != k })
}

// without returns the schedule without the faults of a kind in a cell, and without the
// restarts that are left with no crash.
func (e *Exploration) without(k rounds.Kind, c Cell) rounds.Schedule {
	gone := e.of(k, c)
	s := e.now.schedule
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return slices.Contains(gone, f) })
	if k == rounds.Crash {
		s.Faults = slices.DeleteFunc(s.Faults, func(f rounds.Fault) bool {
			return f.Kind == rounds.Restart && f.Process == c.From && !crashedBefore(s.Faults, f)
		})
	}
	return s
}

// crashedBefore tells whether the process of a restart is down when it comes.
func crashedBefore(faults []rounds.Fault, restart rounds.Fault) bool {
	down := false
	last := 0
	for _, f := range faults {
		if f.Process == restart.Process && (f.Kind == rounds.Crash || f.Kind == rounds.Restart) && f.Round < restart.Round && f.Round >= last {
			down, last = f.Kind == rounds.Crash, f.Round
		}
	}
	return down
}

// uncrashed returns the schedule without the crashes for which a process cannot crash in
// a cell: the one by which it is down there, and one later from which it is not back.
func (e *Exploration) uncrashed(c Cell) rounds.Schedule {
	s := e.now.schedule
	chain := slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool {
		return f.Process != c.From || f.Kind != rounds.Crash && f.Kind != rounds.Restart
	})
	slices.SortFunc(chain, func(f, g rounds.Fault) int { return f.Round - g.Round })
	next := slices.IndexFunc(chain, func(f rounds.Fault) bool { return f.Round > c.Round })
	if next < 0 {
		next = len(chain)
	}
	var gone []rounds.Fault
	if next > 0 && chain[next-1].Kind == rounds.Crash {
		gone = append(gone, chain[next-1])
	} else if next < len(chain) && chain[next].Kind == rounds.Crash {
		gone = append(gone, chain[next])
	}
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return slices.Contains(gone, f) })
	return s
}

// faultAt returns a fault of a kind that begins in a cell, as the bounds have it if they
// do.
func (e *Exploration) faultAt(k rounds.Kind, c Cell) rounds.Fault {
	f := rounds.Fault{Kind: k, Process: c.From, To: c.To, Round: c.Round}
	switch k {
	case rounds.Delay, rounds.Duplicate:
		f.By = 1
	case rounds.Isolate, rounds.Pause, rounds.Cut, rounds.Fast, rounds.Slow:
		first := c.Round - (c.Round-1)%e.bounds.Period
		if e.bounds.At != "" {
			f.Round = first
		}
		f.Until = e.lasting(f, first+e.bounds.Period-1)
	}
	return f
}

// lasting returns the last round of a fault whose phase ends in a round.
func (e *Exploration) lasting(f rounds.Fault, end int) int {
	end = min(end, e.bounds.EOT)
	for f.Until = end; f.Until >= f.Round; f.Until-- {
		if _, ok := e.universe.Index(f); ok {
			return f.Until
		}
	}
	return end
}

// Kinds returns the kinds of faults that can be toggled on the layer of processes or of
// links, those that the bounds have a budget for first.
func (e *Exploration) Kinds(links bool) []rounds.Kind {
	kinds := []rounds.Kind{rounds.Crash, rounds.Isolate}
	switch {
	case links:
		kinds = []rounds.Kind{rounds.Omit, rounds.Cut, rounds.Delay}
	case e.system:
		kinds = append(kinds, rounds.Restart, rounds.Pause)
	case e.bounds.CrashStop:
		kinds = append(kinds, rounds.Restart)
	}
	slices.SortStableFunc(kinds, func(a, b rounds.Kind) int { return e.idle(a) - e.idle(b) })
	return kinds
}

func (e *Exploration) idle(k rounds.Kind) int {
	if e.bounds.Budget(k) != 0 {
		return 0
	}
	return 1
}

// Cycle replaces what is in a cell by the next kind of fault that is possible there, and
// after the last one by nothing.
func (e *Exploration) Cycle(c Cell) error {
	kinds := e.Kinds(c.To != "")
	at := -1
	for i, k := range kinds {
		if len(e.of(k, c)) > 0 {
			at = i
		}
	}
	here := e.now
	cleared := here.schedule
	if at >= 0 {
		cleared = e.without(kinds[at], c)
	}
	for _, k := range kinds[at+1:] {
		e.now = state{cleared, here.locks}
		s := e.now.schedule
		if k == rounds.Crash {
			s = e.uncrashed(c)
		}
		s.Faults = append(slices.Clone(s.Faults), e.faultAt(k, c))
		e.now = here
		if e.Set(s) == nil {
			return nil
		}
	}
	return e.Set(cleared)
}

// Clear takes all faults away.
func (e *Exploration) Clear() error {
	return e.Set(rounds.Schedule{Settings: e.now.schedule.Settings})
}
