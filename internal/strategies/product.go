package strategies

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// source gives the steps of processes, by numbers: of local states, of their messages
// (payloads), and of the facts that they report (histories).
type source interface {
	// An error of type unknown describes the step that the source does not know.
	start(process int) (state int32, err error)
	send(process, round int, from beginning) (*sending, error)
	receive(process, round int, s *sending, inbox []int32) (*receipt, error)
	crash(process, round int, state int32) (down int32, err error)
}

// beginning is how a process comes into a round.
type beginning struct {
	state   int32 // its local state
	restart bool  // it comes back from a crash
	waiting int32 // the requests that waited because the process was paused
	point   int32 // the number of the point at which it is to crash in this round, 0: at none
	more    int32 // ticks than a round has
	asked   int32 // the requests of the round that are chosen
}

// sending is how a process begins a round.
type sending struct {
	beginning
	number int32   // tells it apart, if the source needs that
	to     []int32 // the lists sent, by receiver
	facts  int32   // that it reports, as the properties see them

	crashed bool  // the process has come to its crash point, and takes no more part in the round
	next    int32 // the local state in which it has crashed
	reports int32 // all that it has reported until then
}

// receipt is how a process ends a round.
type receipt struct {
	next    int32 // its local state
	facts   int32
	reports int32 // all facts reported in the round, if the source keeps count of them
	crashed bool  // the process has come to its crash point
}

// product visits all global states, fewest faults first. In lock-step rounds no message is
// in transit between two rounds but those that come late or twice. So the next messages are
// determined by the local states, the processes that are isolated, crashed or paused, the
// messages that wait for these, and the messages in transit; together with the facts
// reported so far they determine whether a property is violated in the end. Nodes that are
// equal in all of this are visited once, with the fewest faults that lead there. If there
// are several ways, none of which has fewer faults of every kind than another, they are
// visited with each of them.
type product struct {
	session   *search.Session
	source    source
	payloads  *payloads
	requests  *requests
	histories *histories
	reports   *histories                               // nil: the source does not keep count
	check     func(*recording.Execution) (bool, error) // whether it violates a property

	bounds   rounds.Bounds
	budgets  counts
	mortal   uint64         // may crash
	splits   []split        // that may be
	reliable syntax.LinkSet // lose nothing
	pauses   bool           // there may be some
	comeLate bool           // messages may come late or twice
	goesOn   bool           // a violation at the end may come about later
	n        int
	last     int // round in which messages can be lost
	nodes    []node
	rows     []int32 // of all nodes, width for each
	width    int
	cuts     *cuts
	rates    *sequences // of clocks, by process; nil: they run as they should
	ticks    int        // of a round
	events   *sequences
	orders   *sequences           // the processes that an order names
	coming   *sequences           // the messages in transit to a process: rounds of arrival, senders and lists of payloads
	numbers  map[string]int32     // the first node of each global state
	open     map[string][]pending // the visits that wait, by unknown step
	levels   [][]visit            // nodes to visit, by cost
	each     int                  // the cost of a fault: more than all choices
	judged   map[int32]bool
	scratch  []byte
	arriving []int32
	order    []int32 // in which it reaches a process; nil: the usual one
	due      []int32 // messages sent before, as pairs of a sender and a list
	next     []int32 // a row
	omitted  []uint64
	picked   []picked // in the round
	waits    int      // steps that waited for something to be learnt
	steps    int      // the ways from one node to another so far
	most     int      // steps; 0: no limit
	here     pending  // the step that is being made
}

// node is a global state before a round, and how it is reached with the fewest faults. Its
// row has the local states; if there are pauses, the messages kept for each process, and
// the requests that wait; and if messages come late, the messages in transit to each
// process.
type node struct {
	parent  int32
	other   int32 // the same global state with other faults, -1: none
	round   int32 // that was executed last
	faults  int32
	choices int32 // of requests
	asked   int32 // the requests that are chosen for the next round
	counts  counts
	visits  int16 // it was gone on from with fewer faults than this in the next round
	events  int32 // in this round
	history int32
	reports int32  // all that was reported on the way
	cut     int32  // until the end of the phase
	rates   int32  // of clocks, until the end of the phase
	down    uint64 // the processes that have crashed
	paused  uint64 // until the end of the phase
	dropped uint64 // processes that crash at the beginning of this round, so that no messages wait for them
	ending  uint64 // crashes within this round
	back    uint64 // restarts once the pause is over
	ended   bool   // the node has no successors with more faults in the next round
	panics  bool   // a process does in this round, and nothing comes after it
	stale   bool   // it was reached with fewer faults
}

