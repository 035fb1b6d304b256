package states

import (
	"context"

	"github.com/lineage-driven/ldfi/rounds"
)

// unknown is what a source does not know of a process. It is not an error of the
// search, which waits with what depends on it.
type unknown string

func (unknown) Error() string { return "no execution has shown this transition" }

// pending is a step that waits for something not yet known.
type pending struct {
	at    int32
	node  node       // that it leads to, before its last details
	sends []*sending // nil: the whole node waits
}

// wait waits with a step until something is known.
func (p *product) wait(missing unknown, at int32, n node, sends []*sending) {
	p.open[string(missing)] = append(p.open[string(missing)], pending{at, n, sends})
}

// learnt goes on with what waited for something that is known now.
func (p *product) learnt(ctx context.Context, what string) error {
	waiting := p.open[what]
	delete(p.open, what)
	for _, w := range waiting {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !p.current(w) {
			continue
		}
		var err error
		if w.sends == nil {
			err = p.expand(w.at, w.node)
		} else {
			err = p.step(w.at, w.sends, w.node)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// current tells whether the step still counts: its global state was not reached
// with fewer faults since, from where the step is made as well.
func (p *product) current(w pending) bool {
	from := &p.nodes[w.at]
	return w.sends == nil && w.node.faults == from.faults ||
		w.sends != nil && w.node.faults == from.faults+faultsIn(w.node.struck)+faultsIn(w.node.crashed)
}

// route returns the schedule that leads to a step that waits.
func (p *product) route(w pending) rounds.Schedule {
	s := p.schedule(w.at)
	if w.sends != nil {
		s.Faults = append(s.Faults, p.faults(&w.node)...)
	}
	return s.Normal()
}
