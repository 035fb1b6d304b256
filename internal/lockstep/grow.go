package lockstep

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Grower evaluates rules of one round over facts that come bit by bit. After each turn
// the relations are what the rules derive from all facts so far, but a turn costs what is
// new in it, as far as the rules allow: what they derive without negation and
// aggregates stays, aggregates of that go on where they were, and only the rest is
// computed anew.
type Grower struct {
	m     *Machine
	parts []*part
	seen  []int   // by node: its rows that were there before the turn
	moved []bool  // by node: it has changed in this turn
	fired []bool  // by rule
	order []*plan // by rule: in the order of the source
	begun bool
	total int // the most rows of all tables
	steps int // the most steps until Reset
}

// part is a component with the way in which it is evaluated.
type part struct {
	*component
	way     way
	from    []int      // momentary, by rule: the atom that has to be new, Any for some atom
	members *collector // folding
	before  []table    // by node, anew and folding: the rows before the turn
}

type way int

const (
	lasting   way = iota // what is derived stays
	folding              // aggregates over what stays
	anew                 // computed from the beginning if something that it reads has changed
	momentary            // holds in this turn only, and needs a new fact
)

// Any is, for a rule of a momentary relation, any atom of the body.
const Any = -1

// NewGrower prepares rules. Of a momentary relation only what needs something new holds,
// for one turn: a row of the positive atom that is the given term of the body, or of Any,
// for each of its rules. Until Reset the rules may take so many steps. Only momentary relations read it, and it does not depend on itself.
func NewGrower(p *dedalus.Program, momentary map[string][]int, maxFacts, maxSteps int) (*Grower, error) {
	g := &Grower{total: maxFacts, steps: maxSteps}
	scope := rounds.Bounds{Processes: []string{"rules"}, EOT: 1}
	m, err := compile(p, scope, Options{MaxFacts: maxFacts}, func(c *compiler) {
		if c.err == nil {
			g.plan(c, momentary)
		}
	})
	if err != nil {
		return nil, err
	}
	g.m = m
	g.seen, g.moved, g.fired = make([]int, len(m.tables)), make([]bool, len(m.tables)), make([]bool, len(m.rules))
	g.Reset()
	return g, nil
}

// plan decides how each component is evaluated, and makes the plans that begin with one
// of the atoms.
func (g *Grower) plan(c *compiler, given map[string][]int) {
	stays := make([]bool, 1+len(c.relations))
	for i := range stays {
		stays[i] = true
	}
	for _, comp := range c.components {
		t := &part{component: comp}
		t.decide(c, given, stays)
		for _, n := range comp.nodes {
			stays[n] = t.way == lasting
		}
		for _, in := range slices.Concat(comp.first, comp.recursive) {
			for i, a := range in.atoms {
				if !a.negated {
					in.from[i] = c.growing(in.rule).complete(a.term)
					c.program.slots = max(c.program.slots, in.from[i].slots)
				}
			}
		}
		t.before = make([]table, len(t.nodes))
		g.parts = append(g.parts, t)
	}
	for _, r := range c.rules {
		r.full = c.growing(r).complete(Any)
		c.program.slots = max(c.program.slots, r.full.slots)
		p := c.planner(r)
		p.inOrder = true
		g.order = append(g.order, p.complete(Any))
		c.program.slots = max(c.program.slots, p.plan.slots)
	}
}

func (c *compiler) growing(r *rule) *planner {
	p := c.planner(r)
	p.grows = true
	return p
}

func (t *part) decide(c *compiler, given map[string][]int, stays []bool) {
	all := slices.Concat(t.first, t.recursive)
	rel, _ := c.relationOf(t.nodes[0])
	if terms, is := given[rel.name]; is {
		t.way = momentary
		for i, in := range t.first {
			atom := Any
			if terms[i] != Any {
				atom = in.atomOf[terms[i]]
			}
			t.from = append(t.from, atom)
		}
		return
	}
	for _, in := range all {
		for i, a := range in.atoms {
			if a.negated || !stays[in.nodes[i]] {
				t.way = anew
				return
			}
		}
	}
	if slices.ContainsFunc(all, func(in *instance) bool { return in.aggregates() }) {
		if t.way = anew; len(all) == 1 {
			t.way, t.members = folding, &collector{}
		}
	}
}