// stepsOfTrial limits the ways from one global state to the next in a trial, for each
// state.
const stepsOfTrial = 10

// visit is a visit of the successors of a node with a number of faults in the next round.
type visit struct {
	at   int32
	more int16
}

// errTooMany says that there are more global states than allowed, or more ways from one
// global state to the next.
var errTooMany = errors.New("too many global states")

// mostWaits limits the waiting steps.
func (p *product) mostWaits() int { return 4 * p.session.States }

// tooMany returns the limit that was exceeded, as a phrase.
func (p *product) tooMany() string {
	switch {
	case p.most > 0 && p.steps > p.most:
		return fmt.Sprintf("there are more than %d ways from one global state to the next", p.most)
	case p.waits > p.mostWaits():
		return fmt.Sprintf("more than %d ways from one global state to the next are not learned yet", p.mostWaits())
	}
	return fmt.Sprintf("there are more than %d global states", p.session.States)
}

// search returns the schedule of a violation with the fewest faults, and whether there is
// one.
func (p *product) search(ctx context.Context) (rounds.Schedule, bool, error) {
	b := p.session.Bounds
	p.bounds, p.n, p.last, p.goesOn = b, len(b.Processes), b.LastLoss(), p.session.GoesOn()
	if p.n > 64 {
		return rounds.Schedule{}, false, fmt.Errorf("%d processes are more than 64", p.n)
	}
	if p.session.Trial {
		p.most = stepsOfTrial * p.session.States
	}
	p.budgets, p.pauses, p.width = budgets(b), b.Pauses != 0 && p.last > 0, p.n
	if p.pauses {
		p.width = 3 * p.n
	}
	if p.comeLate = (b.Delays != 0 || b.Duplicates != 0) && p.last > 0; p.comeLate {
		p.width += p.n
	}
	if err := cmp.Or(p.checkLate(), p.checkKinds()); err != nil {
		return rounds.Schedule{}, false, err
	}
	for i, name := range b.Processes {
		if schedules.CanCrash(b, name) {
			p.mortal |= 1 << i
		}
	}
	var err error
	if p.reliable, err = syntax.Links(b.Processes, b.Reliable); err != nil {
		return rounds.Schedule{}, false, err
	}
	if p.budgets[partitions] > 0 && p.last > 0 {
		p.splits = splitsOf(b.Processes)
	}
	p.each = p.mostChoices() + 1
	p.cuts, p.events, p.orders, p.coming = newCuts(p.n, p.ways()), newSequences(), newSequences(), newSequences()
	if b.FastClocks|b.SlowClocks|b.Jumps != 0 && p.last > 0 {
		p.rates, p.ticks = newSequences(), int(p.session.With(rounds.Schedule{}).Settings.Ticks.Value)
	}
	if b.Jumps != 0 && b.MaxJump > mostMore {
		return rounds.Schedule{}, false, fmt.Errorf("max-jump=%d: this strategy knows jumps of up to %d rounds: use one that draws schedules", b.MaxJump, mostMore)
	}
	p.numbers, p.judged, p.open = map[string]int32{}, map[int32]bool{}, map[string][]pending{}
	p.arriving, p.next, p.omitted = make([]int32, p.n), make([]int32, p.width), make([]uint64, p.n)
	for i := range p.n {
		if p.next[i], err = p.source.start(i); err != nil {
			return rounds.Schedule{}, false, err
		}
	}
	p.reach(node{parent: -1})
	return p.resume(ctx)
}

// resume visits the successors of the global states that were reached, fewest faults first.
func (p *product) resume(ctx context.Context) (rounds.Schedule, bool, error) {
	for cost := 0; cost < len(p.levels); cost++ {
		for len(p.levels[cost]) > 0 {
			level := p.levels[cost]
			v := level[len(level)-1]
			p.levels[cost] = level[:len(level)-1]
			n := p.nodes[v.at]
			if n.stale || n.visits != v.more || p.cost(&n) != cost {
				continue // it was reached with fewer
			}
			if err := ctx.Err(); err != nil {
				return rounds.Schedule{}, false, err
			}
			if n.panics {
				return p.schedule(v.at), true, nil
			}
			if int(n.round) == p.bounds.EOT {
				if violated, err := p.judge(n); violated || err != nil {
					return p.schedule(v.at), violated, err
				}
				continue
			}
			if err := p.visit(v.at); err != nil {
				return rounds.Schedule{}, false, err
			}
		}
	}
	return rounds.Schedule{}, false, nil
}

