package strategies

import "math"

// ask chooses one more of the requests of the next round, in every way. Nodes with fewer
// requests are visited first.
func (p *product) ask(at int32) {
	n := p.nodes[at]
	if n.counts[choices] >= p.budgets[choices] {
		return
	}
	list := p.requests.lists.lists[n.asked]
	for _, place := range p.requests.chosen[n.round+1] {
		if len(list) > 0 && place <= list[len(list)-1] || p.inVain(&n, place) {
			continue
		}
		more := n
		more.visits, more.ended = 0, false
		more.asked = p.requests.lists.number(append(list[:len(list):len(list)], place))
		more.choices++
		if p.budgets[choices] < math.MaxInt16 {
			more.counts[choices]++
		}
		copy(p.next, p.row(at))
		p.reach(more)
	}
}

// inVain tells whether a request is made of a process that is down for good.
func (p *product) inVain(n *node, place int32) bool {
	if n.counts[restarts] < p.budgets[restarts] {
		return false
	}
	process := p.requests.all[place].Process
	for i, name := range p.bounds.Processes {
		if name == process {
			return n.down>>i&1 == 1
		}
	}
	return false
}

// asked returns the list of the chosen requests to a process in the round after a node.
func (p *product) asked(at int32, process int) int32 {
	return p.requests.of(p.nodes[at].asked, p.bounds.Processes[process])
}

// mostChoices is the most requests that a schedule chooses.
func (p *product) mostChoices() int { return min(p.requests.choosable(), int(p.budgets[choices])) }

// cost orders nodes with the faults that are looked at next: by their number, and
// then by the number of requests that are chosen.
func (p *product) cost(n *node) int { return (int(n.faults)+int(n.visits))*p.each + int(n.choices) }

// cheap tells whether a node is reached with no more than another.
func (n *node) cheap(m *node) bool {
	return n.faults < m.faults || n.faults == m.faults && n.choices <= m.choices
}
