package explore

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
)

// Cell is a process in a round, or a link.
type Cell struct {
	From, To string // To is empty for a process
	Round    int
}

// Processes returns the names of the processes, as the rows of a grid.
func (e *Exploration) Processes() []Cell {
	var rows []Cell
	for _, p := range e.bounds.Processes {
		rows = append(rows, Cell{From: p})
	}
	return rows
}

// Links returns the links from one process to another, as the rows of a grid.
func (e *Exploration) Links() []Cell {
	var rows []Cell
	for _, from := range e.bounds.Processes {
		for _, to := range e.bounds.Processes {
			if from != to {
				rows = append(rows, Cell{From: from, To: to})
			}
		}
	}
	return rows
}

// Name is the process or the link.
func (c Cell) Name() string {
	if c.To == "" {
		return c.From
	}
	return c.From + ">" + c.To
}

// Strikes tells whether a fault strikes a cell: in its round, and there.
func (e *Exploration) Strikes(f rounds.Fault, c Cell) bool {
	if c.Round < f.Round || c.Round > max(f.Round, f.Until) {
		return false
	}
	switch f.Kind {
	case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate:
		return f.Process == c.From && f.To == c.To
	case rounds.Partition, rounds.Choose:
		return false // they have no cell of their own
	default:
		return f.Process == c.From && c.To == ""
	}
}

// CellOf returns the cell in which a fault begins, and false if it has none.
func (e *Exploration) CellOf(f rounds.Fault) (Cell, bool) {
	c := Cell{From: f.Process, Round: f.Round}
	if OfLinks(f.Kind) {
		c.To = f.To
	}
	return c, e.Strikes(f, c)
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

// Effects are what the faults of a schedule do to cells.
type Effects struct {
	environment *universe.Environment // nil: it is not known
	processes   []string
}

// Effects returns what the current schedule does to cells.
func (e *Exploration) Effects() Effects {
	environment, err := universe.NewEnvironment(e.bounds, e.now.schedule)
	if err != nil {
		environment = nil
	}
	return Effects{environment, e.bounds.Processes}
}

// Lost tells of a process whether it is down in a round, and of a link whether what is
// sent on it is lost.
func (e Effects) Lost(c Cell) bool {
	if e.environment == nil {
		return false
	}
	from, to := slices.Index(e.processes, c.From), slices.Index(e.processes, c.To)
	if c.To == "" {
		return e.environment.Down(from, c.Round)
	}
	return !e.environment.Delivers(from, to, c.Round)
}