// Reset forgets all facts, so that other ones can come.
func (g *Grower) Reset() {
	m := g.m
	for i := range m.tables {
		m.tables[i].watched = true
		m.tables[i].reset()
	}
	m.values.forget()
	m.work, m.fuel, m.tanks = g.steps, 0, 1+g.steps/steps
	clear(g.seen)
	clear(g.fired)
	for _, t := range g.parts {
		if t.members != nil {
			t.members.reset(t.first[0].rule)
			t.members.totals, t.members.summed = t.members.totals[:0], nil
		}
	}
	g.begun = false
}

// Relation returns the number of a relation, -1 if no rule has it.
func (g *Grower) Relation(name string) int {
	if n, ok := g.m.numbers[name]; ok {
		return n
	}
	return -1
}

// Columns returns how many columns a relation has.
func (g *Grower) Columns(relation int) int { return g.m.relations[relation].arity }

// Add adds a fact of a relation that no rule derives.
func (g *Grower) Add(relation int, args ...specs.Value) {
	if g.encode(relation, args) {
		g.m.tables[g.m.node(relation, 1)].insert(g.m.head)
	}
}

// AddNew is Add for a fact that is not there yet.
func (g *Grower) AddNew(relation int, args ...specs.Value) {
	if g.encode(relation, args) {
		g.m.tables[g.m.node(relation, 1)].push(g.m.head)
	}
}

// encode makes a row of a fact, in head, and tells whether the relation has such rows.
func (g *Grower) encode(relation int, args []specs.Value) bool {
	if relation < 0 || len(args) != g.m.relations[relation].arity {
		return false
	}
	m := g.m
	m.head = m.head[:0]
	for _, v := range args {
		m.head = append(m.head, m.values.intern(v))
	}
	return true
}

// Turn evaluates the rules with the facts that have been added.
func (g *Grower) Turn(ctx context.Context) error {
	m := g.m
	m.ctx, m.err, m.at, m.facts, m.firings = ctx, nil, nil, 0, 0
	m.filled = m.filled[:0]
	m.memory = limits.MemoryOf(ctx)
	defer func() { m.ctx = nil }()
	if !g.begun {
		for i := range m.given {
			m.tables[m.given[i].node].insert(m.given[i].row)
		}
	}
	rows := 0
	for n := range m.tables {
		g.moved[n] = m.tables[n].n > g.seen[n]
		rows += m.tables[n].n
	}
	for _, t := range g.parts {
		if !g.part(t) {
			return m.err
		}
		rows += m.facts
		if m.facts = 0; rows > g.total {
			return &limits.LimitError{What: "facts", Count: rows, Round: 1}
		}
	}
	g.begun = true
	return nil
}

// Seen makes what there is old, for the next turn.
func (g *Grower) Seen() {
	for n := range g.m.tables {
		g.seen[n] = g.m.tables[n].n
	}
}

func (g *Grower) part(t *part) bool {
	all := [2][]*instance{t.first, t.recursive}
	changed := !g.begun
	for _, list := range all {
		for _, in := range list {
			changed = changed || slices.ContainsFunc(in.nodes, func(n int) bool { return g.moved[n] })
		}
	}
	if t.way == momentary {
		n := t.nodes[0]
		g.moved[n] = g.m.tables[n].n > 0
		g.m.tables[n].reset()
		g.seen[n] = 0
	}
	if !changed {
		return true
	}
	switch t.way {
	case lasting:
		return g.last(t)
	case folding:
		return g.foldOn(t)
	case momentary:
		return g.happen(t)
	default:
		return g.again(t)
	}
}

