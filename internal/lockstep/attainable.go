package lockstep

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// maxUncertain is the most uncertain values of a sum or an average at a time: all their
// subsets are tried.
const maxUncertain = 12

// sizes returns the numbers of values, by aggregate and group.
func (c *collector) sizes(r *rule) [][]int {
	sizes := make([][]int, r.folds)
	for k := range sizes {
		sizes[k] = make([]int, c.groups.n)
		for i := range c.members[k].n {
			sizes[k][c.members[k].row(i)[0]]++
		}
	}
	return sizes
}

// member is a value that an aggregate ranges over, with the columns that tell it apart from
// the same value of other rows.
type member struct {
	value id
	per   string
}

// memberOf reads the row of a table of members.
func memberOf(row []id) member {
	m := member{value: row[1]}
	if len(row) > 2 {
		m.per = fmt.Sprint(row[2:])
	}
	return m
}

// lists returns the values, by aggregate and group.
func (c *collector) lists(r *rule) [][][]member {
	lists := make([][][]member, r.folds)
	for k := range min(r.folds, len(c.members)) {
		lists[k] = make([][]member, c.groups.n)
		for i := range c.members[k].n {
			row := c.members[k].row(i)
			lists[k][row[0]] = append(lists[k][row[0]], memberOf(row))
		}
	}
	return lists
}

// attainable returns the values that an aggregate has over the sure values
// together with any of the others; over none it has no value. The second result
// is false when the run is to stop.
func (m *Machine) attainable(f fold, sure, all []member) ([]id, bool) {
	switch f {
	case count:
		var counts []id
		for n := max(1, len(sure)); n <= len(all); n++ {
			if !m.tick() {
				return nil, false
			}
			counts = append(counts, m.values.integer(int64(n)))
		}
		return counts, true
	case least, most:
		return m.extremes(f, sure, all), m.tick()
	}
	if open := len(all) - len(sure); open > maxUncertain {
		return nil, m.exceed("uncertain values of a sum or an average in a recursion", open)
	}
	known := map[member]bool{}
	for _, x := range sure {
		known[x] = true
	}
	open := slices.DeleteFunc(slices.Clone(all), func(x member) bool { return known[x] })
	return m.subsets(f, sure, open)
}

// extremes returns the values that no sure one is better than.
func (m *Machine) extremes(f fold, sure, all []member) []id {
	var bound total
	for _, x := range sure {
		bound.add(m, f, x.value)
	}
	var found []id
	for _, x := range all {
		with := bound
		with.add(m, f, x.value)
		if with.best == x.value {
			found = append(found, x.value)
		}
	}
	return found
}

// subsets returns the sums or averages over the sure values with each subset of
// the open ones.
func (m *Machine) subsets(f fold, sure, open []member) ([]id, bool) {
	var base total
	for _, x := range sure {
		base.add(m, f, x.value)
	}
	found := map[id]bool{}
	var results []id
	for subset := range 1 << len(open) {
		if !m.tick() {
			return nil, false
		}
		t := base
		for i, x := range open {
			if subset>>i&1 == 1 {
				t.add(m, f, x.value)
			}
		}
		if t.count == 0 {
			continue
		}
		if x, ok := t.result(m, f); ok && !found[x] {
			found[x] = true
			results = append(results, x)
		}
	}
	return results, true
}

// concludeAll concludes the heads of one group for every choice of one value
// for each aggregate.
func (m *Machine) concludeAll(key []id, values [][]id) bool {
	r := m.at.rule
	if r.kind == syntax.Async {
		m.sender, key = int(key[0]), key[1:]
	}
	row := make([]id, 0, len(r.head))
	var choose func(k int) bool
	choose = func(k int) bool {
		i := len(row)
		if i == len(r.head) {
			return m.tick() && m.conclude(row)
		}
		if r.head[i].fold == noFold {
			row = append(row, key[i-k])
			ok := choose(k)
			row = row[:i]
			return ok
		}
		for _, x := range values[k] {
			row = append(row, x)
			ok := choose(k + 1)
			row = row[:i]
			if !ok {
				return false
			}
		}
		return true
	}
	return choose(0)
}
