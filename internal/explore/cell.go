package explore

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Strikes tells whether a fault strikes a cell: in its round, and there.
func (e *Exploration) Strikes(f rounds.Fault, c Cell) bool {
	if LayerOf(f.Kind) != c.Layer() || c.Round < f.Round || c.Round > max(f.Round, f.Until) {
		return false
	}
	if c.Layer() == Others {
		return f.Kind == c.Kind && e.same(f, rounds.Fault{Kind: c.Kind, Detail: c.Detail})
	}
	return f.Process == c.From && f.To == c.To
}

// same tells whether faults have the same effect, apart from their rounds.
func (e *Exploration) same(f, g rounds.Fault) bool {
	if f.Kind == rounds.Partition { // sides can be written in several ways
		return rounds.Pattern{Kind: f.Kind, Sides: g.Detail}.Matches(f, e.bounds.Processes)
	}
	return f.Kind == g.Kind && f.Process == g.Process && f.To == g.To && f.By == g.By && f.Detail == g.Detail && f.Of == g.Of && f.Nth == g.Nth
}

// CellOf returns the cell in which a fault begins, and false if it has none.
func (e *Exploration) CellOf(f rounds.Fault) (Cell, bool) {
	for _, c := range e.rows[LayerOf(f.Kind)] {
		if c.Round = f.Round; e.Strikes(f, c) {
			return c, true
		}
	}
	return Cell{}, false
}

// Faults returns the faults of the current schedule that strike a cell.
func (e *Exploration) Faults(c Cell) []rounds.Fault {
	var all []rounds.Fault
	for _, f := range e.now.schedule.Faults {
		if e.Strikes(f, c) {
			all = append(all, f)
		}
	}
	return all
}

// Effects are the effects of the faults of a schedule on cells.
type Effects struct {
	environment *schedules.Environment // nil: it is not known
	processes   []string
	chosen      map[rounds.Fault]bool // the facts that can be chosen, and whether each holds
}

// Effects returns the effects of the current schedule on cells.
func (e *Exploration) Effects() Effects {
	effects := Effects{processes: e.bounds.Processes, chosen: map[rounds.Fault]bool{}}
	for _, choice := range e.bounds.Choose {
		for _, f := range choice.Of {
			effects.chosen[f] = false
		}
	}
	environment, err := schedules.NewEnvironment(e.bounds, e.now.schedule)
	if err != nil {
		return effects
	}
	effects.environment = environment
	for _, f := range environment.Chosen() {
		effects.chosen[f] = true
	}
	return effects
}

// Lost tells whether the process of a cell is down in its round, or whether messages on its
// link are lost.
func (e Effects) Lost(c Cell) bool {
	if e.environment == nil || c.Layer() == Others {
		return false
	}
	from, to := slices.Index(e.processes, c.From), slices.Index(e.processes, c.To)
	if c.To == "" {
		return e.environment.Down(from, c.Round)
	}
	return !e.environment.Delivers(from, to, c.Round)
}

// Chosen tells of a fact that the environment can choose whether it holds in the round
// of the cell, and whether it could.
func (e Effects) Chosen(c Cell) (holds, possible bool) {
	holds, possible = e.chosen[rounds.Fault{Kind: c.Kind, Detail: c.Detail, Round: c.Round}]
	return holds, possible
}

// Parted tells whether a partition of the current schedule parts the processes in a round.
func (e *Exploration) Parted(round int) bool {
	return slices.ContainsFunc(e.now.schedule.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Partition && round >= f.Round && round <= max(f.Round, f.Until)
	})
}
