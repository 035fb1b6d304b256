package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// delivery has the conditions of messages and crashes over the fault variables.
type delivery struct {
	graph     *Graph
	arrives   [][]solver.Lit // by round, then by sender (nobody first) and receiver
	stopped   [][]solver.Lit // by process, then by round
	processes map[string]int
}

// newDelivery makes a variable for each fault unit, and the conditions over
// them: the limits of the bounds, deliveries and crashes.
func newDelivery(g *Graph) *delivery {
	for range g.Universe.Len() {
		g.Inputs = append(g.Inputs, g.Circuit.Input())
	}
	for _, limit := range g.Universe.Limits() {
		g.Valid = append(g.Valid, g.Circuit.AtMost(g.inputs(limit.Units), limit.AtMost))
	}
	d := &delivery{graph: g, processes: map[string]int{}}
	for p, name := range g.Bounds.Processes {
		d.processes[name] = p
		stopped := make([]solver.Lit, g.Bounds.EOT+1)
		for i, unit := range g.Universe.Crashes(p) {
			stopped[i+1] = g.Circuit.Or(stopped[i], g.Inputs[unit])
		}
		d.stopped = append(d.stopped, stopped)
	}
	for round := range g.Bounds.EOT + 1 {
		d.arrives = append(d.arrives, d.inRound(round))
	}
	return d
}

// inputs returns the variables of some units.
func (g *Graph) inputs(units []int) []solver.Lit {
	lits := make([]solver.Lit, len(units))
	for i, unit := range units {
		lits[i] = g.Inputs[unit]
	}
	return lits
}

// crashed is true when a process has crashed by a round.
func (d *delivery) crashed(p, round int) solver.Lit { return d.stopped[p][round] }

// delivered is true when what from (-1 for nobody) sends to to in a round
// arrives.
func (d *delivery) delivered(from, to, round int) solver.Lit {
	return d.arrives[round][(from+1)*len(d.graph.Bounds.Processes)+to]
}

// inRound returns the conditions of all deliveries of a round.
func (d *delivery) inRound(round int) []solver.Lit {
	if round == 0 {
		return nil
	}
	n := len(d.graph.Bounds.Processes)
	lits := make([]solver.Lit, 0, (n+1)*n)
	for from := -1; from < n; from++ {
		for to := range n {
			lits = append(lits, d.lost(d.graph.Universe.Losing(from, to, round)).Not())
		}
	}
	return lits
}

// lost is true when one of some units is on. The units of one kind of fault at
// one process are taken one after the other, so that the messages of a process
// in one round, and in the next, share most of their gates.
func (d *delivery) lost(units []int) solver.Lit {
	type cause struct {
		kind    rounds.Kind
		process string
	}
	var causes []cause
	var lits []solver.Lit
	for _, unit := range units {
		f := d.graph.Universe.Fault(unit)
		c := cause{f.Kind, f.Process}
		i := slices.Index(causes, c)
		if i < 0 {
			i = len(causes)
			causes = append(causes, c)
			lits = append(lits, solver.False)
		}
		lits[i] = d.graph.Circuit.Or(lits[i], d.graph.Inputs[unit])
	}
	return d.graph.Circuit.Ors(lits...)
}
