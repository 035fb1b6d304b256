package strategies

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// mostLater is the most rounds by which a message can be late in an event.
const mostLater = 1<<10 - 1

// later returns the event that the messages on a link that a way hits come by rounds later, or
// once more.
func (p *product) later(kind rounds.Kind, l link, way, by int) int32 {
	return newEvent(kind, l.from, l.to|(way*p.bounds.Late()+by)<<6)
}

// to is the receiver of an event on a link, and by how it is hit: see lateness.
func (e event) to() int { return e.more() & 63 }
func (e event) by() int { return e.more() >> 6 }

// diverts tells whether messages may come late, twice or in another order.
func (p *product) diverts() bool { return p.comeLate || p.budgets[orders] > 0 && p.last > 0 }

// checkLate reports delays that are longer than events have them.
func (p *product) checkLate() error {
	switch longest := p.bounds.Late(); {
	case p.comeLate && (1+p.ways())*longest > mostLater && p.ways() > 0:
		return fmt.Errorf("max-delay=%d: with %s this strategy knows delays of at most %d rounds: use one that draws schedules", longest, text.Plural(p.ways(), "kind"), mostLater/(1+p.ways()))
	case p.comeLate && min(longest, p.bounds.EOT) > mostLater:
		return fmt.Errorf("max-delay=%d: this strategy knows delays of at most %d rounds: use one that draws schedules", p.bounds.MaxDelay, mostLater)
	}
	return nil
}

// longest is the most rounds by which a message of the round can be late.
func (x *expansion) longest() int {
	return min(max(x.bounds.MaxDelay, 1), x.bounds.EOT-int(x.node.round))
}

// findLate finds the links on which something is sent that may arrive later.
func (x *expansion) findLate() {
	x.late = x.late[:0]
	back := x.node.counts[restarts] < x.budgets[restarts]
	for i, s := range x.sends {
		if s == nil || !x.comeLate {
			continue
		}
		for j, list := range s.to {
			if i != j && list != 0 && (back || x.takes(j)) && !x.reliable.Has(i, j) {
				x.late = append(x.late, link{i, j})
			}
		}
	}
}

// delay makes the messages on the links up to i late or not, and then duplicates them or
// not.
func (x *expansion) delay(i, left int) error {
	switch {
	case left == 0 && x.more:
		return x.step(x.at, x.sends, x.settled())
	case i < 0:
		return x.order(x.n-1, left)
	}
	if err := x.duplicate(i, left); err != nil {
		return err
	}
	return x.put(rounds.Delay, delays, i, left, x.duplicate)
}

// duplicate makes the messages on link i come once more, or not.
func (x *expansion) duplicate(i, left int) error {
	if err := x.delay(i-1, left); err != nil {
		return err
	}
	return x.put(rounds.Duplicate, duplicates, i, left, func(i, left int) error { return x.delay(i-1, left) })
}

// put makes the messages on a link come later, in every way.
func (x *expansion) put(kind rounds.Kind, count, i, left int, then func(i, left int) error) error {
	l := x.late[i]
	list := x.left(l)
	if list == 0 || x.omitted(l) {
		return nil
	}
	put := func(way int) error {
		for by := 1; by <= x.longest(); by++ {
			err := x.choose(count, x.later(kind, l, way, by), left, func(*node) {}, func(left int) error { return then(i, left) })
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := put(0); err != nil {
		return err
	}
	return x.hits(list, put)
}

// order permutes the messages that reach the processes up to process in every way that
// takes exactly left faults.
func (x *expansion) order(process, left int) error {
	switch {
	case left == 0 && (x.more || process < 0):
		return x.step(x.at, x.sends, x.settled())
	case process < 0:
		return nil
	}
	if err := x.order(process-1, left); err != nil || x.budgets[orders] == 0 || int(x.node.round) > x.last || !x.takes(process) {
		return err
	}
	senders := x.reaching(process)
	for order := range permutations(senders) {
		err := x.choose(orders, newEvent(rounds.Order, process, int(x.orders.number(order))), left, func(*node) {},
			func(left int) error { return x.order(process-1, left) })
		if err != nil {
			return err
		}
	}
	return nil
}

// reaching returns the other processes whose messages to process arrive at once.
func (x *expansion) reaching(process int) (senders []int32) {
	for i, s := range x.sends {
		if s != nil && i != process && s.to[process] != 0 && x.atOnce(link{i, process}) != 0 {
			senders = append(senders, int32(i))
		}
	}
	return senders
}

// permutations are the other orders of some processes, each without the processes that keep
// their places.
func permutations(of []int32) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		order := slices.Clone(of)
		var from func(i int) bool
		from = func(i int) bool {
			if i == len(order) {
				var moved []int32
				for i, p := range order {
					if of[i] != p {
						moved = append(moved, p)
					}
				}
				return moved == nil || yield(moved)
			}
			for j := i; j < len(order); j++ {
				order[i], order[j] = order[j], order[i]
				goes := from(i + 1)
				order[i], order[j] = order[j], order[i]
				if !goes {
					return false
				}
			}
			return true
		}
		from(0)
	}
}

// orderText writes an order as a schedule does.
func (p *product) orderText(number int) string {
	var names []string
	for _, i := range p.orders.lists[number] {
		names = append(names, p.bounds.Processes[i])
	}
	return strings.Join(names, ",")
}

// divert determines the order of messages that arrive at once at a process in the round
// that leads to a node, and the earlier messages that arrive; and it records messages that
// come later.
func (p *product) divert(to int, sends []*sending, n *node) {
	p.order, p.due = nil, p.due[:0]
	events := p.events.lists[n.events]
	for _, e := range events {
		if e := event(e); e.kind() == rounds.Order && e.process() == to {
			p.order = p.arranged(p.orders.lists[e.more()])
		}
	}
	if !p.comeLate {
		return
	}
	round, at := n.round, p.width-p.n+to
	var left []int32
	for way := range slices.Chunk(p.coming.lists[p.next[at]], 3) {
		if way[0] == round {
			p.due = append(p.due, way[1:]...)
		} else {
			left = append(left, way...)
		}
	}
	for from := range sends {
		for _, kind := range [...]rounds.Kind{rounds.Delay, rounds.Duplicate} {
			for _, e := range events {
				if e := event(e); e.kind() == kind && e.process() == from && e.to() == to {
					way, by := p.lateness(e)
					list := p.payloads.part(p.passes(n.cut, from, to, sends[from].to[to]), way).with
					left = insert(left, round+int32(by), int32(from), list)
				}
			}
		}
	}
	p.next[at] = p.coming.number(left)
}

// insert puts a list that comes in a round after all that come before that round.
func insert(ways []int32, round, from, list int32) []int32 {
	at := 0
	for at < len(ways) && ways[at] <= round {
		at += 3
	}
	return slices.Insert(ways, at, round, from, list)
}

// arranged returns the processes in an order: the named ones in the places of each other.
func (p *product) arranged(named []int32) []int32 {
	places := uint64(0)
	for _, q := range named {
		places |= 1 << q
	}
	order := make([]int32, p.n)
	for i := range order {
		order[i] = int32(i)
	}
	for _, q := range named {
		order[bits.TrailingZeros64(places)] = q
		places &= places - 1
	}
	return order
}
