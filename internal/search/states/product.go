package states

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// source says what processes do, by numbers: of local states, of what they send
// each other (payloads), and of the facts that they report (histories).
type source interface {
	// An error of type unknown says what the source does not know.
	start(process int) (state int32, err error)
	send(process, round int, state int32) (*sending, error)
	receive(process, round int, state int32, from []int32) (*receipt, error)
}

// sending is how a process begins a round.
type sending struct {
	to    []int32 // what it sends, by receiver
	facts int32   // that it reports, as the properties see them
}

// receipt is how a process ends a round.
type receipt struct {
	next    int32 // its local state
	facts   int32
	reports int32 // all that it reports in the round, if the source keeps count of that
}

// product goes through all global states, fewest faults first. In lock-step
// rounds no message is on its way between two rounds, so the local states and
// who is isolated or has crashed decide what comes, and with what was reported
// so far whether a property is violated in the end. What is equal in all of
// this is looked at once, with the fewest faults that lead there.
type product struct {
	session   *search.Session
	source    source
	histories *histories
	reports   *histories                               // nil: the source does not keep count
	check     func(*recording.Execution) (bool, error) // whether it violates a property

	bounds   rounds.Bounds
	goesOn   bool // what is violated in the end may come about later
	n        int
	last     int // round in which messages can be lost
	nodes    []node
	states   []int32 // of all nodes, n for each
	numbers  map[string]int32
	open     map[string][]pending // by what is not known
	levels   [][]int32            // nodes to go on from, by the number of faults
	judged   map[int32]bool
	scratch  []byte
	arriving []int32
	next     []int32
	here     pending // the step that is being made
}

// node is a global state before a round, and how it is reached with the fewest
// faults.
type node struct {
	parent   int32
	round    int32 // that was executed last
	faults   int32
	history  int32
	reports  int32  // all that was reported on the way
	isolated uint64 // until the end of the phase
	down     uint64
	struck   uint64 // isolated first in this round
	crashed  uint64 // in this round
	panics   bool   // a process does in this round, and nothing comes after it
}

// errTooMany says that there are more global states than allowed.
var errTooMany = errors.New("too many global states")

// search returns the schedule of a violation with the fewest faults, and
// whether there is one.
func (p *product) search(ctx context.Context) (rounds.Schedule, bool, error) {
	b := p.session.Bounds
	p.bounds, p.n, p.last, p.goesOn = b, len(b.Processes), b.LastLoss(), p.session.GoesOn()
	if p.n > 64 {
		return rounds.Schedule{}, false, fmt.Errorf("%d processes are more than 64", p.n)
	}
	p.numbers, p.judged, p.open = map[string]int32{}, map[int32]bool{}, map[string][]pending{}
	p.arriving, p.next = make([]int32, p.n), make([]int32, p.n)
	for i := range p.n {
		var err error
		if p.next[i], err = p.source.start(i); err != nil {
			return rounds.Schedule{}, false, err
		}
	}
	p.reach(node{parent: -1})
	return p.resume(ctx)
}

