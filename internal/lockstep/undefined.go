package lockstep

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// dependencies is the graph of the facts of a component that are possible and
// not certain: which of them the derivations of each need, or need absent.
type dependencies struct {
	*alternation
	facts    []recording.Fact
	numbers  [][]int // by node of the component and row of its possible facts; -1 for a certain one
	positive [][]int // by fact
	negative [][]int
}

// undefined reports a cycle among the facts that are possible and not certain.
// It returns true if there are none.
func (a *alternation) undefined() bool {
	if a.total() {
		return true
	}
	d := &dependencies{alternation: a}
	d.number()
	for i, n := range a.c.nodes {
		a.pos[n], a.neg[n] = a.possible[i], &a.tables[n]
	}
	a.watch = d.watch
	defer func() { a.watch = nil }()
	for _, in := range a.c.recursive {
		if !a.gather(in) {
			return false
		}
	}
	cycle := d.cycle()
	if a.err == nil {
		a.err = &limits.UndefinedError{Cycle: cycle, Schedule: a.env.Schedule()}
	}
	return false
}

// number gives numbers to the undefined facts, in their order.
func (d *dependencies) number() {
	type place struct {
		fact      recording.Fact
		node, row int
	}
	var places []place
	d.numbers = make([][]int, len(d.c.nodes))
	for i, n := range d.c.nodes {
		rel, round := d.relationOf(n)
		p := d.possible[i]
		d.numbers[i] = make([]int, p.n)
		for r := range p.n {
			d.numbers[i][r] = -1
			if d.tables[n].find(p.row(r)) < 0 {
				places = append(places, place{recording.Fact{Relation: rel.name, Args: d.decode(p.row(r)), Round: round}, i, r})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return a.fact.Compare(b.fact) })
	for number, p := range places {
		d.numbers[p.node][p.row] = number
		d.facts = append(d.facts, p.fact)
	}
	d.positive = make([][]int, len(places))
	d.negative = make([][]int, len(places))
}

// watch adds the dependencies of one firing: its heads depend on the undefined facts among
// those that its atoms match.
func (d *dependencies) watch() bool {
	in := d.at
	heads, ok := d.match(in.head, d.headPattern())
	if !ok {
		return false
	}
	if len(heads) == 0 {
		return true
	}
	for i, a := range in.atoms {
		args, ok := d.atomPattern(in.body[a.term].Atom)
		if !ok {
			continue
		}
		needs, ok := d.match(in.nodes[i], args)
		if !ok {
			return false
		}
		edges := d.positive
		if a.negated || in.aggregates() {
			edges = d.negative
		}
		for _, h := range heads {
			for _, need := range needs {
				if !slices.Contains(edges[h], need) {
					edges[h] = append(edges[h], need)
				}
			}
		}
	}
	return true
}

// headPattern returns the head of the firing, with none for aggregates. It is nil if there
// is no such head, or it does not arrive.
func (d *dependencies) headPattern() []id {
	in := d.at
	row := []id{}
	for i := range in.rule.head {
		x := none
		if c := &in.rule.head[i]; c.fold == noFold {
			var ok bool
			if x, ok = d.eval(c.value); !ok {
				return nil
			}
		}
		row = append(row, x)
	}
	if in.kind == syntax.Async && row[0] != none {
		if to, ok := d.process(row[0]); !ok || !d.arrives(in, to, row) {
			return nil
		}
	}
	if len(row) > 0 && row[0] != none && d.forgotten(row) {
		return nil
	}
	return row
}

// atomPattern returns the arguments of an atom, with none for unbound arguments. It returns
// false if one has no value.
func (d *dependencies) atomPattern(a *syntax.Atom) ([]id, bool) {
	row := []id{}
	for _, e := range a.Args {
		c := &compiler{program: d.program, interner: d.values}
		value := c.compile(e, d.at.slots)
		if c.err != nil {
			row = append(row, none)
			continue
		}
		x, ok := d.eval(value)
		if !ok {
			return nil, false
		}
		row = append(row, x)
	}
	return row, true
}

// match returns the undefined facts of a node that have the given columns. The
// second result is false when the run is to stop.
func (d *dependencies) match(node int, row []id) ([]int, bool) {
	i, ok := slices.BinarySearch(d.c.nodes, node)
	if !ok || row == nil {
		return nil, true
	}
	var found []int
	p := d.possible[i]
	if !slices.Contains(row, none) {
		if r := p.find(row); r >= 0 && d.numbers[i][r] >= 0 {
			found = append(found, d.numbers[i][r])
		}
		return found, d.tick()
	}
	for r := range p.n {
		if !d.tick() {
			return nil, false
		}
		if d.numbers[i][r] >= 0 && covers(row, p.row(r)) {
			found = append(found, d.numbers[i][r])
		}
	}
	return found, true
}

// covers tells whether a row has the given columns, where none is any value.
func covers(columns, row []id) bool {
	for i, x := range columns {
		if x != none && x != row[i] {
			return false
		}
	}
	return true
}

// cycle returns a shortest cycle through the first fact that depends on its
// own absence.
func (d *dependencies) cycle() []recording.Fact {
	for fact := range d.facts {
		for _, absent := range d.negative[fact] {
			if path := d.path(absent, fact); path != nil {
				return path
			}
			if d.err != nil {
				return nil
			}
		}
	}
	return d.facts[:min(1, len(d.facts))]
}

// path returns the facts of a cycle that begins with fact to and goes on at fact from; nil
// if to does not depend on from.
func (d *dependencies) path(from, to int) []recording.Fact {
	before := map[int]int{from: from}
	for todo := []int{from}; len(todo) > 0 && d.tick(); todo = todo[1:] {
		fact := todo[0]
		if fact == to {
			var cycle []recording.Fact
			for fact != from {
				fact = before[fact]
				cycle = append(cycle, d.facts[fact])
			}
			cycle = append(cycle, d.facts[to])
			slices.Reverse(cycle)
			return cycle
		}
		for _, next := range slices.Concat(d.negative[fact], d.positive[fact]) {
			if _, seen := before[next]; !seen {
				before[next] = fact
				todo = append(todo, next)
			}
		}
	}
	return nil
}
