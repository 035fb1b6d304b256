package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/solver"
)

// grouping collects the bindings of an aggregating rule in a round by group.
type grouping struct {
	rule   *rule
	round  int
	groups []*group
	byKey  map[int][]*group // by the hash of the key
	key    []uint32
}

// group has the bindings that agree on the head's other columns; for a message also on its
// sender.
type group struct {
	grouping *grouping
	key      []uint32 // the head, with zeros for the aggregates
	from     int
	rows     []*Firing
	fresh    bool             // during a recursion: it has rows that are not summarised yet
	outcomes []*outcome       // during a recursion: the heads so far
	known    map[string]*Fact // during a recursion: the heads that were looked at, by text
}

// outcome is a head that the bindings of a group may give.
type outcome struct {
	head   []uint32
	fact   *Fact
	firing *Firing
}

func newGrouping(r *rule, round int) *grouping {
	return &grouping{rule: r, round: round, byKey: map[int][]*group{}, key: make([]uint32, len(r.columns))}
}

// row adds a binding to its group.
func (ev *evaluation) row(j *join, cond solver.Lit) {
	r, g := j.rule, j.grouping
	clear(g.key)
	for i := range r.columns {
		if r.summarises(i) {
			continue
		}
		id, ok := r.columns[i].id(ev.graph.values, j.env)
		if !ok {
			return
		}
		g.key[i] = id
	}
	from := -1
	if r.kind == syntax.Async {
		from = j.from
	}
	row := ev.binding(j, cond)
	into := g.group(ev, from)
	into.rows = append(into.rows, row)
	into.fresh = true
}

// summarises tells whether a column of the head is an aggregate.
func (r *rule) summarises(column int) bool {
	return slices.ContainsFunc(r.aggregates, func(a aggregate) bool { return a.column == column })
}

// group returns the group with the current key, a new one if need be.
func (g *grouping) group(ev *evaluation, from int) *group {
	h := hash(g.key)
	for _, have := range g.byKey[h] {
		if have.from == from && slices.Equal(have.key, g.key) {
			return have
		}
	}
	made := &group{grouping: g, key: ev.keepTuple(g.key), from: from, known: map[string]*Fact{}}
	g.groups = append(g.groups, made)
	g.byKey[h] = append(g.byKey[h], made)
	return made
}

// summarise gives the heads of all groups, whose rows have known conditions.
func (ev *evaluation) summarise(g *grouping) {
	for _, group := range g.groups {
		exact := make([]span, len(group.rows))
		for i, row := range group.rows {
			exact[i] = span{row.cond, row.cond}
		}
		for _, o := range ev.heads(group, exact, false) {
			ev.outcome(group, o)
		}
		if !ev.check() {
			return
		}
	}
}

// outcome gives a head of a group. It returns nil if it goes to no process, or
// cannot be.
func (ev *evaluation) outcome(g *group, h head) *outcome {
	r, round := g.grouping.rule, g.grouping.round
	to, cond := ev.send(r, g.from, h.tuple, round, h.cond)
	if cond == solver.False {
		return nil
	}
	f := ev.firing(r, round, cond)
	f.rows, f.from, f.to = g.rows, int16(g.from), to
	ev.sends(f, h.tuple)
	fact := ev.fact(ev.target(r, round), h.tuple)
	ev.conclude(fact, f)
	return &outcome{head: h.tuple, fact: fact, firing: f}
}

// head is a possible head of a group and its condition.
type head struct {
	tuple []uint32
	cond  solver.Lit
}

// heads returns the possible heads of a group, each combination of the values
// of its aggregates, and when they are possible; or when they are certain,
// because all the values aggregated are.
func (ev *evaluation) heads(g *group, rows []span, certain bool) []head {
	heads := []head{{tuple: g.key, cond: solver.True}}
	for _, a := range g.grouping.rule.aggregates {
		s := ev.summary(g, a, rows)
		settled := solver.True
		if certain {
			settled = s.settle()
		}
		results := s.results()
		var longer []head
		for _, h := range heads {
			cond := ev.circuit.And(h.cond, settled)
			for _, r := range results {
				if !ev.goOn() {
					return nil
				}
				if cond := ev.circuit.And(cond, r.cond); cond != solver.False {
					tuple := slices.Clone(h.tuple)
					tuple[a.column] = ev.graph.values.id(r.value)
					longer = append(longer, head{tuple, cond})
				}
			}
		}
		heads = longer
	}
	return heads
}

// settle makes only certain values possible, and returns the condition under which there
// are no others.
func (s *summary) settle() solver.Lit {
	settled := solver.True
	for i, p := range s.present {
		settled = s.ev.circuit.And(settled, s.ev.circuit.And(p.upper, p.lower.Not()).Not())
		s.present[i].upper = p.lower
	}
	return settled
}