// resume goes on from the global states that were reached, fewest faults first.
func (p *product) resume(ctx context.Context) (rounds.Schedule, bool, error) {
	for faults := 0; faults < len(p.levels); faults++ {
		for len(p.levels[faults]) > 0 {
			level := p.levels[faults]
			at := level[len(level)-1]
			p.levels[faults] = level[:len(level)-1]
			n := p.nodes[at]
			if int(n.faults) != faults {
				continue // it was reached with fewer
			}
			if err := ctx.Err(); err != nil {
				return rounds.Schedule{}, false, err
			}
			if n.panics {
				return p.schedule(at), true, nil
			}
			if int(n.round) == p.bounds.EOT {
				if violated, err := p.judge(n); violated || err != nil {
					return p.schedule(at), violated, err
				}
				continue
			}
			if err := p.expand(at, n); err != nil {
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

// panicked adds an end of the execution. All of them are one: only the faults that
// lead there make a difference.
func (p *product) panicked(n node) {
	clear(p.next)
	n.panics, n.history, n.isolated, n.down = true, 0, 0, 0
	p.reach(n)
}

// reach adds a global state, whose local states are p.next, to those to go on
// from, unless it was reached with as few faults before.
func (p *product) reach(n node) {
	round := n.round
	if n.panics {
		round = int32(p.bounds.EOT) + 1
	}
	k := pack(p.scratch[:0], round, int32(n.isolated), int32(n.isolated>>32), int32(n.down), int32(n.down>>32), n.history)
	p.scratch = pack(k, p.next...)
	at, known := p.numbers[string(p.scratch)]
	switch {
	case !known:
		at = int32(len(p.nodes))
		p.numbers[string(p.scratch)] = at
		p.nodes = append(p.nodes, n)
		p.states = append(p.states, p.next...)
	case p.nodes[at].faults <= n.faults:
		return
	default:
		p.nodes[at] = n
	}
	for len(p.levels) <= int(n.faults) {
		p.levels = append(p.levels, nil)
	}
	p.levels[n.faults] = append(p.levels[n.faults], at)
}

// expand executes the next round in all the ways that make a difference.
func (p *product) expand(at int32, from node) error {
	if len(p.nodes) > p.session.States {
		return errTooMany
	}
	round := int(from.round) + 1
	p.here = pending{at: at}
	sends := make([]*sending, p.n)
	for i := range p.n {
		if from.down>>i&1 == 1 {
			continue
		}
		var err error
		sends[i], err = p.source.send(i, round, p.states[int(at)*p.n+i])
		if missing, ok := err.(unknown); ok {
			p.wait(missing, at, from, nil)
			return nil
		}
		if search.Panics(err) {
			p.panicked(node{parent: at, round: int32(round), faults: from.faults})
			return nil
		}
		if err != nil {
			return err
		}
	}
	down := bits.OnesCount64(from.down)
	isolations := p.left(p.bounds.Isolations, int(from.faults)-down)
	if round > p.last {
		isolations = 0
	}
	alive := (uint64(1)<<p.n - 1) &^ from.down
	return subsets(alive, p.left(p.bounds.Crashes, down), func(crashed uint64) error {
		sends := p.without(sends, crashed)
		may := p.partake(sends, from.isolated)
		return subsets(may, isolations, func(struck uint64) error {
			return p.step(at, sends, node{
				parent: at, round: int32(round), history: from.history, reports: from.reports,
				faults:   from.faults + faultsIn(struck) + faultsIn(crashed),
				isolated: from.isolated | struck, down: from.down | crashed, struck: struck, crashed: crashed,
			})
		})
	})
}

// subsets calls a function for all subsets of a set with at most so many
// elements.
func subsets(set uint64, most int, f func(uint64) error) error {
	if most <= 0 {
		return f(0)
	}
	for s := uint64(0); ; s = (s - set) & set {
		if bits.OnesCount64(s) <= most {
			if err := f(s); err != nil {
				return err
			}
		}
		if s == set {
			return nil
		}
	}
}

func (p *product) left(budget, used int) int {
	if budget == rounds.Unlimited {
		return p.n
	}
	return budget - used
}

// without leaves out what crashed processes would have sent.
func (p *product) without(sends []*sending, crashed uint64) []*sending {
	if crashed == 0 {
		return sends
	}
	sends = slices.Clone(sends)
	for i := range sends {
		if crashed>>i&1 == 1 {
			sends[i] = nil
		}
	}
	return sends
}

// partake returns the processes that exchange a message with another in this
// round, and so can be isolated to some effect.
func (p *product) partake(sends []*sending, isolated uint64) uint64 {
	var may uint64
	for i, s := range sends {
		if s == nil || isolated>>i&1 == 1 {
			continue
		}
		for j, list := range s.to {
			if i != j && list != 0 && isolated>>j&1 == 0 && sends[j] != nil {
				may |= 1<<i | 1<<j
			}
		}
	}
	return may
}

// step executes the round that leads to a node.
func (p *product) step(at int32, sends []*sending, n node) error {
	round, history, reports := int(n.round), n.history, n.reports
	p.here = pending{at, n, sends}
	for to := range p.n {
		state := p.states[int(at)*p.n+to]
		p.next[to] = state
		if sends[to] == nil {
			continue
		}
		for i, s := range sends {
			p.arriving[i] = 0
			if s != nil && (i == to || (n.isolated>>i|n.isolated>>to)&1 == 0) {
				p.arriving[i] = s.to[to]
			}
		}
		r, err := p.source.receive(to, round, state, p.arriving)
		if missing, ok := err.(unknown); ok {
			p.wait(missing, at, n, sends)
			return nil
		}
		if search.Panics(err) {
			p.panicked(n)
			return nil
		}
		if err != nil {
			return err
		}
		p.next[to] = r.next
		history = p.histories.add(p.histories.add(history, sends[to].facts), r.facts)
		if p.reports != nil {
			reports = p.reports.add(reports, r.reports)
		}
	}
	if round%max(p.bounds.Period, 1) == 0 || round >= p.last {
		n.isolated = 0
	}
	n.isolated &^= n.down
	n.history = history
	n.reports = reports
	if round == p.bounds.EOT {
		over, err := p.over(n)
		if err != nil {
			return err
		}
		if over { // only the history matters now
			n.down = 0
			clear(p.next)
		}
	}
	p.reach(n)
	return nil
}

// schedule returns the faults that lead to a node.
func (p *product) schedule(at int32) rounds.Schedule {
	var s rounds.Schedule
	for ; at >= 0; at = p.nodes[at].parent {
		s.Faults = append(s.Faults, p.faults(&p.nodes[at])...)
	}
	return s.Normal()
}

// faults returns those of the round that leads to a node.
func (p *product) faults(n *node) []rounds.Fault {
	var faults []rounds.Fault
	for i, name := range p.bounds.Processes {
		if n.crashed>>i&1 == 1 {
			faults = append(faults, rounds.Fault{Kind: rounds.Crash, Process: name, Round: int(n.round)})
		}
		if n.struck>>i&1 == 1 {
			faults = append(faults, rounds.Fault{Kind: rounds.Isolate, Process: name, Round: int(n.round), Until: p.until(int(n.round))})
		}
	}
	return faults
}

func faultsIn(processes uint64) int32 { return int32(bits.OnesCount64(processes)) }

// until returns the end of the phase of a round.
func (p *product) until(round int) int {
	k := max(p.bounds.Period, 1)
	return min((round-1)/k*k+k, p.last)
}
