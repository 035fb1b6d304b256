package strategies

import (
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// expansion visits the successors of a node with an exact number of faults in the next
// round, in all ways that make a difference. A fault that loses messages begins in the
// first round in which it loses one, and a pause in a round in which the process is not
// down: an earlier begin has the same effect.
type expansion struct {
	*product
	at     int32
	row    []int32    // of the node
	node   node       // the successor, as far as it is determined
	chosen []int32    // the events of the round
	sends  []*sending // nil for a process that has crashed, or is paused
	links  []link     // on which something is sent that would arrive
	late   []link     // on which something is sent that may arrive later
	more   bool       // there can be more faults
}

// link goes from one process to another.
type link struct{ from, to int }

// visit visits the successors of a node with one more fault in the next round than last
// time, and schedules the node again if there can be more faults.
func (p *product) visit(at int32) error {
	if len(p.nodes) > p.session.States || p.waits > p.mostWaits() {
		return errTooMany
	}
	if p.requests.chosen != nil && p.nodes[at].visits == 0 {
		p.ask(at)
	}
	n := &p.nodes[at]
	faults := int(n.visits)
	n.visits++
	x := &expansion{product: p, at: at, row: p.row(at), node: *n}
	x.node.parent, x.node.round, x.node.visits, x.node.events, x.node.dropped, x.node.ending, x.node.asked = at, n.round+1, 0, 0, 0, 0, 0
	p.here = pending{at: at, node: x.node}
	if err := x.strike(p.n-1, faults); err != nil {
		return err
	}
	x.goOn()
	return nil
}

// goOn records whether there can be more faults.
func (x *expansion) goOn() {
	x.nodes[x.at].ended = !x.more
	if x.more {
		x.push(x.at)
	}
}

// choose adds a fault, if the kind allows one more, and calls then. If left is 0, it notes
// that there can be more faults.
func (x *expansion) choose(kind int, fault int32, left int, change func(*node), then func(left int) error) error {
	if x.node.counts[kind] >= x.budgets[kind] || int(x.node.round) < x.bounds.FirstFault() {
		return nil
	}
	if left == 0 {
		x.more = true
		return nil
	}
	before := x.node
	x.node.counts[kind]++
	x.node.faults++
	x.chosen = append(x.chosen, fault)
	change(&x.node)
	err := then(left - 1)
	x.node, x.chosen = before, x.chosen[:len(x.chosen)-1]
	return err
}

// strike makes the processes up to process crash, restart and pause in every way with at
// most left faults, and continues with lost messages.
func (x *expansion) strike(process, left int) error {
	if process < 0 {
		return x.send(left)
	}
	if err := x.stand(process, left); err != nil {
		return err
	}
	bit := uint64(1) << process
	restart := func(left int) error {
		return x.choose(restarts, newEvent(rounds.Restart, process, 0), left, func(n *node) { n.down, n.back = n.down&^bit, n.back|bit },
			func(left int) error { return x.stand(process, left) })
	}
	if x.node.down&bit != 0 {
		return restart(left)
	}
	if x.mortal&bit == 0 {
		return nil
	}
	crash := func(n *node) { n.down, n.back, n.dropped = n.down|bit, n.back&^bit, n.dropped|bit }
	return x.choose(crashes, newEvent(rounds.Crash, process, 0), left, crash, func(left int) error {
		if err := x.stand(process, left); err != nil {
			return err
		}
		return restart(left)
	})
}

// stand pauses a process or not.
func (x *expansion) stand(process, left int) error {
	if err := x.run(process, left); err != nil {
		return err
	}
	bit := uint64(1) << process
	if (x.node.down|x.node.paused)&bit != 0 || int(x.node.round) > x.last {
		return nil
	}
	return x.choose(pauses, newEvent(rounds.Pause, process, 0), left, func(n *node) { n.paused |= bit },
		func(left int) error { return x.fall(process, left) })
}

// fall makes a process crash within the round or not, and continues with the processes
// before it. A paused process crashes at the end of the round, which is a crash in the next
// round, if there is one.
func (x *expansion) fall(process, left int) error {
	if err := x.strike(process-1, left); err != nil {
		return err
	}
	bit := uint64(1) << process
	points := x.bounds.Points[x.bounds.Processes[process]]
	switch {
	case x.node.down&bit != 0 || x.mortal&bit == 0:
		return nil
	case x.node.paused&bit != 0 && !x.lasting():
		return nil
	case x.node.paused&bit != 0:
		points = points[:min(len(points), 1)]
	}
	for i := range points {
		err := x.choose(crashes, newEvent(rounds.Crash, process, i+1), left, func(n *node) { n.ending |= bit },
			func(left int) error { return x.strike(process-1, left) })
		if err != nil {
			return err
		}
	}
	return nil
}

// lasting tells whether it makes a difference how the round leaves a process although
// it is the last one.
func (x *expansion) lasting() bool { return int(x.node.round) == x.bounds.EOT && x.goesOn }

// send computes the messages of the processes, and continues with losing some of them by
// exactly left faults.
func (x *expansion) send(left int) error {
	x.sends, x.links = make([]*sending, x.n), x.links[:0]
	for i := range x.n {
		s, err := x.begin(i)
		missing, waits := err.(unknown)
		switch {
		case (waits || search.Panics(err)) && left > 0:
			return nil // it was the same with no faults left
		case waits:
			return x.wait(missing, x.settled(), nil)
		case search.Panics(err):
			x.panicked(x.settled())
			return nil
		case err != nil:
			return err
		}
		x.sends[i] = s
	}
	if int(x.node.round) <= x.last {
		x.findLinks()
		x.findLate()
	}
	return x.isolate(x.n-1, left)
}

// begin begins the round of a process and computes its messages up to a crash.
func (x *expansion) begin(process int) (*sending, error) {
	round, bit := int(x.node.round), uint64(1)<<process
	from := beginning{state: x.row[process], restart: x.node.back&bit != 0, asked: x.asked(x.at, process)}
	switch {
	case x.node.dropped&bit != 0:
		var err error
		if from.state, err = x.source.crash(process, round, from.state); err != nil {
			return nil, err
		}
	case x.product.pauses:
		from.waiting = x.row[2*x.n+process]
	}
	if (x.node.down|x.node.paused)&bit != 0 {
		return nil, nil
	}
	if x.node.ending&bit != 0 {
		from.point = pointIn(x.chosen, process)
	}
	if x.rates != nil {
		from.more = x.moreTicks(process)
	}
	return x.source.send(process, round, from)
}

// settled returns the node that the expansion leads to with the faults so far.
func (x *expansion) settled() node {
	n := x.node
	n.events = x.events.number(x.chosen)
	return n
}

// findLinks finds the links on which something is sent that would arrive.
func (x *expansion) findLinks() {
	for i, s := range x.sends {
		if s == nil {
			continue
		}
		for j, list := range s.to {
			if i != j && list != 0 && x.takes(j) && x.left(link{i, j}) != 0 {
				x.links = append(x.links, link{i, j})
			}
		}
	}
}

// takes tells whether messages to a process arrive, perhaps later.
func (x *expansion) takes(process int) bool {
	s := x.sends[process]
	return x.node.down>>process&1 == 0 && (s == nil || !s.crashed)
}

// isolate isolates the processes up to process in every way that loses a message, and
// continues with partitions.
func (x *expansion) isolate(process, left int) error {
	if left == 0 && x.more {
		return x.step(x.at, x.sends, x.settled())
	}
	if process < 0 {
		return x.part(len(x.splits)-1, left)
	}
	if err := x.isolate(process-1, left); err != nil || !x.divides(1<<process) {
		return err
	}
	return x.choose(cut, newEvent(rounds.Isolate, process, 0), left, func(n *node) { n.cut = x.cuts.divide(n.cut, 1<<process) },
		func(left int) error { return x.isolate(process-1, left) })
}

// part makes the partitions up to i in every way that loses a message, and continues with
// one-way cuts.
func (x *expansion) part(i, left int) error {
	if i < 0 || x.node.counts[partitions] >= x.budgets[partitions] {
		return x.sever(len(x.links)-1, left)
	}
	if err := x.part(i-1, left); err != nil || !x.divides(x.splits[i].side) {
		return err
	}
	parted := func(n *node) {
		n.counts[partitions]++
		n.cut = x.cuts.divide(n.cut, x.splits[i].side)
	}
	return x.choose(cut, newEvent(rounds.Partition, 0, i), left, parted, func(left int) error { return x.part(i-1, left) })
}

// sever cuts the links up to i in every way that loses a message, and continues with
// omissions.
func (x *expansion) sever(i, left int) error {
	if i < 0 || x.node.counts[severed] >= x.budgets[severed] {
		return x.omit(len(x.links)-1, left)
	}
	l := x.links[i]
	if err := x.sever(i-1, left); err != nil || x.cuts.any(x.node.cut, l.from, l.to) || x.reliable.Has(l.from, l.to) {
		return err
	}
	sever := func(way int) error {
		return x.choose(severed, onLink(rounds.Cut, l, way), left, func(n *node) { n.cut = x.cuts.sever(n.cut, l, way) },
			func(left int) error { return x.sever(i-1, left) })
	}
	if err := sever(0); err != nil {
		return err
	}
	list := x.left(l)
	for way := 1; way <= x.ways(); way++ {
		if x.payloads.part(list, way).with == 0 {
			continue // it begins when there is something to lose
		}
		if err := sever(way); err != nil {
			return err
		}
	}
	return nil
}

// divides tells whether a message is sent from one side to the other.
func (x *expansion) divides(side uint64) bool {
	for _, l := range x.links {
		if side>>l.from&1 != side>>l.to&1 && !x.cuts.apart(x.node.cut, l.from, l.to) && !x.reliable.Has(l.from, l.to) {
			return true
		}
	}
	return false
}

// omit loses the messages on the links up to i in every way that takes exactly left faults.
func (x *expansion) omit(i, left int) error {
	switch {
	case left > i+1 && !x.diverts():
		return nil
	case left == 0 && (x.more || i < 0 && !x.diverts()):
		return x.step(x.at, x.sends, x.settled())
	case i < 0:
		return x.delay(len(x.late)-1, left)
	}
	if err := x.omit(i-1, left); err != nil {
		return err
	}
	l := x.links[i]
	list := x.left(l)
	if list == 0 || x.reliable.Has(l.from, l.to) {
		return nil
	}
	omit := func(way int) error {
		return x.choose(omissions, onLink(rounds.Omit, l, way), left, func(*node) {}, func(left int) error { return x.omit(i-1, left) })
	}
	if err := omit(0); err != nil {
		return err
	}
	return x.hits(list, omit)
}
