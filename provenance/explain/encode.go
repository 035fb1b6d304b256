package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// NewCircuit returns the circuit of a graph, which has to be of all schedules within its bounds
// and to have its messages, with the ways to break the promise.
func NewCircuit(g *provenance.Graph, atoms Atoms, promised bool, goals []Goal) (*Circuit, error) {
	reliable, err := syntax.Links(g.Bounds.Processes, g.Bounds.Reliable)
	if err != nil {
		return nil, fmt.Errorf("writing the circuit: %w", err)
	}
	e := &encoder{graph: g, atoms: atoms, circuit: &Circuit{
		Form: form, Stops: g.Bounds.CrashStop, OwnLost: g.Bounds.OwnLost, Pruned: g.Pruned(), Promised: promised,
		Kinds: []Kind{},
	}, goals: goals}
	e.environment(reliable)
	e.units()
	e.list()
	e.gates()
	e.encodeFacts()
	e.encodeLinks()
	e.encodeGoals()
	e.circuit.Data = e.data.text()
	return e.circuit, nil
}

// form is the version of the numbers.
const form = 1

// encoder writes a circuit.
type encoder struct {
	graph   *provenance.Graph
	atoms   Atoms
	goals   []Goal
	circuit *Circuit
	data    numbers
	last    int // the literal of the run before

	facts []track
	links []track
	nodes []int // by node of the circuit its number in the data, 0 if it has none
}

// track has the conditions of one atom, which holds or is sent on a link, in one round
// after the other.
type track struct {
	atom, from, to int
	runs           []run
}

// run has successive rounds with the same condition.
type run struct {
	first, last int
	cond        solver.Lit
}

// in adds a round to a track.
func (t *track) in(round int, cond solver.Lit) {
	if n := len(t.runs); n > 0 && t.runs[n-1].cond == cond && t.runs[n-1].last == round-1 {
		t.runs[n-1].last = round
		return
	}
	t.runs = append(t.runs, run{round, round, cond})
}

// environment records the parts of the environment besides the units on which messages
// depend.
func (e *encoder) environment(reliable syntax.LinkSet) {
	b := e.graph.Bounds
	for from := range b.Processes {
		for to := range b.Processes {
			if reliable.Has(from, to) {
				e.circuit.Reliable = append(e.circuit.Reliable, from*len(b.Processes)+to)
			}
		}
	}
	if b.Deliver != "" || b.Kernel != "" {
		e.circuit.Least, e.circuit.Kernel = b.Network()
		e.circuit.Deliver, e.circuit.Core = text.Safe(b.Deliver), text.Safe(b.Kernel)
	}
}

// units writes the faults and choices.
func (e *encoder) units() {
	g, u := e.graph, e.graph.Universe
	var all []int
	for unit := range u.Len() {
		if u.Alive(unit) {
			all = append(all, unit)
		}
	}
	slices.SortFunc(all, func(i, k int) int { return u.Fault(i).Compare(u.Fault(k)) })
	e.nodes = make([]int, 1+g.Circuit.Inputs()+g.Circuit.Gates())
	place := map[rounds.Fault]int{}
	for i, unit := range all {
		f := u.Fault(unit)
		place[f] = i
		e.nodes[g.Inputs[unit]>>1] = 1 + i
		e.data.add(e.kind(f.Kind), 1+slices.Index(g.Bounds.Processes, f.Process), 1+slices.Index(g.Bounds.Processes, f.To), f.Round, f.Until, f.By, e.detail(ofUnit(f)))
	}
	e.circuit.Units = len(all)
	for _, choice := range g.Bounds.Choose {
		if !choice.Exclusive() {
			continue
		}
		single := []int{}
		for _, f := range choice.Of {
			if i, known := place[f]; known {
				single = append(single, i)
			}
		}
		e.circuit.Single = append(e.circuit.Single, single)
	}
}

// ofUnit returns the further text of a fault: its detail, or the kind of message that it hits.
func ofUnit(f rounds.Fault) string {
	if f.Of != "" {
		return rounds.KindText(f.Of)
	}
	return f.Detail
}

// detail returns the number of a text, from 1; 0 for none.
func (e *encoder) detail(s string) int {
	if s = text.Safe(s); s == "" {
		return 0
	}
	i := slices.Index(e.circuit.Details, s)
	if i < 0 {
		i = len(e.circuit.Details)
		e.circuit.Details = append(e.circuit.Details, s)
	}
	return i + 1
}

// kind returns the number of a kind of fault.
func (e *encoder) kind(k rounds.Kind) int {
	i := slices.IndexFunc(e.circuit.Kinds, func(known Kind) bool { return known.Word == k.String() })
	if i >= 0 {
		return i
	}
	b := e.graph.Bounds
	bound := func(k rounds.Kind) string {
		return fmt.Sprintf("%s=%d", strings.ReplaceAll(text.PluralWord(k.Noun()), " ", "-"), b.Budget(k))
	}
	kind := Kind{Word: k.String(), Noun: k.Noun(), Plural: text.PluralWord(k.Noun()), Most: b.Budget(k), Bound: bound(k), Shape: "process"}
	switch k {
	case rounds.Isolate:
		if kind.Most != rounds.Unlimited && b.Partitions != rounds.Unlimited {
			kind.Most += b.Partitions
		} else {
			kind.Most = rounds.Unlimited
		}
		if kind.Most != b.Budget(k) {
			kind.Bound += ", " + bound(rounds.Partition)
		}
		if kind.Most != rounds.Unlimited && b.Partitions != 0 {
			e.circuit.Both = &Both{kind.Most, bound(k) + ", " + bound(rounds.Partition)}
		}
		kind.Lasts = true
	case rounds.Partition:
		kind.Shape, kind.Lasts = "detail", true
	case rounds.Cut:
		kind.Shape, kind.Lasts = "link", true
	case rounds.Omit:
		kind.Shape = "link"
	case rounds.Delay, rounds.Duplicate:
		kind.Shape = "later"
	case rounds.Choose:
		kind.Shape = "detail"
	case rounds.Restart:
		e.circuit.Restarts = true
	}
	if kind.Most == rounds.Unlimited {
		kind.Bound = ""
	}
	e.circuit.Kinds = append(e.circuit.Kinds, kind)
	return len(e.circuit.Kinds) - 1
}

