package lockstep

import (
	"fmt"
	"slices"
	"sort"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// steps is the number of steps of an evaluation between two checks of the context.
const steps = 4096

// tick counts a step. It returns false when the run is to stop.
func (m *Machine) tick() bool {
	m.fuel--
	return m.fuel > 0 || m.refuel()
}

func (m *Machine) refuel() bool {
	m.fuel = steps
	if m.tanks > 0 {
		if m.tanks--; m.tanks == 0 && m.at != nil {
			m.tanks, m.err = 1, &limits.WorkError{Relation: m.at.source.Head.Relation, Position: m.at.source.Position, Steps: m.work}
			return false
		}
	}
	if err := m.ctx.Err(); err != nil {
		m.err = fmt.Errorf("executing the program: %w", err)
	}
	return m.err == nil
}

// evaluate runs an instance by its free plan, over everything that its tables
// have.
func (m *Machine) evaluate(in *instance) bool {
	if !in.aggregates() {
		return m.gather(in)
	}
	m.fold.reset(in.rule)
	return m.gather(in) && m.summarise()
}

// gather evaluates an instance, but leaves the aggregated bindings in the collector.
func (m *Machine) gather(in *instance) bool {
	m.at = in
	for i := range in.atoms {
		m.lo[i], m.hi[i] = 0, 0
		if in.atoms[i].negated {
			continue
		}
		if m.hi[i] = m.pos[in.nodes[i]].n; m.hi[i] == 0 {
			return m.tick()
		}
	}
	return m.start(in, in.full)
}

// start runs an instance by a plan, over the rows that are set.
func (m *Machine) start(in *instance, p *plan) bool {
	m.at, m.plan, m.sender = in, p, -1
	return m.step(0)
}

// step runs the plan from step k on, with the present slots. It returns false when the run
// is to stop.
func (m *Machine) step(k int) bool {
	s := &m.plan.steps[k]
	switch s.kind {
	case match:
		return m.match(s, k)
	case absent:
		present, ok := m.present(s)
		return ok && (present || m.step(k+1))
	case filter:
		return !m.holds(s.test) || m.step(k+1)
	case each:
		for _, p := range m.processes {
			m.slots[s.slot] = p
			if !m.step(k + 1) {
				return false
			}
		}
		return true
	case locate:
		return !m.located(s.place) || m.step(k+1)
	default:
		return m.fire()
	}
}

// search evaluates the keys of a step; it returns false if one has no value.
func (m *Machine) search(s *step) ([]id, bool) {
	keys := m.slots[s.scratch : s.scratch+len(s.keys)]
	for i, e := range s.keys {
		x, ok := m.eval(e)
		if !ok {
			return nil, false
		}
		keys[i] = x
	}
	return keys, true
}

// match continues with each row that has the keys.
func (m *Machine) match(s *step, k int) bool {
	t, lo, hi := m.pos[m.at.nodes[s.atom]], m.lo[s.atom], m.hi[s.atom]
	keys, ok := m.search(s)
	if !ok {
		return m.tick()
	}
	if t.ascends {
		lo, hi = m.within(t, s, lo, hi)
	}
	before := m.firings
	if len(keys) == 0 || hi-lo <= scanned {
		for r := lo; r < hi; r++ {
			if !m.tick() {
				return false
			}
			if (len(keys) == 0 || t.matches(s.pattern, r, keys)) && !m.take(t, r, s, k) {
				return false
			}
			if s.once && m.firings > before {
				return true
			}
		}
		return true
	}
	for r := t.first(s.pattern, keys); r >= lo; r = t.next(s.pattern, r) {
		if !m.tick() {
			return false
		}
		if r < hi && t.matches(s.pattern, r, keys) && !m.take(t, r, s, k) {
			return false
		}
		if s.once && m.firings > before {
			return true
		}
	}
	return true
}

// within returns those of the rows, which ascend in their last column, that comparisons
// allow.
func (m *Machine) within(t *table, s *step, lo, hi int) (int, int) {
	from := func(x id) int { // the first row with at least this value
		return lo + sort.Search(hi-lo, func(i int) bool { return t.rows[(lo+i+1)*t.arity-1] >= x })
	}
	for n, list := range [4][]*expression{s.least, s.more, s.less, s.most} {
		for _, e := range list {
			x, ok := m.eval(e)
			if !ok || x&1 == 0 || lo >= hi {
				continue // it is compared row by row
			}
			switch n {
			case 0:
				lo = from(x)
			case 1:
				lo = from(x + 2)
			case 2:
				hi = from(x)
			case 3:
				hi = from(x + 2)
			}
		}
	}
	return lo, hi
}

// take continues with one row.
func (m *Machine) take(t *table, r int, s *step, k int) bool {
	row := t.row(r)
	for _, b := range s.binds {
		m.slots[b.slot] = row[b.column]
	}
	return m.step(k + 1)
}

// present tells whether the table of a negated atom has a row for it. A key without a value
// counts as present, since it ends the binding. The second result is false when the run is
// to stop.
func (m *Machine) present(s *step) (present, ok bool) {
	keys, valued := m.search(s)
	t := m.neg[m.at.nodes[s.atom]]
	if !valued || t == nil {
		return true, m.tick()
	}
	if t.n <= scanned || len(keys) == 0 {
		for r := 0; r < t.n; r++ {
			if !m.tick() {
				return false, false
			}
			if (len(keys) == 0 || t.matches(s.pattern, r, keys)) && alike(t.row(r), s.same) {
				return true, true
			}
		}
		return false, true
	}
	for r := t.first(s.pattern, keys); r >= 0; r = t.next(s.pattern, r) {
		if !m.tick() {
			return false, false
		}
		if t.matches(s.pattern, r, keys) && alike(t.row(r), s.same) {
			return true, true
		}
	}
	return false, true
}

// alike tells whether the pairs of columns are equal in a row.
func alike(row []id, pairs [][2]int) bool {
	for _, p := range pairs {
		if row[p[0]] != row[p[1]] {
			return false
		}
	}
	return true
}

// located tells whether the rule fires at its location.
func (m *Machine) located(place *expression) bool {
	x, ok := m.eval(place)
	if !ok {
		return false
	}
	p, ok := m.process(x)
	m.sender = p
	return ok && m.at.round >= m.joined[p] && m.at.frozen == m.stopped(p)
}

// stopped tells whether a process is stopped in the round of the instance, for the purposes
// of the instance.
func (m *Machine) stopped(p int) bool {
	if !m.bounds.CrashStop || m.at.kind == syntax.Deductive {
		return false
	}
	return m.env.Down(p, m.at.round)
}

// fire makes the head from the slots, or hands the binding to the aggregates.
func (m *Machine) fire() bool {
	m.firings++
	if m.limit > 0 && m.firings > firingsPerFact*m.limit {
		return m.exceed("rule firings", m.firings)
	}
	if m.watch != nil {
		return m.watch()
	}
	if m.at.aggregates() {
		m.fold.add(m)
		return true
	}
	m.head = m.head[:0]
	for i := range m.at.rule.head {
		x, ok := m.eval(m.at.rule.head[i].value)
		if !ok {
			return true
		}
		m.head = append(m.head, x)
	}
	return m.conclude(m.head)
}

// conclude keeps a head if it arrives.
func (m *Machine) conclude(row []id) bool {
	if m.emit != nil {
		return m.emit(row)
	}
	if m.at.kind == syntax.Async {
		to, ok := m.process(row[0])
		if !ok || !m.arrives(m.at, to, row) {
			return true
		}
	}
	return m.at.head == nowhere || m.forgotten(row) || m.insert(m.at.head, row)
}

// arrives tells whether what an instance sends to a process arrives when the instance says.
func (m *Machine) arrives(in *instance, to int, row []id) bool {
	if m.env.Picks() {
		return m.env.Of(m.relations[in.relation].name, m.nth(in, to, row)).Arrives(m.sender, to, in.round, in.round+in.late)
	}
	return m.env.Arrives(m.sender, to, in.round, in.round+in.late)
}

// forgotten tells whether a head is of a process that comes back in its round, and has
// lost it.
func (m *Machine) forgotten(row []id) bool {
	if !m.restarts || m.at.kind == syntax.Deductive || !m.relations[m.at.relation].volatile {
		return false
	}
	p, ok := m.process(row[0])
	return ok && m.env.Back(p, m.at.round+1+m.at.late)
}

// insert adds a row to the table that a node is being written to.
func (m *Machine) insert(node int, row []id) bool {
	t := m.pos[node]
	if !t.insert(row) {
		return true
	}
	if t.n == 1 {
		m.filled = append(m.filled, t)
	}
	m.facts++
	if m.limit > 0 && m.facts > m.limit {
		return m.exceed("facts", m.facts)
	}
	return m.weigh(ofFact + ofPattern*len(t.patterns) + ofCell*t.arity)
}

// The size of a fact in bytes, besides a cell for each column: in its table, which may have
// room for as many more, and in the indexes of the table; and in a recording, which has
// each value in full, its text and its other parts.
const (
	ofCell         = 2 * 4
	ofPattern      = 2*4 + 4*4
	ofFact         = 8
	ofColumn       = 32
	ofRecordedFact = 2 * 48 // in a list that grows
	ofMessage      = 2 * 176
)

// weigh counts some bytes. It returns false when the run is to stop.
func (m *Machine) weigh(bytes int) bool {
	if m.memory.Take(bytes) {
		return true
	}
	return m.stop(limits.OfMemory(m.memory, "", 1))
}

// exceed ends the run at a limit.
func (m *Machine) exceed(what string, count int) bool {
	return m.stop(&limits.LimitError{What: what, Count: count, Round: 1})
}

// stop ends the run at a limit, and records where.
func (m *Machine) stop(e *limits.LimitError) bool {
	e.Growth = m.growth()
	if m.at != nil {
		e.Relation, e.Round = m.relations[m.at.relation].name, m.at.round
	}
	m.err = e
	return false
}

// growth returns the relations that have facts, the largest first.
func (m *Machine) growth() []recording.Growth {
	var all []recording.Growth
	for number, r := range m.relations {
		facts := 0
		for round := 1; round <= m.eot && r.name != crashes; round++ {
			facts += m.tables[m.node(number, round)].n
		}
		if facts > 0 {
			all = append(all, recording.Growth{Relation: r.name, Facts: facts})
		}
	}
	slices.SortStableFunc(all, func(a, b recording.Growth) int { return b.Facts - a.Facts })
	return all
}

// noValue notes that some arithmetic of the rule had no value.
func (m *Machine) noValue() { m.valued[m.at.index] = true }
