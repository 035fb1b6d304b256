package strategies

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// tell reports a step to the listener, if there is one.
func (l *loop) tell(s result.Step) {
	if l.Steps != nil {
		s.Number = l.Executions
		l.Steps(s)
	}
}

// shows returns an outcome with the support that an execution shows: the faults that
// prevent it alone, and the messages that all of these lose. If there are several supports
// that are the same for the solver, no fault alone prevents it.
func (c *faultCircuit) shows(s support, e *recording.Execution) result.Outcome {
	o := result.Outcome{Fact: s.outcome}
	fatal := c.fatal(s.enough)
	if !slices.Contains(fatal, true) && s.enough != solver.True {
		o.More = true
		return o
	}
	var shown result.Support
	for unit := range c.units {
		if fatal[unit] {
			shown.Clause = append(shown.Clause, c.universe.Fault(unit).String())
		}
	}
	for _, m := range e.Messages {
		from, to := c.index(m.From), c.index(m.To)
		if m.Lost || from < 0 || to < 0 || from == to {
			continue
		}
		losing := c.losing(c.classes.classOf(&m), from, to, m.Round)
		if len(losing) > 0 && !slices.ContainsFunc(losing, func(unit int) bool { return !fatal[unit] }) {
			shown.Messages = append(shown.Messages, fmt.Sprintf("%s %s>%s@%d", m.Relation, m.From, m.To, m.Round))
		}
	}
	o.Supports = result.List[result.Support]{shown}
	return o
}

// fatal returns the units any of which alone makes the function enough false, which is true
// without faults.
func (c *faultCircuit) fatal(enough solver.Lit) []bool {
	fatal := make([]bool, len(c.units))
	words := solver.NewWords(c.Circuit, enough)
	for first := 0; first < len(c.units); first += 64 {
		inputs := make([]uint64, c.Inputs())
		last := min(first+64, len(c.units))
		for unit := first; unit < last; unit++ {
			_, _, _, number := c.Node(c.units[unit])
			inputs[number] = 1 << (unit - first)
		}
		words.Eval(inputs)
		for unit := first; unit < last; unit++ {
			fatal[unit] = words.Value(enough)>>(unit-first)&1 == 0
		}
	}
	return fatal
}

// outcomes returns the progress that the guide knows, and its supports.
func (l *loop) outcomes() (all []result.Outcome) {
	if l.guide == nil {
		return nil
	}
	for _, p := range l.guide.phases {
		for _, i := range p.first {
			if p.events[i].fact {
				all = append(all, l.guide.outcome(p, i))
			}
		}
	}
	return all
}

func (g *guide) outcome(p *phase, i int) result.Outcome {
	o := result.Outcome{Fact: p.text(i, g.Bounds.Processes), More: len(p.supports[i]) == maxSupports}
	for _, support := range p.supports[i] {
		var s result.Support
		for _, message := range support.all() {
			e := p.events[message]
			s.Messages = append(s.Messages, p.text(message, g.Bounds.Processes))
			for _, unit := range g.isolated.Losing(e.from, e.to, e.round) {
				s.Clause = append(s.Clause, g.isolated.Fault(unit).String())
			}
		}
		slices.Sort(s.Clause)
		s.Clause = slices.Compact(s.Clause)
		o.Supports = append(o.Supports, s)
	}
	slices.SortStableFunc(o.Supports, func(a, b result.Support) int { return len(a.Messages) - len(b.Messages) })
	return o
}
