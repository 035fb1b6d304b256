package maelstrom

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Workload is what clients ask of the nodes, and what has to hold then: [Echo],
// [UniqueIDs], [Broadcast], [GSet], [GCounter], [PNCounter], [LinKV], [TxnRWRegister] or
// [Kafka].
type Workload interface {
	// asks is the operation that clients ask for as the nth of so many, from 0; nil: none.
	asks(n, of int) Body
	// final is what every node is asked again and again when nothing is lost any
	// more; nil: nothing.
	final() Body
	// setup is what a node is told after each start, before anything else; nil: nothing.
	setup(nodes []string) (Body, error)
	// services are those that its nodes have, unless Services says which there are.
	services() []string
	// promises is what has to hold.
	promises(until int) []property.Property
}

// common is what workloads have in common.
type common struct{}

func (common) final() Body                  { return nil }
func (common) setup([]string) (Body, error) { return nil, nil }
func (common) services() []string           { return nil }

// plan says when clients ask for what: operations in the first half of the rounds,
// of one node after the other, and then the final ones of all. Executions that go on
// because something is late have final operations, too.
type plan struct {
	nodes      []string
	rounds     int
	operations int
}

// longest is how many times as many rounds an execution has at most that goes on.
const longest = 9

// first is the first round in which there may be operations, and faults: before it the
// nodes are set up.
func (p plan) first() int { return p.rounds/10 + 1 }

// healed is the first round in which nothing is lost any more.
func (p plan) healed() int { return p.rounds * 6 / 10 }

// every is how many rounds are between the final operations of a node.
func (p plan) every() int { return max(1, p.rounds/20) }

// until is the last round whose requests have to be answered: those of later ones
// may find the execution over.
func (p plan) until() int { return p.rounds * 9 / 10 }

func (p plan) requests(w Workload) (all []system.Request) {
	if len(p.nodes) == 0 {
		return nil // the system says so when it is executed
	}
	for n := range p.operations {
		if body := w.asks(n, p.operations); body != nil {
			round := p.first() + n*(p.rounds/2-p.first())/p.operations
			all = append(all, system.Request{Round: round, Process: p.nodes[n%len(p.nodes)], Payload: body})
		}
	}
	if body := w.final(); body != nil {
		for round := p.healed(); round <= longest*p.rounds; round += p.every() {
			for _, node := range p.nodes {
				all = append(all, system.Request{Round: round, Process: node, Payload: body})
			}
		}
	}
	return all
}

// answered says that every operation gets an answer that was asked for up to a round of a
// node that does not crash afterwards.
func answered(until int) property.Property {
	const name = "every request is answered"
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) (all []result.Violation) {
		for _, o := range history(e) {
			if o.told == nil && o.round <= until && !crashedSince(e, o.node, o.round) {
				all = append(all, violation(name, o.says(), o.request))
			}
		}
		return all
	}}
}

// everywhere says that by the end a read of every node has all that clients were told
// to be in the set.
func everywhere(name, add, element, values string) property.Property {
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) (all []result.Violation) {
		operations := history(e)
		for _, read := range lastReads(e, operations) {
			has, _ := read.told.list(values)
			for _, o := range asks(operations, add) {
				if value := compact(o.asked[element]); o.succeeded() && !slices.Contains(has, value) {
					text := fmt.Sprintf("%s, but %s, without %s", o.says(), read.says(), value)
					all = append(all, violation(name, text, o.reply, read.last()))
				}
			}
		}
		return all
	}}
}

// invented says that no read has what nobody has asked to be in the set by then.
func invented(name, add, element, values string) property.Property {
	return property.Property{Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		operations := history(e)
		for _, read := range asks(operations, "read") {
			has, _ := read.told.list(values)
			for _, value := range has {
				if !slices.ContainsFunc(asks(operations, add), func(o *operation) bool {
					return o.round <= read.answered && compact(o.asked[element]) == value
				}) {
					all = append(all, violation(name, fmt.Sprintf("%s, but nobody had asked to %s %s", read.says(), add, value), read.reply))
				}
			}
		}
		return all
	}}
}