// last adds what follows from new rows.
func (g *Grower) last(t *part) bool {
	m := g.m
	for _, list := range [2][]*instance{t.first, t.recursive} {
		for _, in := range list {
			for _, n := range in.nodes {
				m.since[n], m.until[n] = g.seen[n], m.tables[n].n
			}
		}
	}
	for _, n := range t.nodes {
		m.until[n] = m.tables[n].n
		m.since[n] = m.until[n]
	}
	if !g.follow(t.first) || !g.follow(t.recursive) {
		return false
	}
	for turn := 2; m.advance(t.component); turn++ {
		if t.growing && turn > maxTurns {
			at := t.recursive[0].source
			m.err = &limits.RunawayError{Relation: at.Head.Relation, Position: at.Position, Turns: turn}
			return false
		}
		for _, in := range t.recursive { // what it reads of others is not new any more
			for i, n := range in.nodes {
				if !slices.Contains(in.inner, i) {
					m.since[n] = m.until[n]
				}
			}
		}
		if !g.follow(t.recursive) {
			return false
		}
	}
	for _, n := range t.nodes {
		g.moved[n] = m.tables[n].n > g.seen[n]
	}
	return true
}

// follow evaluates rules once for each of their atoms, over its new rows.
func (g *Grower) follow(list []*instance) bool {
	for _, in := range list {
		ok := g.counted(in, func() bool {
			for i, a := range in.atoms {
				if !a.negated && g.narrow(in, i) && !g.m.start(in, in.from[i]) {
					return false
				}
			}
			return true
		})
		if !ok {
			return false
		}
	}
	return g.m.tick()
}

// narrow sets the rows that the atoms of a rule read: the new ones for the given atom, the
// old ones for those before it, and all for those behind it.
func (g *Grower) narrow(in *instance, fresh int) bool {
	m := g.m
	for i, a := range in.atoms {
		if a.negated {
			continue
		}
		n := in.nodes[i]
		m.lo[i], m.hi[i] = 0, m.until[n]
		if i == fresh {
			m.lo[i] = m.since[n]
		} else if i < fresh {
			m.hi[i] = m.since[n]
		}
		if m.lo[i] == m.hi[i] {
			return false
		}
	}
	return true
}

// happen derives what needs a new row.
func (g *Grower) happen(t *part) bool {
	for k, in := range t.first {
		ok := g.counted(in, func() bool {
			for i, a := range in.atoms {
				if !a.negated && (t.from[k] == Any || i == t.from[k]) && !g.fresh(in, i) {
					return false
				}
			}
			return true
		})
		if !ok {
			return false
		}
	}
	n := t.nodes[0]
	g.moved[n] = g.moved[n] || g.m.tables[n].n > 0
	return g.m.tick()
}

// fresh evaluates a rule over the new rows of an atom.
func (g *Grower) fresh(in *instance, atom int) bool {
	m, n := g.m, in.nodes[atom]
	if m.tables[n].n == g.seen[n] || !g.whole(in) {
		return true
	}
	m.lo[atom] = g.seen[n]
	return m.start(in, in.from[atom])
}

// whole makes the atoms of a rule read all rows, and tells whether each has some.
func (g *Grower) whole(in *instance) bool {
	for i, a := range in.atoms {
		if a.negated {
			continue
		}
		g.m.lo[i], g.m.hi[i] = 0, g.m.tables[in.nodes[i]].n
		if g.m.hi[i] == 0 {
			return false
		}
	}
	return true
}

// foldOn goes on with an aggregate over new rows.
func (g *Grower) foldOn(t *part) bool {
	m := g.m
	in := t.first[0]
	common := m.fold
	m.fold = t.members
	defer func() { m.fold = common }()
	for _, n := range in.nodes {
		m.since[n], m.until[n] = g.seen[n], m.tables[n].n
	}
	if !g.follow(t.first) {
		return false
	}
	return g.replace(t, func() bool { return m.summariseOn(in) })
}

// again computes a component anew.
func (g *Grower) again(t *part) bool {
	return g.replace(t, func() bool {
		for _, in := range t.first {
			if !g.counted(in, func() bool { return g.m.evaluate(in) }) {
				return false
			}
		}
		if len(t.recursive) == 0 {
			return true
		}
		if !g.m.fixpoint(t.component, nil) {
			return false
		}
		for _, in := range t.recursive {
			if !g.fired[in.index] && !g.counted(in, func() bool { return g.m.evaluate(in) }) {
				return false
			}
		}
		return true
	})
}

// counted takes note of a rule that fires.
func (g *Grower) counted(in *instance, evaluate func() bool) bool {
	before := g.m.firings
	ok := evaluate()
	g.fired[in.index] = g.fired[in.index] || g.m.firings > before
	return ok
}

