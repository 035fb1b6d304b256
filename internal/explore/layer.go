package explore

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Layer is a grid of cells.
type Layer int

// The layers.
const (
	Processes Layer = iota
	Links
	Others // ways to part the processes, and facts that the environment can choose
)

func (l Layer) String() string {
	return [...]string{"processes", "links", "partitions and choices"}[l]
}

// LayerOf returns the layer on which faults of a kind are.
func LayerOf(k rounds.Kind) Layer {
	switch k {
	case rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate:
		return Links
	case rounds.Partition, rounds.Choose:
		return Others
	default:
		return Processes
	}
}

// Cell is a row of a layer in a round.
type Cell struct {
	From, To string // a process, or a link

	// Kind belongs to the other layer: the sides of a partition, or a fact that can be
	// chosen.
	Kind   rounds.Kind
	Detail string

	Round int
}

// Layer is that of the cell.
func (c Cell) Layer() Layer {
	switch {
	case c.Detail != "":
		return Others
	case c.To != "":
		return Links
	default:
		return Processes
	}
}

// Name returns the label of the row of the cell.
func (c Cell) Name() string {
	switch c.Layer() {
	case Others:
		return c.Detail
	case Links:
		return c.From + ">" + c.To
	default:
		return c.From
	}
}

// rowsOf returns the cells of each layer, without a round.
func rowsOf(b rounds.Bounds, u *schedules.Universe) (rows [3][]Cell) {
	for _, from := range b.Processes {
		rows[Processes] = append(rows[Processes], Cell{From: from})
		for _, to := range b.Processes {
			if from != to {
				rows[Links] = append(rows[Links], Cell{From: from, To: to})
			}
		}
	}
	for i := range u.Splits() {
		rows[Others] = append(rows[Others], Cell{Kind: rounds.Partition, Detail: u.Split(i)})
	}
	known := map[string]bool{}
	for _, choice := range b.Choose {
		for _, f := range choice.Of {
			if !known[f.Detail] {
				rows[Others] = append(rows[Others], Cell{Kind: rounds.Choose, Detail: f.Detail})
			}
			known[f.Detail] = true
		}
	}
	return rows
}

// Rows returns the cells of a layer, without rounds: none if the bounds have no faults for
// the layer.
func (e *Exploration) Rows(l Layer) []Cell { return e.rows[l] }

// faultsOf returns the faults of a kind that can begin in a cell, in the order in which they
// are tried. Those that last do so to the end of their phase.
// Faults of a link hit all messages, and then those of each kind that the bounds pick out.
func (e *Exploration) faultsOf(k rounds.Kind, c Cell) []rounds.Fault {
	f := rounds.Fault{Kind: k, Process: c.From, To: c.To, Detail: c.Detail, Round: c.Round}
	all := e.likeOne(f)
	if c.Layer() == Links {
		for _, f.Of = range e.bounds.Kinds {
			all = append(all, e.likeOne(f)...)
		}
	}
	return all
}

// likeOne returns the faults like one that differ in how much later they make messages, or
// in what they do to a process.
func (e *Exploration) likeOne(f rounds.Fault) []rounds.Fault {
	switch f.Kind {
	case rounds.Crash:
		return e.crashes(f)
	case rounds.Delay, rounds.Duplicate:
		return byUpTo(f, e.bounds.MaxDelay)
	case rounds.Jump:
		return byUpTo(f, e.bounds.MaxJump)
	case rounds.Isolate, rounds.Pause, rounds.Cut, rounds.Fast, rounds.Slow, rounds.Terminate, rounds.Partition:
		return []rounds.Fault{e.lasting(f)}
	default:
		return []rounds.Fault{f}
	}
}

// byUpTo returns a fault by one round, and by more.
func byUpTo(f rounds.Fault, most int) []rounds.Fault {
	var all []rounds.Fault
	for f.By = 1; f.By <= max(most, 1); f.By++ {
		all = append(all, f)
	}
	return all
}

// crashes returns crashes at the beginning of the round of f and at the points within it,
// after which the disk keeps none, all or some of the data that was not synced.
func (e *Exploration) crashes(f rounds.Fault) []rounds.Fault {
	disks := []string{""}
	if e.bounds.Disks {
		disks = []string{"", "kept", "torn"}
	}
	var all []rounds.Fault
	for _, point := range append([]string{""}, e.bounds.Points[f.Process]...) {
		for _, disk := range disks {
			f.Detail = point
			if point != "" && disk != "" {
				f.Detail += "/"
			}
			f.Detail += disk
			all = append(all, f)
		}
	}
	return all
}

// lasting returns a fault that lasts to the end of the phase, as the bounds have it if
// they do.
func (e *Exploration) lasting(f rounds.Fault) rounds.Fault {
	first := f.Round - (f.Round-1)%e.bounds.Period
	if e.bounds.At != "" {
		f.Round = first
	}
	end := min(first+e.bounds.Period-1, e.bounds.EOT)
	for f.Until = end; f.Until >= f.Round; f.Until-- {
		if _, ok := e.universe.Index(f); ok {
			return f
		}
	}
	f.Until = end
	return f
}

// Kinds returns the kinds of faults that can be in a cell: first those that the bounds have
// a budget for, and then the others. Restarts come before crashes, so that a process that
// is down restarts.
func (e *Exploration) Kinds(c Cell) []rounds.Kind {
	var kinds, more []rounds.Kind
	switch {
	case c.Layer() == Others:
		return []rounds.Kind{c.Kind}
	case c.Layer() == Links:
		kinds = []rounds.Kind{rounds.Omit, rounds.Cut, rounds.Delay, rounds.Duplicate}
	case e.system:
		kinds = []rounds.Kind{rounds.Restart, rounds.Crash, rounds.Isolate, rounds.Pause}
		more = []rounds.Kind{rounds.Fast, rounds.Slow, rounds.Jump, rounds.FailSync, rounds.Terminate}
	case e.bounds.CrashStop:
		kinds = []rounds.Kind{rounds.Restart, rounds.Crash, rounds.Isolate}
	default:
		kinds = []rounds.Kind{rounds.Crash, rounds.Isolate}
	}
	for _, k := range more {
		if e.allowed(k) {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b rounds.Kind) int { return e.idle(a) - e.idle(b) })
	return kinds
}

func (e *Exploration) idle(k rounds.Kind) int {
	if e.allowed(k) {
		return 0
	}
	return 1
}

// allowed tells whether the bounds have a budget for a kind of fault: a budget for
// partitions allows isolations as well.
func (e *Exploration) allowed(k rounds.Kind) bool {
	return e.bounds.Budget(k) != 0 || k == rounds.Isolate && e.bounds.Partitions != 0
}

func withArticle(k rounds.Kind) string {
	if noun := k.Noun(); slices.Contains([]rune("aeiou"), rune(noun[0])) {
		return "an " + noun
	}
	return "a " + k.Noun()
}
