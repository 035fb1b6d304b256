package provenance

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// timeless are the kinds of faults that a step has.
var timeless = []rounds.Kind{rounds.Crash, rounds.Restart, rounds.Omit, rounds.Isolate, rounds.Partition, rounds.Cut, rounds.Delay, rounds.Duplicate}

// faults makes the inputs and bits of faults, and the literals of the units of the two rounds of the graph.
// In the first round there is what lasts, and what begins; in the second nothing but a restart, and
// the crash that it undoes.
func (s *Step) faults() {
	g := s.Graph
	c, b := g.Circuit, g.Bounds
	s.down()
	begun := map[rounds.Kind][]solver.Lit{}
	new := func(f rounds.Fault) solver.Lit {
		l := c.Input()
		s.units[key(f)] = l
		g.require(c.Or(l.Not(), s.possible(f)))
		begun[f.Kind] = append(begun[f.Kind], l)
		return l
	}
	for unit := range g.Universe.Len() {
		f := g.Universe.Fault(unit)
		p := slices.Index(b.Processes, f.Process)
		l := solver.False
		switch again := restarting(b); {
		case !g.Universe.Alive(unit) || f.Round > 2 || f.Round > 1 && (!again || f.Kind != rounds.Crash && f.Kind != rounds.Restart):
		case f.Kind == rounds.Restart && f.Round == 1:
			l = c.Or(g.restriction.back[p], c.And(s.named[1], new(f))) // after a crash in the first round of all
		case f.Kind == rounds.Crash && !again:
			l = c.Or(new(f), g.restriction.down[p])
		case f.Kind == rounds.Crash && f.Round == 1:
			l = new(f)
			g.require(c.And(l, g.restriction.back[p]).Not())
		case f.Kind == rounds.Isolate || f.Kind == rounds.Partition || f.Kind == rounds.Cut:
			l = s.lasts(f, new(f))
		default:
			l = new(f)
		}
		g.restriction.step = append(g.restriction.step, l)
	}
	if g.restriction.step == nil {
		g.restriction.step = []solver.Lit{}
	}
	for _, k := range timeless {
		most, all := b.Budget(k), begun[k]
		if k == rounds.Isolate && b.Partitions != 0 { // a partition that is not used allows one more isolation
			most, all = most+b.Partitions, slices.Concat(all, begun[rounds.Partition])
			if b.Isolations == rounds.Unlimited || b.Partitions == rounds.Unlimited {
				most = rounds.Unlimited
			}
		}
		if most != rounds.Unlimited && len(all) > 0 && (k != rounds.Crash || restarting(b)) {
			s.count(k, most, all)
		}
	}
}

// possible is true in rounds in which there can be a fault: not before those in which it strikes take
// part, and only with a phase where the bounds say so. A fault in the second round comes one round later.
func (s *Step) possible(f rounds.Fault) solver.Lit {
	from := max(s.bounds.FirstFault(), 1)
	if f.Kind != rounds.Partition {
		from = max(from, s.bounds.Joined(f.Process), s.bounds.Joined(f.To))
	}
	begins := solver.True
	if s.bounds.At != "" {
		begins = s.phase[1]
		if f.Round > 1 {
			begins = s.phase[len(s.phase)-1]
		}
	}
	return s.Graph.Circuit.And(s.since(from-f.Round+1), begins)
}

// down makes the bits of processes that have crashed, and of those that are back in the round.
func (s *Step) down() {
	g := s.Graph
	b, n := g.Bounds, len(g.Bounds.Processes)
	g.restriction.down, g.restriction.back = slices.Repeat([]solver.Lit{solver.False}, n), slices.Repeat([]solver.Lit{solver.False}, n)
	if b.Crashes == 0 {
		return
	}
	g.restriction.down = s.bits(n, func(i int) StateBit { return StateBit{Process: b.Processes[i], Name: "has crashed"} })
	if restarting(b) {
		g.restriction.back = s.bits(n, func(i int) StateBit { return StateBit{Process: b.Processes[i], Name: "comes back"} })
		if slices.ContainsFunc(g.relations, func(r *relation) bool { return base(r.name) == syntax.Crash }) {
			s.once = s.bits(n, func(i int) StateBit { return StateBit{Process: b.Processes[i], Name: "has crashed before"} })
		}
	}
	for range len(s.State) - len(s.Next) {
		s.Next = append(s.Next, solver.False) // until fates knows better
	}
}

