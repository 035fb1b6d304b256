package states

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
		if p.pauses && (n.down|n.dropped|^n.paused)>>to&1 == 1 {
			p.next[p.n+to], p.next[2*p.n+to] = 0, 0
		}
		if n.down>>to&1 == 1 {
			continue
		}
		p.arrive(to, sends, &n)
		if n.paused>>to&1 == 1 {
			p.next[p.n+to] = p.payloads.keep(p.next[p.n+to], p.arriving)
			p.next[2*p.n+to] = p.requests.wait(p.next[2*p.n+to], to, int(n.round))
			continue
		}
		inbox := p.arriving
		if p.pauses && n.dropped>>to&1 == 0 {
			inbox = p.payloads.after(p.row(at)[p.n+to], inbox)
		}
		r, err := p.source.receive(to, int(n.round), sends[to], inbox)
		if missing, ok := err.(unknown); ok {
			return p.wait(missing, p.here.node, sends)
		}
		if search.Panics(err) {
			p.panicked(n)
			return nil
		}
		if err != nil {
			return err
		}
		p.next[to] = r.next
		n.back &^= 1 << to
		n.history = p.histories.add(p.histories.add(n.history, sends[to].facts), r.facts)
		if p.reports != nil {
			n.reports = p.reports.add(n.reports, r.reports)
		}
	}
	return p.finish(n)
}

// lose takes note of the omissions of the round that leads to a node.
func (p *product) lose(n *node) {
	clear(p.omitted)
	for _, e := range p.events.lists[n.events] {
		if e := event(e); e.kind() == rounds.Omit {
			p.omitted[e.process()] |= 1 << e.to()
		}
	}
}

// arrive says what reaches a process in the round that leads to a node.
func (p *product) arrive(to int, sends []*sending, n *node) {
	for i, s := range sends {
		p.arriving[i] = 0
		if s != nil && (i == to || p.omitted[i]>>to&1 == 0 && !p.apart(n.cut, i, to)) {
			p.arriving[i] = s.to[to]
		}
	}
}

// finish ends the round that leads to a node, whose row is p.next.
func (p *product) finish(n node) error {
	round := int(n.round)
	if round%max(p.bounds.Period, 1) == 0 || round >= p.last {
		n.cut, n.paused = 0, 0
	}
	if n.counts[restarts] >= p.budgets[restarts] { // who is down does not come back
		n.cut, n.paused = p.cuts.without(n.cut, n.down), n.paused&^n.down
		for i := range p.n {
			if n.down>>i&1 == 1 {
				p.next[i] = 0
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