// replace fills the tables of a component again, with the rows that stay before those
// that are new.
func (g *Grower) replace(t *part, fill func() bool) bool {
	for i, n := range t.nodes {
		g.m.tables[n].swap(&t.before[i])
		g.m.tables[n].reset()
	}
	if !fill() {
		return false
	}
	for i, n := range t.nodes {
		now, before := &g.m.tables[n], &t.before[i]
		g.seen[n] = now.sort(before)
		g.moved[n] = now.n > g.seen[n] || before.n > g.seen[n]
	}
	return true
}

// swap exchanges the rows of two tables of one relation.
func (t *table) swap(other *table) {
	other.arity, other.patterns = t.arity, t.patterns
	t.n, other.n = other.n, t.n
	t.rows, other.rows = other.rows, t.rows
	t.ascends, other.ascends = other.ascends, t.ascends
	t.indexes, other.indexes = other.indexes, t.indexes
}

// sort puts the rows that another table has before all others, and returns how many they
// are.
func (t *table) sort(before *table) int {
	stay, first := 0, true
	for r := range t.n {
		if before.find(t.row(r)) >= 0 {
			first = first && stay == r
			stay++
		}
	}
	if first {
		return stay
	}
	var all table
	all.copy(t)
	t.reset()
	for _, old := range [2]bool{true, false} {
		for r := range all.n {
			if (before.find(all.row(r)) >= 0) == old {
				t.insert(all.row(r))
			}
		}
	}
	return stay
}

// summariseOn concludes the heads of all groups, adding the members that have come.
func (m *Machine) summariseOn(in *instance) bool {
	c := m.fold
	m.at = in
	folds := in.folds
	for len(c.totals) < c.groups.n*folds {
		c.totals = append(c.totals, total{})
	}
	for len(c.summed) < folds {
		c.summed = append(c.summed, 0)
	}
	k := 0
	for i := range in.rule.head {
		f := in.rule.head[i].fold
		if f == noFold {
			continue
		}
		members := &c.members[k]
		for ; c.summed[k] < members.n; c.summed[k]++ {
			row := members.row(c.summed[k])
			c.totals[int(row[0])*folds+k].add(m, f, row[1])
		}
		k++
	}
	for n := range c.groups.n {
		if !m.tick() || !m.concludeGroup(c, n) {
			return false
		}
	}
	return true
}

// Rows returns the rows of a relation in the order in which they came, from the given one.
func (g *Grower) Rows(relation, from int) [][]specs.Value {
	if relation < 0 {
		return nil
	}
	t := &g.m.tables[g.m.node(relation, 1)]
	var rows [][]specs.Value
	for r := from; r < t.n; r++ {
		rows = append(rows, g.m.decode(t.row(r)))
	}
	return rows
}

// Count returns how many rows a relation has.
func (g *Grower) Count(relation int) int {
	if relation < 0 {
		return 0
	}
	return g.m.tables[g.m.node(relation, 1)].n
}

// Fired tells whether a rule of the program ever fired.
func (g *Grower) Fired(rule int) bool { return g.fired[rule] }

// Lacks returns which term of the body of a rule comes first of those that no row satisfies
// together with the terms before it, -1 if the whole body holds. Atoms are in the order of
// the source, with tests and negated atoms as soon as their variables have values.
func (g *Grower) Lacks(ctx context.Context, rule int) (int, error) {
	m := g.m
	in := &instance{rule: m.rules[rule], round: 1}
	for _, a := range in.atoms {
		in.nodes = append(in.nodes, m.node(a.relation, 1))
	}
	defer func() { m.ctx, m.watch = nil, nil }()
	whole := g.order[rule]
	for k, s := range whole.steps {
		found := false
		m.ctx, m.err, m.firings = ctx, nil, 0
		m.watch = func() bool { found = true; return false }
		for i := range in.atoms {
			m.lo[i], m.hi[i] = 0, m.tables[in.nodes[i]].n
		}
		m.start(in, &plan{steps: append(slices.Clone(whole.steps[:k+1]), step{kind: fire}), slots: whole.slots})
		if m.err != nil {
			return 0, m.err
		}
		if !found {
			return s.term, nil
		}
	}
	return -1, nil
}
