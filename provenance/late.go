package provenance

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// addLate adds, if messages can come late or twice, a rule for each number of rounds by
// which the messages of an @async rule can be late.
func (c *compiler) addLate(source *syntax.Rule) {
	b := c.graph.Bounds
	if source.Kind != syntax.Async || b.Delays == 0 && b.Duplicates == 0 {
		return
	}
	for late := 1; late <= min(b.MaxDelay, b.EOT-2); late++ { // sent in round 1, for the last round
		r := c.rule(source)
		r.late = late
		c.add(r)
	}
}

// later is true when a message of a kind from process from to process to in the round sent
// arrives at the end of the later round at: late, or once more.
func (d *delivery) later(kind string, from, to, sent, at int) solver.Lit {
	if from < 0 || from == to {
		return solver.False
	}
	message := way{kind, from, to, sent, at}
	l, known := d.laters[message]
	if !known {
		if d.laters == nil {
			d.laters = map[way]solver.Lit{}
		}
		l = d.postponed(kind, from, to, sent, at)
		d.laters[message] = l
	}
	return l
}

func (d *delivery) postponed(kind string, from, to, sent, at int) solver.Lit {
	leaves := d.leaves(kind, from, to, sent, at)
	if leaves == solver.False {
		return solver.False
	}
	return d.graph.Circuit.And(leaves, d.delivered("", -1, to, at))
}

// leaves is true when a message of a kind from process from to process to in the round sent is under way to the end of
// the later round at: it is late, or comes once more, and is not lost when it is sent.
func (d *delivery) leaves(kind string, from, to, sent, at int) solver.Lit {
	if from < 0 || from == to {
		return solver.False
	}
	g := d.graph
	postponed := d.lost(g.Universe.LateOf(kind, from, to, sent, at))
	if postponed == solver.False {
		return solver.False
	}
	severed := g.Circuit.Or(d.crashed(from, sent), d.lost(g.Universe.SeveringOf(kind, from, to, sent)))
	return g.Circuit.And(postponed, severed.Not())
}

// arrived is true when the message of a firing arrives when it does.
func (f *Firing) arrived() solver.Lit {
	d, from, to, round := f.rule.graph.delivery, int(f.from), int(f.to), int(f.round)
	if f.rule.late > 0 {
		return d.later(f.kindOf(), from, to, round, round+f.rule.late)
	}
	return d.delivered(f.kindOf(), from, to, round)
}

// arrives returns in which round the message of a firing arrives.
func (f *Firing) arrives() int { return int(f.round) + f.rule.late }

// LateBy returns the faults any one of which makes the message of the firing late or
// duplicates it; nil if the message arrives at once, or there is no message.
func (f *Firing) LateBy() []rounds.Fault {
	var faults []rounds.Fault
	for _, unit := range f.lateness() {
		faults = append(faults, f.rule.graph.Universe.Fault(unit))
	}
	return faults
}

// lateness returns the units without which the message of a firing does not arrive
// when it does: it is late, or comes once more. Nil if it arrives at once.
func (f *Firing) lateness() []int {
	if f.rule.late == 0 {
		return nil
	}
	return f.rule.graph.Universe.LateOf(f.kindOf(), int(f.from), int(f.to), int(f.round), f.arrives())
}
