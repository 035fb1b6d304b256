package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// delivery has the conditions of messages and crashes over the fault variables.
type delivery struct {
	graph   *Graph
	arrives map[string][][]solver.Lit // by kind of message, of those picked out; then by round, and by sender (none first) and receiver; unknown until needed
	stopped [][]solver.Lit            // by process, then by round
	back    [][]solver.Lit            // by process, then by round, when it restarts in it; nil: no process does
	causes  []cause                   // by unit
	laters  map[way]solver.Lit
}

// cause is the common part of the units that are combined first.
type cause struct {
	kind    rounds.Kind
	process string
}

const unknown = ^solver.Lit(0)

// newDelivery makes a variable for each fault unit, and the limits of the
// bounds over them.
func newDelivery(g *Graph) *delivery {
	d := &delivery{graph: g}
	for unit := range g.Universe.Len() {
		f := g.Universe.Fault(unit)
		d.causes = append(d.causes, cause{f.Kind, f.Process})
	}
	g.newInputs()
	if g.restriction.among == nil {
		for _, limit := range g.Universe.Limits() {
			g.require(g.atMost(limit.Units, limit.AtMost))
		}
	}
	for p := range g.Bounds.Processes {
		if restarting(g.Bounds) {
			d.follow(p)
			continue
		}
		stopped := make([]solver.Lit, g.Bounds.EOT+1)
		for i, unit := range g.Universe.Crashes(p) {
			stopped[i+1] = stopped[i]
			if g.Universe.Alive(unit) {
				stopped[i+1] = g.Circuit.Or(stopped[i], g.Inputs[unit])
			}
		}
		d.stopped = append(d.stopped, stopped)
	}
	d.arrives = map[string][][]solver.Lit{}
	d.assume()
	return d
}

// way is a way of messages that arrive in a later round than that in which they are sent.
type way struct {
	kind               string
	from, to, sent, at int
}

// arrivals returns the conditions of messages of a kind.
func (d *delivery) arrivals(kind string) [][]solver.Lit {
	all, known := d.arrives[kind]
	if !known {
		n := len(d.graph.Bounds.Processes)
		all = make([][]solver.Lit, d.graph.Bounds.EOT+1)
		for round := range all {
			all[round] = slices.Repeat([]solver.Lit{unknown}, (n+1)*n)
		}
		d.arrives[kind] = all
	}
	return all
}

// kindOf returns the kind of the messages that the rule sends, if faults can hit it alone.
func (r *rule) kindOf() string {
	if len(r.graph.Bounds.Kinds) == 0 {
		return ""
	}
	if kind := base(r.head.name); slices.Contains(r.graph.Bounds.Kinds, kind) {
		return kind
	}
	return ""
}

// restarting tells whether bounds have processes that come back.
func restarting(b rounds.Bounds) bool { return b.Crashes != 0 && b.Restarts != 0 }

// follow goes through the crashes and restarts of a process in turn: only a process that is
// down restarts, and only one that is up crashes.
func (d *delivery) follow(p int) {
	c, g := d.graph.Circuit, d.graph
	stopped, back := make([]solver.Lit, g.Bounds.EOT+1), make([]solver.Lit, g.Bounds.EOT+1)
	down, round := solver.False, 0
	if r := g.restriction; r.step != nil {
		down = c.Or(r.down[p], r.back[p])
	}
	until := func(next int) {
		for ; round < next; round++ {
			stopped[round] = down
		}
	}
	for _, moment := range g.Universe.Chain(p) {
		until(moment.Round)
		if moment.Kind == rounds.Restart && down == solver.False {
			g.never(moment.Units)
		}
		happens := c.Ors(g.inputs(moment.Units)...)
		if moment.Kind == rounds.Crash {
			g.require(c.And(happens, down).Not())
			down = c.Or(down, happens)
			continue
		}
		g.require(c.And(happens, down.Not()).Not())
		down = c.And(down, happens.Not())
		back[moment.Round] = happens
	}
	until(g.Bounds.EOT + 1)
	d.stopped, d.back = append(d.stopped, stopped), append(d.back, back)
}

// inputs returns the variables of some units.
func (g *Graph) inputs(units []int) []solver.Lit {
	lits := make([]solver.Lit, len(units))
	for i, unit := range units {
		lits[i] = g.Inputs[unit]
	}
	return lits
}

// crashed is true when a process has crashed by a round, and is not back by then.
func (d *delivery) crashed(p, round int) solver.Lit { return d.stopped[p][round] }

// delivered is true when a message of a kind from process from (-1: no sender) to process to
// in a round arrives.
func (d *delivery) delivered(kind string, from, to, round int) solver.Lit {
	l := &d.arrivals(kind)[round][(from+1)*len(d.graph.Bounds.Processes)+to]
	if *l == unknown && d.early(from, to, round) {
		*l = solver.False
	}
	if *l == unknown {
		*l = d.loses(kind, from, to, round).Not()
		if joined := d.graph.restriction.joined; joined != nil {
			*l = d.graph.Circuit.And(*l, joined[to])
			if from >= 0 {
				*l = d.graph.Circuit.And(*l, joined[from])
			}
		}
	}
	return *l
}

// early tells whether messages from process from to process to in a round cannot arrive
// because one of the two has not joined yet.
func (d *delivery) early(from, to, round int) bool {
	b, u := d.graph.Bounds, d.graph.Universe
	return len(b.Joins) > 0 && (round < u.Joined(to) || from >= 0 && round < u.Joined(from))
}

// loses is true when the messages of a kind from process from to process to in a round are
// lost.
func (d *delivery) loses(kind string, from, to, round int) solver.Lit {
	if d.back == nil {
		return d.lost(d.graph.Universe.LosingOf(kind, from, to, round))
	}
	lost := []solver.Lit{d.lost(d.graph.Universe.CuttingOf(kind, from, to, round)), d.crashed(to, round)}
	if from >= 0 && from != to {
		lost = append(lost, d.crashed(from, round))
	}
	return d.graph.Circuit.Ors(lost...)
}

// forgets is true when a process comes back in a round.
func (d *delivery) forgets(p, round int) solver.Lit {
	if d.back == nil {
		return solver.False
	}
	return d.back[p][round]
}

// lost is true when one of some units is on. The units of one kind of fault at one process
// are combined in order, so that the messages of a process in successive rounds share most
// of their gates.
func (d *delivery) lost(units []int) solver.Lit {
	var causes []cause
	var lits []solver.Lit
	for _, unit := range units {
		i := slices.Index(causes, d.causes[unit])
		if i < 0 {
			i = len(causes)
			causes = append(causes, d.causes[unit])
			lits = append(lits, solver.False)
		}
		lits[i] = d.graph.Circuit.Or(lits[i], d.graph.Inputs[unit])
	}
	return d.graph.Circuit.Ors(lits...)
}
