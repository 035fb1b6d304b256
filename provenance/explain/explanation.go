package explain

import (
	"cmp"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// Explanation says why the facts of a question hold in a world, or why none does. Its nodes
// form a directed graph rather than a tree: a common part of several facts is explained
// once. Writers print it as a tree and refer back to parts printed before.
type Explanation struct {
	Query    Pattern         `json:"query"`
	Schedule rounds.Schedule `json:"schedule"`
	Holds    bool            `json:"holds"`          // some fact that was asked for holds
	Roots    []*Part         `json:"roots"`          // the facts, or the one absence
	More     int             `json:"more,omitempty"` // matching facts that hold beyond Roots

	bounds rounds.Bounds
	graph  *provenance.Graph
	faulty bool // the faults are behind it, as prune found
}

// Node explains one fact that holds, or the absence of all facts of a pattern
// throughout a span of rounds.
type Node struct {
	Pattern
	Holds  bool
	Given  *syntax.Fact // the program states the fact
	Steps  []*Step      // the rule instances that gave it, or that could have
	Hidden int          // further steps that are not shown
	Note   string       // what else there is to say

	number int              // in the JSON of an explanation, from 1
	fact   *provenance.Fact // of a node that holds
	depth  int              // of an absence, below the fact of the question
}

// Step is an instance of a rule: one that gave a fact, or one that could have
// given an absent one. One that could have may stand for the same instance in
// each of several rounds.
type Step struct {
	Rule     *syntax.Rule `json:"-"`     // nil for a fact kept by a process that has stopped
	Fired    bool         `json:"fired"` // it gave the fact; otherwise it could have
	First    int          `json:"first"` // the first round in which it fires, or could
	Last     int          `json:"last"`  // the last one
	Bindings []Binding    `json:"-"`
	Parts    []*Part      `json:"parts,omitempty"` // what the instance needs, in source order, its message last
	Rows     []*Step      `json:"rows,omitempty"`  // of an aggregate: what it summarises
}

// Binding is a variable of a rule and its value in a step.
type Binding struct {
	Name  string
	Value Column
}

// Part is one thing that a step needs.
type Part struct {
	Met     bool         `json:"met"`               // it is there; of what is negated, it is absent
	Negated bool         `json:"negated,omitempty"` // it has to be absent
	Atom    *Pattern     `json:"fact,omitempty"`    // what an atom asks for; none of a part that is no atom
	Kept    *Persistence `json:"kept,omitempty"`    // since when, of a fact that persists
	Node    *Node        `json:"node,omitempty"`    // why the atom holds or does not; none where that is not explained
	Message *Message     `json:"message,omitempty"` // of a message to another process
	Text    string       `json:"text,omitempty"`    // of a comparison, a location and the like
	Instead bool         `json:"instead,omitempty"` // an aggregate gave this fact rather than the one that was wanted

	fact     *provenance.Fact // the fact that meets an atom
	stopped  *rounds.Fault    // the crash that has stopped the process
	possible bool             // a negated atom could be met under some other schedule
}

// nodes are the nodes that explain the part.
func (p *Part) nodes() []*Node {
	var all []*Node
	if p.Node != nil {
		all = append(all, p.Node)
	}
	if p.Kept != nil {
		for _, absent := range p.Kept.Absent {
			all = append(all, absent.nodes()...)
		}
	}
	return all
}

// Persistence says how a fact persisted from round Since on, or how it came from
// another fact of its relation then, by the same rules in each round.
type Persistence struct {
	Since  int            `json:"since"`               // the round from which on it persists
	From   *Pattern       `json:"from,omitempty"`      // the other fact; none if it is the same one
	Rules  []*syntax.Rule `json:"-"`                   // that kept it
	Absent []*Part        `json:"meanwhile,omitempty"` // what they needed to be absent meanwhile
	Turns  []string       `json:"turns,omitempty"`     // other relations that had the value in between, in turns
	With   []*Part        `json:"with,omitempty"`      // what else they needed meanwhile, which merely lasted
}

// Message is what a step sends, in each of the rounds First..Last.
type Message struct {
	From   string `json:"from"`             // empty if nobody sends it
	To     string `json:"to"`               // who receives it
	First  int    `json:"first"`            // the first round in which it is sent
	Last   int    `json:"last"`             // the last one
	Losses []Loss `json:"losses,omitempty"` // in order of rounds; empty when it arrives

	// Arrival is the later round in which it arrives, because it is late or comes once
	// more; 0 if it arrives at once.
	Arrival int           `json:"arrival,omitempty"`
	late    *rounds.Fault // why it does, or nil

	// Reliable is what the bounds say of a link on which only crashes lose messages, as
	// "*>m", where the message arrives.
	Reliable string `json:"reliable,omitempty"`
}

// Loss says which fault takes a message away in the rounds First..Last.
type Loss struct {
	First int
	Last  int
	Fault rounds.Fault

	back int // of a crash, the round in which its process is back, 0 for never
}

// Limits keep an explanation readable. A zero field stands for its default.
type Limits struct {
	All    bool // every rule instance that gives a fact, not one for each
	Facts  int  // facts explained, default 200
	Absent int  // absences explained, default 200
	Depth  int  // of nested absences, default 12
	Roots  int  // facts that match the query, default 5
	Steps  int  // steps for one absence, default 6
	Levels int  // below the facts that match the query, default all

	possible bool // only steps that some other schedule allows
}

func (l Limits) normal() Limits {
	l.Facts = cmp.Or(max(l.Facts, 0), 200)
	l.Absent = cmp.Or(max(l.Absent, 0), 200)
	l.Depth = cmp.Or(max(l.Depth, 0), 12)
	l.Roots = cmp.Or(max(l.Roots, 0), 5)
	l.Steps = cmp.Or(max(l.Steps, 0), 6)
	return l
}

// Explain explains why the facts that match a query hold in the world, or why none does. A
// query without a round is about the last round in which a fact holds, or the last round of
// all.
func (x *Explainer) Explain(q syntax.Query, l Limits) (*Explanation, error) {
	pattern, err := x.pattern(q)
	if err != nil {
		return nil, err
	}
	if q.Round == 0 {
		pattern = pattern.during(x.lastRound(pattern))
	}
	var e *Explanation
	if l.All {
		e = x.explain(pattern, l)
	} else {
		e = x.explainFaults(pattern, l)
	}
	e.cut(l.Levels)
	return e, nil
}

// explainFaults explains a pattern of one round as far as the faults affect it. An absence
// that the faults do not affect is explained by the closest candidates, less far.
func (x *Explainer) explainFaults(p Pattern, l Limits) *Explanation {
	l.possible = true
	e := x.explain(p, l)
	if e.prune() {
		return e
	}
	l.Absent, l.Depth, l.possible = 15, 4, false
	return x.explain(p, l)
}

// explain explains a pattern of one round.
func (x *Explainer) explain(p Pattern, l Limits) *Explanation {
	b := newBuilder(x, l)
	e := &Explanation{Query: p, Schedule: x.Schedule, bounds: x.Graph.Bounds, graph: x.Graph}
	if p.Relation == syntax.Crash {
		x.explainCrash(p, e, b.limits)
		return e
	}
	for _, f := range x.holding(p.Relation, p.First) {
		switch {
		case !p.matches(f.Args()):
		case len(e.Roots) < b.limits.Roots:
			e.Roots = append(e.Roots, b.fact(f))
		default:
			e.More++
		}
	}
	e.Holds = len(e.Roots) > 0
	if !e.Holds {
		e.Roots = []*Part{b.absent(p, 0)}
	}
	b.run()
	return e
}

// lastRound is the last round in which a fact of the pattern holds, or else the
// last round, twice.
func (x *Explainer) lastRound(p Pattern) (first, last int) {
	eot := x.Graph.Bounds.EOT
	for round := eot; round >= 1; round-- {
		if x.anyHolds(p, round) {
			return round, round
		}
	}
	return eot, eot
}
