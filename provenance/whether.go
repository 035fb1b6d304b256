package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/solver"
)

// For a relation of violations it matters only whether it has any fact. Relations of pairs
// have many facts, most of which say the same: any two outputs, of any processes. If
// Options.Whether has such a relation, it is evaluated as a whole from some round on:
// variables that only name processes are removed before atoms are joined, and rules whose
// facts have not changed since the round before are not evaluated again.

// whole is a relation in a round for which it only matters whether it has a fact.
type whole struct {
	some  solver.Lit
	parts []solver.Lit // by rule
}

// Whole returns the condition under which relation has a fact in round, if
// Options.Whether left out the facts themselves.
func (g *Graph) Whole(relation string, round int) (some solver.Lit, whole bool) {
	n := g.node(relation, round)
	if n == nil || n.whole == nil {
		return solver.False, false
	}
	return n.whole.some, true
}

// summarisable tells whether a relation can be evaluated as a whole: nothing reads it,
// and its rules speak about one round.
func (r *relation) summarisable() bool {
	for _, rule := range r.rules {
		if rule.source == nil || rule.kind != syntax.Deductive || rule.aggregates != nil || rule.destination >= 0 {
			return false
		}
	}
	return !slices.ContainsFunc(r.graph.rules, func(rule *rule) bool {
		read := false
		rule.reads(func(a *atom) { read = read || a.relation == r })
		return read
	})
}

// asWhole evaluates a node as a whole, if that is enough and it is large.
func (ev *evaluation) asWhole(n *node) bool {
	rel := n.relation
	from, enough := ev.whether[rel.name]
	if !enough || rel.seen < from || len(n.facts) > 0 || !rel.summarisable() {
		return false
	}
	w := &whole{}
	for i, r := range rel.rules {
		part, same := ev.unchanged(n, i)
		if !same {
			part = ev.part(r, n.round)
		}
		w.parts = append(w.parts, part)
	}
	w.some = ev.circuit.Ors(w.parts...)
	n.whole = w
	return true
}

// unchanged returns when a rule fired in the round before, if it fires now by the same
// facts under the same conditions.
func (ev *evaluation) unchanged(n *node, rule int) (part solver.Lit, same bool) {
	before := n.relation.nodes[n.round-1]
	if before == nil || before.whole == nil || ev.joined != nil {
		return solver.False, false
	}
	same = true
	n.relation.rules[rule].reads(func(a *atom) { same = same && sameFacts(a.node(n.round-1), a.node(n.round)) })
	return before.whole.parts[rule], same
}

// sameFacts tells whether two nodes have the same facts under the same conditions, in the
// same order.
func sameFacts(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || slices.EqualFunc(a.facts, b.facts, func(f, g *Fact) bool {
		return f.cond == g.cond && slices.Equal(f.tuple, g.tuple)
	})
}

// part returns the condition under which a rule fires in a round.
func (ev *evaluation) part(r *rule, round int) solver.Lit {
	if r.reduced == nil {
		r.reduced = reduce(r)
	}
	for _, p := range r.reduced.projections {
		p.relation.nodes[round] = ev.project(r, p, round)
		defer func() { p.relation.nodes[round] = nil }()
	}
	ev.ways = ev.ways[:0]
	ev.join.run(&r.reduced.rule, round, -1, nil)
	return ev.circuit.Ors(ev.ways...)
}

// way adds a condition under which a rule fires, if only that matters.
func (ev *evaluation) way(j *join, cond solver.Lit) {
	if ev.headOf(j) {
		ev.ways = append(ev.ways, cond)
	}
}

// reduced is a rule for which only its firing matters: its atoms have lost the columns that
// nothing else reads.
type reduced struct {
	rule        rule
	projections []projection
}

// projection is a relation without some columns of another one.
type projection struct {
	relation *relation
	atom     *atom // as the rule has it
	kept     []int // columns
	located  bool  // column 0 was the location of the rule, and has to be a process
}