// list collects the facts and messages by their atoms.
func (e *encoder) list() {
	g := e.graph
	facts := map[int]*track{}
	for _, relation := range g.Program.Relations() {
		for round := 1; round <= g.Bounds.EOT; round++ {
			for _, f := range g.Facts(relation.Name, round) {
				atom := e.atoms.Atom(relation.Name, f.Args())
				if facts[atom] == nil {
					facts[atom] = &track{atom: atom}
				}
				facts[atom].in(round, f.Cond())
			}
		}
	}
	for _, t := range facts {
		e.facts = append(e.facts, *t)
	}
	slices.SortFunc(e.facts, func(a, b track) int { return a.atom - b.atom })
	e.listLinks()
}

// listLinks collects the messages, except those of the last round, which have no effect.
func (e *encoder) listLinks() {
	g := e.graph
	place := map[[3]int]int{}
	var first []*provenance.Send // of each link, which says where it comes in a round
	for i := range g.Sends() {
		m := &g.Sends()[i]
		if m.Round >= g.Bounds.EOT {
			continue
		}
		key := [3]int{e.atoms.Atom(m.Relation, m.Args), slices.Index(g.Bounds.Processes, m.From), slices.Index(g.Bounds.Processes, m.To)}
		at, known := place[key]
		if !known {
			at = len(e.links)
			place[key] = at
			e.links = append(e.links, track{atom: key[0], from: key[1], to: key[2]})
			first = append(first, m)
		}
		e.links[at].in(m.Round, m.Cond)
	}
	order := make([]int, len(e.links))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Or(first[i].CompareAtoms(first[k]), i-k) })
	sorted := make([]track, len(order))
	for i, k := range order {
		sorted[i] = e.links[k]
	}
	e.links = sorted
}

// gates writes the gates that conditions need.
func (e *encoder) gates() {
	c := e.graph.Circuit
	needed := make([]bool, len(e.nodes))
	need := func(l solver.Lit) { needed[l>>1] = true }
	for _, tracks := range [][]track{e.facts, e.links} {
		for _, t := range tracks {
			for _, r := range t.runs {
				need(r.cond)
			}
		}
	}
	for _, goal := range e.goals {
		need(goal.Broken)
	}
	count := 0
	for n := len(needed) - 1; n > 0; n-- {
		if a, b, input, _ := c.Node(solver.Lit(n << 1)); needed[n] && !input {
			need(a)
			need(b)
			count++
		}
	}
	e.data.add(count)
	next := e.circuit.Units
	for n := 1; n < len(needed); n++ {
		a, b, input, _ := c.Node(solver.Lit(n << 1))
		if input || !needed[n] {
			continue
		}
		next++
		low, high := e.literal(a), e.literal(b)
		if low > high {
			low, high = high, low
		}
		e.data.add(2*next-high, high-low)
		e.nodes[n] = next
	}
}

// literal is a literal in the data. A unit that is in no schedule is never on.
func (e *encoder) literal(l solver.Lit) int { return 2*e.nodes[l>>1] + int(l&1) }

func (e *encoder) encodeFacts() {
	e.data.add(len(e.facts))
	before := 0
	for _, t := range e.facts {
		e.data.add(t.atom - before)
		before = t.atom
		e.runs(t.runs)
	}
}

func (e *encoder) encodeLinks() {
	e.data.add(len(e.links))
	for _, t := range e.links {
		e.data.add(t.atom, t.from+1, t.to+1)
		e.runs(t.runs)
	}
}

// What a goal says of its fact.
const (
	holdsAt = iota
	missing
	missingWhile
)

func (e *encoder) encodeGoals() {
	atom := func(f recording.Fact) int { return e.atoms.Atom(f.Relation, f.Args) }
	e.data.add(len(e.goals))
	for _, goal := range e.goals {
		v := goal.Violation
		e.data.add(v.Fact.Round, atom(v.Fact))
		switch {
		case v.While != nil:
			e.data.add(missingWhile, atom(*v.While))
		case v.Missing:
			e.data.add(missing)
		default:
			e.data.add(holdsAt)
		}
		e.data.add(e.literal(goal.Broken))
	}
}

func (e *encoder) runs(all []run) {
	e.data.add(len(all))
	end := 0
	for _, r := range all {
		literal := e.literal(r.cond)
		e.data.add(r.first-end, r.last-r.first, signed(literal-e.last))
		end, e.last = r.last, literal
	}
}

// signed is a number with its sign as the lowest bit.
func signed(n int) int {
	if n < 0 {
		return -2*n - 1
	}
	return 2 * n
}
