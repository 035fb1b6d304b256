package strategies

import (
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// step executes the round that leads to a node.
func (p *product) step(at int32, sends []*sending, n node) error {
	if p.steps++; p.most > 0 && p.steps > p.most {
		return errTooMany
	}
	p.here = pending{at: at, node: n, sends: sends}
	p.lose(&n)
	copy(p.next, p.row(at))
	for to := range p.n {
		p.arrive(to, sends, &n)
		if p.diverts() {
			p.divert(to, sends, &n)
		}
		goes, err := p.turn(to, sends[to], &n)
		switch missing, waits := err.(unknown); {
		case waits:
			return p.wait(missing, p.here.node, sends)
		case search.Panics(err):
			p.panicked(n)
			return nil
		case err != nil || !goes:
			return err
		}
	}
	n.ending = 0
	return p.finish(n)
}

// turn ends the round of a process, to which p.arriving comes. It tells whether to
// continue: a crash at a point that the process does not come to equals a crash in the next
// round.
func (p *product) turn(to int, s *sending, n *node) (bool, error) {
	round, bit := int(n.round), uint64(1)<<to
	var kept, waiting int32
	if p.pauses {
		if n.dropped&bit == 0 {
			kept, waiting = p.next[p.n+to], p.next[2*p.n+to]
		}
		p.next[p.n+to], p.next[2*p.n+to] = 0, 0
	}
	if n.dropped&bit != 0 {
		if err := p.crash(to, round); err != nil {
			return false, err
		}
	}
	ends := n.ending&bit != 0
	switch {
	case n.down&bit != 0:
		return true, nil
	case s == nil && !ends: // it is paused
		p.next[p.n+to] = p.payloads.keep(kept, p.arriving, p.order, p.due)
		p.next[2*p.n+to] = p.requests.wait(waiting, to, round, p.asked(n.parent, to))
		return true, nil
	case s != nil:
		r, err := p.receive(to, round, s, kept)
		if err != nil || ends && !r.crashed && !(round == p.bounds.EOT && p.goesOn) {
			return false, err
		}
		p.next[to] = r.next
		n.back &^= bit
		n.history = p.histories.add(p.histories.add(n.history, s.facts), r.facts)
		if p.reports != nil {
			n.reports = p.reports.add(n.reports, r.reports)
		}
	}
	if !ends {
		return true, nil
	}
	n.down, n.back = n.down|bit, n.back&^bit
	return true, p.crash(to, round)
}

// crash makes a process crash in its present state.
func (p *product) crash(process, round int) (err error) {
	p.next[process], err = p.source.crash(process, round, p.next[process])
	return err
}

// receive gives a process the messages that were kept for it and those that arrive, unless
// it has crashed before.
func (p *product) receive(to, round int, s *sending, kept int32) (*receipt, error) {
	if s.crashed {
		return &receipt{next: s.next, reports: s.reports, crashed: true}, nil
	}
	return p.source.receive(to, round, s, p.payloads.after(kept, p.arriving, p.order, p.due))
}

// lose records the omissions and delays of the round that leads to a node.
func (p *product) lose(n *node) {
	clear(p.omitted)
	p.picked = p.picked[:0]
	for _, e := range p.events.lists[n.events] {
		e := event(e)
		way := 0
		switch e.kind() {
		case rounds.Omit:
			way = e.by()
		case rounds.Delay:
			way, _ = p.lateness(e)
		default:
			continue
		}
		if way > 0 {
			p.picked = append(p.picked, picked{link{e.process(), e.to()}, way})
		} else {
			p.omitted[e.process()] |= 1 << e.to()
		}
	}
}

// arrive determines the messages that reach a process in the round that leads to a node.
func (p *product) arrive(to int, sends []*sending, n *node) {
	for i, s := range sends {
		p.arriving[i] = 0
		switch {
		case s == nil:
		case i == to:
			p.arriving[i] = s.to[to]
		case p.omitted[i]>>to&1 == 0:
			p.arriving[i] = p.without(link{i, to}, p.passes(n.cut, i, to, s.to[to]))
		}
	}
}

// finish ends the round that leads to a node, whose row is p.next.
func (p *product) finish(n node) error {
	round := int(n.round)
	if round%max(p.bounds.Period, 1) == 0 || round >= p.last {
		n.cut, n.paused, n.rates = 0, 0, 0
	}
	if n.counts[restarts] >= p.budgets[restarts] { // a process that is down does not come back
		n.cut, n.paused = p.cuts.without(n.cut, n.down), n.paused&^n.down
		for i := range p.n {
			if n.down>>i&1 == 1 {
				p.next[i] = 0
				if p.comeLate {
					p.next[p.width-p.n+i] = 0
				}
			}
		}
	}
	if round == p.bounds.EOT {
		over, err := p.over(n)
		if err != nil {
			return err
		}
		if over { // only the history matters now
			p.end(&n)
		}
	}
	p.reach(n)
	return nil
}