func reduce(r *rule) *reduced {
	s := &reduced{rule: *r}
	s.rule.whether = true
	s.rule.positive = slices.Clone(r.positive)
	s.rule.plans = make([]*plan, len(r.positive))
	// What is in the head makes no difference, if it has a value.
	s.rule.columns = slices.DeleteFunc(slices.Clone(r.columns), func(o operand) bool { return o.op == leaf })
	uses := r.uses()
	for i := range r.positive {
		a := &r.positive[i]
		if a.at > 0 || a.relation.name == syntax.Crash {
			continue
		}
		p := projection{atom: a}
		for c, col := range a.columns {
			if col.value == nil || col.value.op == leaf && col.value.slot >= 0 && uses[col.value.slot] == 1 && (c == 0 || !r.locatedBy(col.value)) {
				continue
			}
			p.kept = append(p.kept, c)
		}
		if len(p.kept) == len(a.columns) {
			continue
		}
		p.located = s.loses(a, p.kept)
		p.relation = &relation{graph: r.graph, name: a.relation.name, arity: len(p.kept), nodes: make([]*node, len(a.relation.nodes))}
		s.rule.positive[i] = atom{source: a.source, relation: p.relation, columns: pick(a.columns, p.kept)}
		s.projections = append(s.projections, p)
	}
	return s
}

// loses tells whether the location of the rule is in a column of an atom that is left
// out, and takes it away then.
func (s *reduced) loses(a *atom, kept []int) bool {
	if len(a.columns) == 0 || slices.Contains(kept, 0) || !s.rule.locatedBy(a.columns[0].value) {
		return false
	}
	s.rule.location = nil
	return true
}

// locatedBy tells whether an operand is the variable of the location of the rule.
func (r *rule) locatedBy(o *operand) bool {
	return o != nil && r.location != nil && r.location.op == leaf && r.location.slot >= 0 && o.op == leaf && o.slot == r.location.slot
}

// uses counts by slot where a rule looks at it, the head aside if it is a column of
// its own there, and the location.
func (r *rule) uses() []int {
	uses := make([]int, r.slots)
	count := func(slot int) { uses[slot]++ }
	for _, atoms := range [][]atom{r.positive, r.negative} {
		for _, a := range atoms {
			for _, col := range a.columns {
				if col.value != nil {
					col.value.slots(count)
				}
			}
		}
	}
	for _, t := range r.tests {
		t.slots(count)
	}
	for i := range r.columns {
		if r.columns[i].op != leaf {
			r.columns[i].slots(count)
		}
	}
	return uses
}

// pick returns some elements.
func pick[T any](all []T, which []int) []T {
	var some []T
	for _, i := range which {
		some = append(some, all[i])
	}
	return some
}

// project returns the facts of an atom without the columns that nothing looks at.
func (ev *evaluation) project(r *rule, p projection, round int) *node {
	projected := &node{relation: p.relation, round: round}
	from := p.atom.node(round)
	if from == nil {
		return projected
	}
	var conds [][]solver.Lit // by fact
	for _, f := range from.facts {
		if !ev.goOn() {
			break
		}
		if p.located && !ev.firesAt(f.tuple[0], round) {
			continue
		}
		ev.tuple = append(ev.tuple[:0], pick(f.tuple, p.kept)...)
		known := projected.find(ev.tuple)
		if known == nil {
			known = &Fact{tuple: slices.Clone(ev.tuple), fixed: true}
			projected.insert(known)
			conds = append(conds, nil)
		}
		conds[known.position] = append(conds[known.position], f.cond)
	}
	for i, f := range projected.facts {
		f.cond = ev.circuit.Ors(conds[i]...)
	}
	return projected
}

// firesAt tells whether a value is a process that takes part in a round.
func (ev *evaluation) firesAt(id uint32, round int) bool {
	p := ev.process(id)
	return p >= 0 && (ev.joined == nil || round >= ev.joined[p])
}