// fates says which processes are down after the round, and back in the next.
func (s *Step) fates() {
	g := s.Graph
	next := func(l, to solver.Lit) {
		if i := slices.IndexFunc(s.State, func(b StateBit) bool { return b.Lit == l }); i >= 0 {
			s.Next[i] = to
		}
	}
	for p := range g.Bounds.Processes {
		if !restarting(g.Bounds) {
			next(g.restriction.down[p], g.delivery.crashed(p, 1))
			continue
		}
		next(g.restriction.down[p], g.delivery.crashed(p, 2))
		next(g.restriction.back[p], g.delivery.back[p][2])
		crashes := g.Universe.Crashes(p)
		if crashes == nil {
			continue
		}
		now, then := g.Inputs[crashes[0]], g.Inputs[crashes[1]]
		g.require(g.Circuit.Or(then.Not(), g.delivery.back[p][2]))
		if s.once != nil {
			next(s.once[p], g.Circuit.Ors(s.once[p], now, then))
		}
	}
}

// giveKnownCrashes fills the built-in relation, also as a relation of a named round, with the crashes up
// to the round. Their rounds are not told apart.
func (ev *evaluation) giveKnownCrashes(s *Step, crash *relation) {
	for p := range s.Graph.Bounds.Processes {
		crashes := s.Graph.Universe.Crashes(p)
		if crashes == nil {
			continue
		}
		known := s.Graph.Inputs[crashes[0]]
		if s.once != nil {
			known = ev.circuit.Or(known, s.once[p])
		}
		for _, observer := range ev.processes {
			ev.tuple = append(ev.tuple[:0], observer, ev.processes[p], ev.graph.values.id(specs.Int(1)))
			fact := ev.fact(crash.nodes[1], ev.tuple)
			fact.cond, fact.fixed = known, true
		}
	}
}

// lasts is a fault that lasts until its phase ends: it lasted into the round, or begins.
func (s *Step) lasts(f rounds.Fault, begins solver.Lit) solver.Lit {
	c := s.Graph.Circuit
	if s.Graph.Bounds.Period == 1 {
		return begins
	}
	f.Round, f.Until = 0, 0
	lasted := s.bits(1, func(int) StateBit { return stays(f) })[0]
	s.Graph.require(c.And(lasted, begins).Not())
	now := c.Or(lasted, begins)
	s.Next = append(s.Next, c.And(now, s.phase[len(s.phase)-1].Not()))
	return now
}

// stays is the bit that says that a fault of no round lasts into the next one.
func stays(f rounds.Fault) StateBit {
	if f.Kind == rounds.Isolate {
		return StateBit{Process: f.Process, Name: "stays isolated"}
	}
	return StateBit{Name: f.String() + " lasts"}
}

// count makes the bits that count the faults of a kind that have begun, up to the most that there may be.
func (s *Step) count(k rounds.Kind, most int, begun []solver.Lit) {
	c := s.Graph.Circuit
	before := s.bits(most, func(i int) StateBit { return StateBit{Name: fmt.Sprintf("at least %d of %s", i+1, k.Setting())} })
	all := c.Counts(slices.Concat(before, begun), most+1)
	if len(all) > most {
		s.Graph.require(all[most].Not())
	}
	s.Next = append(s.Next, all[:most]...)
}

// Ahead returns the input of the first round that says that something will be chosen in place of a default, of which
// f is one alternative.
func (s *Step) Ahead(f rounds.Fault) (solver.Lit, bool) {
	if l, ok := s.ahead[f]; ok {
		return l, true
	}
	f.Round = 0
	l, ok := s.ahead[f]
	return l, ok
}

// Unit returns the input of a fault that begins in the round, or of what is chosen in it; its
// round in the fault is 1, or that of a choice which the program names. A restart in the next
// round, and the crash in that round that it undoes, have round 2.
func (s *Step) Unit(f rounds.Fault) (solver.Lit, bool) {
	l, ok := s.units[key(f)]
	return l, ok
}

// key is a fault without its end, which is that of its phase.
func key(f rounds.Fault) rounds.Fault {
	f.Until = 0
	return f
}
