package lineage

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// tell tells whoever listens what was executed.
func (l *loop) tell(s result.Step) {
	if l.Steps != nil {
		s.Number = l.Executions
		l.Steps(s)
	}
}

// outcomes returns the progress that the guide knows, and what it rests on.
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
