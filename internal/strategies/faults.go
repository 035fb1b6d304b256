package strategies

import (
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// faultCircuit represents the schedules within bounds as boolean functions over possible
// faults.
type faultCircuit struct {
	*solver.Circuit
	bounds   rounds.Bounds
	universe *schedules.Universe
	units    []solver.Lit   // the variable of each unit of fault
	valid    []solver.Lit   // hold for the schedules within the bounds
	up       [][]solver.Lit // by process and round: it has not crashed by then
	arrives  []solver.Lit   // by round, sender and receiver; False until they are needed
	classes  *classes
	ofClass  map[[4]int]solver.Lit // arrives, by class, sender, receiver and round
}

func newFaultCircuit(b rounds.Bounds) *faultCircuit {
	c := &faultCircuit{Circuit: solver.NewCircuit(0), bounds: b, universe: schedules.New(b), classes: newClasses(b.Kinds), ofClass: map[[4]int]solver.Lit{}}
	for range c.universe.Len() {
		c.units = append(c.units, c.Input())
	}
	for _, limit := range c.universe.Limits() {
		c.valid = append(c.valid, c.AtMost(c.inputs(limit.Units), limit.AtMost))
	}
	for p := range b.Processes {
		up := []solver.Lit{solver.True}
		crashes := c.universe.Crashes(p)
		for round := 1; round <= b.EOT; round++ {
			up = append(up, up[round-1])
			if crashes != nil && c.universe.Alive(crashes[round-1]) {
				up[round] = c.And(up[round], c.units[crashes[round-1]].Not())
			}
		}
		c.up = append(c.up, up)
	}
	n := len(b.Processes)
	c.arrives = make([]solver.Lit, (b.EOT+1)*n*n)
	c.assume()
	return c
}

// inputs returns the variables of units.
func (c *faultCircuit) inputs(units []int) []solver.Lit {
	lits := make([]solver.Lit, len(units))
	for i, unit := range units {
		lits[i] = c.units[unit]
	}
	return lits
}

// delivers is true when the messages from process from to process to in a round arrive that are
// of no kind that the bounds pick out.
func (c *faultCircuit) delivers(from, to, round int) solver.Lit {
	n := len(c.bounds.Processes)
	l := &c.arrives[(round*n+from)*n+to]
	if *l == solver.False { // not needed before, or always False
		*l = c.loses(c.universe.Losing(from, to, round)).Not()
	}
	return *l
}

// loses is true when one of the units is on. The units of one kind at one process are
// combined in order, so that the messages of a process share most of their gates.
func (c *faultCircuit) loses(units []int) solver.Lit {
	type cause struct {
		kind    rounds.Kind
		process string
	}
	at := map[cause]int{}
	var lits []solver.Lit
	for _, unit := range units {
		f := c.universe.Fault(unit)
		i, known := at[cause{f.Kind, f.Process}]
		if !known {
			i = len(lits)
			at[cause{f.Kind, f.Process}] = i
			lits = append(lits, solver.False)
		}
		lits[i] = c.Or(lits[i], c.units[unit])
	}
	return c.Ors(lits...)
}

// crashes is true when the process crashes in the round.
func (c *faultCircuit) crashes(p, round int) solver.Lit {
	return c.And(c.up[p][round-1], c.up[p][round].Not())
}

// exactly is true under one schedule.
func (c *faultCircuit) exactly(s rounds.Schedule) (solver.Lit, error) {
	on, err := c.universe.Units(s)
	if err != nil {
		return solver.False, err
	}
	lits := make([]solver.Lit, len(c.units))
	for i, l := range c.units {
		lits[i] = l.Not()
	}
	for _, unit := range on {
		lits[unit] = c.units[unit]
	}
	return c.Ands(lits...), nil
}

// assume keeps only the schedules under which each round meets the assumptions of the
// bounds.
func (c *faultCircuit) assume() {
	if c.bounds.Deliver == "" && c.bounds.Kernel == "" {
		return
	}
	least, kernel := c.bounds.Network()
	for round := 1; round <= c.bounds.EOT; round++ {
		r := provenance.NetworkRound{
			Circuit: c.Circuit, Processes: len(c.bounds.Processes),
			Up:      func(p int) solver.Lit { return c.up[p][round] },
			Arrives: func(from, to int) solver.Lit { return c.delivers(from, to, round) },
		}
		c.valid = append(c.valid, r.Conditions(least, kernel)...)
	}
}
