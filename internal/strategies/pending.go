package strategies

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// unknown describes a step of a process that a source does not know. It is not an error of
// the search, which postpones the visits that depend on the step.
type unknown string

func (unknown) Error() string { return "no execution has shown this transition" }

// pending is a step that waits for something not yet known.
type pending struct {
	at      int32
	faults  int32 // of the node from which the step is made
	counts  counts
	choices int32
	node    node       // that it leads to, before its last details
	sends   []*sending // nil: the sends are not known either
}

// wait waits with a step until something is known. The error is errTooMany.
func (p *product) wait(missing unknown, n node, sends []*sending) error {
	if p.waits++; p.waits > p.mostWaits() {
		return errTooMany
	}
	from := &p.nodes[n.parent]
	p.open[string(missing)] = append(p.open[string(missing)], pending{n.parent, from.faults, from.counts, from.choices, n, sends})
	return nil
}

// learnt continues the visits that waited for a step that is known now.
func (p *product) learnt(ctx context.Context, what string) error {
	waiting := p.open[what]
	delete(p.open, what)
	p.waits -= len(waiting)
	for _, w := range waiting {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !p.current(w) {
			continue
		}
		var err error
		if w.sends == nil {
			err = p.catchUp(w)
		} else {
			err = p.step(w.at, w.sends, w.node)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// catchUp visits the successors of a node with all numbers of faults that were visited
// while the messages were unknown.
func (p *product) catchUp(w pending) error {
	x := &expansion{product: p, at: w.at, row: p.row(w.at), node: w.node, chosen: slices.Clone(p.events.lists[w.node.events])}
	for left := range int(p.nodes[w.at].visits) - len(x.chosen) {
		if err := x.send(left); err != nil {
			return err
		}
	}
	if x.more && p.nodes[w.at].ended {
		x.goOn()
	}
	return nil
}

// current tells whether the step still counts: its global state was not reached
// with fewer faults since.
func (p *product) current(w pending) bool {
	from := &p.nodes[w.at]
	return !from.stale && w.faults == from.faults && w.choices == from.choices && w.counts == from.counts
}

// route returns the schedule that leads to a step that waits.
func (p *product) route(w pending) rounds.Schedule {
	s := p.schedule(w.at)
	s.Faults = append(s.Faults, p.faults(&w.node)...)
	return s.Normal()
}