// over tells whether nothing can come after the history of a global state that makes
// a difference.
func (p *product) over(n node) (bool, error) {
	if !p.goesOn {
		return true, nil
	}
	violated, err := p.judge(n)
	return !violated, err
}

// judge tells whether the history of a global state violates a property.
func (p *product) judge(n node) (bool, error) {
	history := n.history
	if violated, ok := p.judged[history]; ok {
		return violated, nil
	}
	p.session.Under(func() rounds.Schedule {
		p.nodes = append(p.nodes, n) // perhaps it is not there yet
		defer func() { p.nodes = p.nodes[:len(p.nodes)-1] }()
		return p.session.With(p.schedule(int32(len(p.nodes) - 1)))
	})
	defer p.session.Under(nil)
	violated, err := p.check(p.histories.execution(p.session, history))
	p.judged[history] = violated
	return violated, err
}

// panicked adds an end of the execution. All ends are one: only the faults that lead there
// make a difference.
func (p *product) panicked(n node) {
	n.panics, n.history = true, 0
	p.end(&n)
	p.reach(n)
}

// end removes from a global state the parts that only the next round would show.
func (p *product) end(n *node) {
	clear(p.next)
	n.cut, n.rates, n.down, n.paused, n.back, n.counts = 0, 0, 0, 0, 0, counts{}
}

// reach adds a global state, whose row is p.next, to those to visit, unless it was reached
// with as few faults before.
func (p *product) reach(n node) {
	k := p.key(&n)
	first, known := p.numbers[string(k)]
	at := int32(-1)
	for i := first; known && i >= 0; i = p.nodes[i].other {
		old := &p.nodes[i]
		switch {
		case old.stale:
		case old.cheap(&n) && old.counts.within(n.counts):
			return
		case n.cheap(old) && n.counts.within(old.counts):
			if old.stale = true; at < 0 {
				at = i
			}
		}
	}
	if at >= 0 {
		n.other = p.nodes[at].other
		p.nodes[at] = n
	} else {
		at, n.other = int32(len(p.nodes)), -1
		if known {
			n.other = p.nodes[first].other
			p.nodes[first].other = at
		} else {
			p.numbers[string(k)] = at
		}
		p.nodes = append(p.nodes, n)
		p.rows = append(p.rows, p.next...)
	}
	p.push(at)
}

// key returns a text that is different for different global states.
func (p *product) key(n *node) []byte {
	round := n.round
	if n.panics {
		round = int32(p.bounds.EOT) + 1
	}
	k := pack(p.scratch[:0], round, n.cut, int32(n.down), int32(n.down>>32), n.history)
	if p.rates != nil {
		k = pack(k, n.rates)
	}
	if n.asked != 0 {
		k = pack(k, unusual, n.asked)
	}
	if p.pauses {
		k = pack(k, int32(n.paused), int32(n.paused>>32), int32(n.back), int32(n.back>>32))
	}
	p.scratch = pack(k, p.next...)
	return p.scratch
}

// push schedules a visit of a node with the smallest number of faults in the next round
// that was not visited yet.
func (p *product) push(at int32) {
	n := &p.nodes[at]
	cost := p.cost(n)
	for len(p.levels) <= cost {
		p.levels = append(p.levels, nil)
	}
	p.levels[cost] = append(p.levels[cost], visit{at, n.visits})
}

// apart tells whether nothing that a process sends to another arrives.
func (p *product) apart(cut int32, from, to int) bool {
	return p.cuts.apart(cut, from, to) && !p.reliable.Has(from, to)
}

// row returns the row of a node.
func (p *product) row(at int32) []int32 { return p.rows[int(at)*p.width:][:p.width] }

// schedule returns the faults that lead to a node.
func (p *product) schedule(at int32) rounds.Schedule {
	var s rounds.Schedule
	for ; at >= 0; at = p.nodes[at].parent {
		s.Faults = append(s.Faults, p.faults(&p.nodes[at])...)
	}
	return s.Normal()
}

// faults returns the faults of the round that leads to a node.
func (p *product) faults(n *node) []rounds.Fault {
	var faults []rounds.Fault
	for _, e := range p.events.lists[n.events] {
		faults = append(faults, p.fault(event(e), int(n.round)))
	}
	if n.parent >= 0 {
		for _, place := range p.requests.lists.lists[p.nodes[n.parent].asked] {
			faults = append(faults, p.requests.fault(place))
		}
	}
	return faults
}
