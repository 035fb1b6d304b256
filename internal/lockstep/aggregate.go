package lockstep

import (
	"math/bits"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// fold is the function of an aggregate.
type fold int

const (
	noFold fold = iota
	count
	sum
	avg
	least
	most
)

// foldOf returns the fold of an aggregate, noFold if there is none of that name.
func foldOf(name string) fold {
	switch name {
	case "count":
		return count
	case "sum":
		return sum
	case "avg":
		return avg
	case "min":
		return least
	case "max":
		return most
	}
	return noFold
}

// collector gathers the bindings of an aggregating instance: its groups, and
// the distinct values that each aggregate of the head ranges over.
type collector struct {
	groups  table   // the other columns of the head; after the sender if it is a message
	members []table // by aggregate: group, value, and the columns that tell equal values apart
	totals  []total
	summed  []int // by aggregate: its members that are in the totals, where they go on
	scratch []id
	member  []id
}

// whole returns the patterns of a table that is searched by whole
// rows only.
func whole(columns int) []pattern {
	all := make(pattern, columns)
	for i := range all {
		all[i] = i
	}
	return []pattern{all}
}

// reset makes the collector empty, and ready for a rule.
func (c *collector) reset(r *rule) {
	arity := len(r.head) - r.folds
	if r.kind == syntax.Async {
		arity++
	}
	c.groups.reset()
	if c.groups.arity != arity || c.groups.patterns == nil {
		c.groups.arity, c.groups.patterns = arity, whole(arity)
	}
	for len(c.members) < r.folds {
		c.members = append(c.members, table{})
	}
	member := 0
	for _, column := range r.head {
		if column.fold != noFold {
			c.members[member].widen(2 + len(column.per))
			member++
		}
	}
	for i := range c.members {
		c.members[i].reset()
	}
}

// widen gives a table arity columns.
func (t *table) widen(arity int) {
	if t.arity != arity || t.patterns == nil {
		*t = table{arity: arity, patterns: whole(arity)}
	}
}

// add adds the binding that the slots have. One in which a column of the group
// has no value adds nothing.
func (c *collector) add(m *Machine) {
	group := c.scratch[:0]
	if m.at.kind == syntax.Async {
		group = append(group, id(m.sender))
	}
	for i := range m.at.rule.head {
		if column := &m.at.rule.head[i]; column.fold == noFold {
			x, ok := m.eval(column.value)
			if !ok {
				return
			}
			group = append(group, x)
		}
	}
	c.scratch = group
	number := c.groups.find(group)
	if number < 0 {
		number = c.groups.n
		c.groups.insert(group)
	}
	member := 0
	for i := range m.at.rule.head {
		if column := &m.at.rule.head[i]; column.fold != noFold {
			c.member = append(c.member[:0], id(number), m.slots[column.slot])
			for _, slot := range column.per {
				c.member = append(c.member, m.slots[slot])
			}
			c.members[member].insert(c.member)
			member++
		}
	}
}

// total is the state of one aggregate of one group.
type total struct {
	count     int
	high, low uint64 // the sum, in two's complement
	best      id
	unsummed  bool // it has a string
}

// add adds a value.
func (t *total) add(m *Machine, f fold, x id) {
	t.count++
	switch f {
	case sum, avg:
		n, ok := m.values.number(x)
		t.unsummed = t.unsummed || !ok
		var carry uint64
		t.low, carry = bits.Add64(t.low, uint64(n), 0)
		t.high, _ = bits.Add64(t.high, uint64(n>>63), carry)
	case least, most:
		if t.count == 1 || (m.values.value(x).Compare(m.values.value(t.best)) < 0) == (f == least) {
			t.best = x
		}
	}
}

// result returns the value of the aggregate, and false if it has none: a sum
// of strings, or one that does not fit.
func (t *total) result(m *Machine, f fold) (id, bool) {
	switch f {
	case count:
		return m.values.integer(int64(t.count)), true
	case least, most:
		return t.best, true
	}
	n := int64(t.low)
	if t.unsummed || t.high != uint64(n>>63) {
		m.noValue()
		return none, false
	}
	if f == avg {
		n /= int64(t.count)
	}
	return m.values.integer(n), true
}

// summarise concludes the head of every group that was collected.
func (m *Machine) summarise() bool {
	c := m.fold
	if !c.sum(m) {
		return false
	}
	for g := 0; g < c.groups.n; g++ {
		if !m.tick() || !m.concludeGroup(c, g) {
			return false
		}
	}
	return true
}

// sum computes the totals of all groups.
func (c *collector) sum(m *Machine) bool {
	folds := m.at.folds
	size := c.groups.n * folds
	if cap(c.totals) < size {
		c.totals = make([]total, size)
	}
	c.totals = c.totals[:size]
	clear(c.totals)
	k := 0
	for i := range m.at.rule.head {
		f := m.at.rule.head[i].fold
		if f == noFold {
			continue
		}
		members := &c.members[k]
		for r := 0; r < members.n; r++ {
			if !m.tick() {
				return false
			}
			row := members.row(r)
			c.totals[int(row[0])*folds+k].add(m, f, row[1])
		}
		k++
	}
	return true
}

// concludeGroup concludes the head of one group, unless an aggregate has no
// value.
func (m *Machine) concludeGroup(c *collector, g int) bool {
	r := m.at.rule
	key := c.groups.row(g)
	if r.kind == syntax.Async {
		m.sender, key = int(key[0]), key[1:]
	}
	m.head = m.head[:0]
	k := 0
	for i := range r.head {
		f := r.head[i].fold
		if f == noFold {
			m.head = append(m.head, key[i-k])
			continue
		}
		x, ok := c.totals[g*r.folds+k].result(m, f)
		if !ok {
			return true
		}
		m.head = append(m.head, x)
		k++
	}
	return m.conclude(m.head)
}
