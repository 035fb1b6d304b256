package lockstep

// scanned is the number of rows up to which a table is searched without an
// index.
const scanned = 8

// pattern is the columns by which a table is searched, in ascending order.
type pattern []int

// table is the set of rows of one relation in one round, in the order in which
// they came.
type table struct {
	arity    int
	n        int       // the number of rows
	rows     []id      // the rows, one after the other
	patterns []pattern // how it is searched; the first is by all columns
	indexes  []index   // one for each pattern, made when first needed
	watched  bool      // whether the last column ascends is noted
	ascends  bool      // it does, and has small integers only
}

// index chains the rows that have the same hash, later rows first.
type index struct {
	built   int     // the number of rows that are chained
	shift   uint    // how far to shift a hash to get its bucket
	buckets []int32 // the last row of each chain, -1 for none
	next    []int32 // by row, the row before it in its chain, -1 for none
}

// reset makes the table empty.
func (t *table) reset() {
	t.n = 0
	t.rows = t.rows[:0]
	t.ascends = t.watched
	for i := range t.indexes {
		t.indexes[i].built = 0
	}
}

// copy makes the table have the rows of another one, of the same relation.
func (t *table) copy(other *table) {
	t.reset()
	t.indexes = t.indexes[:min(len(t.indexes), len(other.patterns))]
	t.arity, t.patterns, t.n = other.arity, other.patterns, other.n
	t.rows = append(t.rows, other.rows...)
}

// row returns a row, to be read only until the next insertion.
func (t *table) row(r int) []id { return t.rows[r*t.arity : (r+1)*t.arity] }

// insert adds a row and tells whether it is new.
func (t *table) insert(row []id) bool {
	if t.find(row) >= 0 {
		return false
	}
	t.push(row)
	return true
}

// push adds a row that is not there.
func (t *table) push(row []id) {
	if t.ascends {
		last := t.arity - 1
		t.ascends = last >= 0 && row[last]&1 == 1 && (t.n == 0 || t.rows[len(t.rows)-1] <= row[last])
	}
	t.rows = append(t.rows, row...)
	t.n++
}

// find returns the number of a row, -1 if it is not there.
func (t *table) find(row []id) int {
	if t.n <= scanned {
	rows:
		for r := 0; r < t.n; r++ {
			have := t.rows[r*t.arity : (r+1)*t.arity]
			for i, x := range row {
				if have[i] != x {
					continue rows
				}
			}
			return r
		}
		return -1
	}
	for r := t.first(0, row); r >= 0; r = t.next(0, r) {
		if t.matches(0, r, row) {
			return r
		}
	}
	return -1
}

// matches tells whether a row has the keys in the columns of a pattern.
func (t *table) matches(p, r int, keys []id) bool {
	row := t.rows[r*t.arity : (r+1)*t.arity]
	for i, column := range t.patterns[p] {
		if row[column] != keys[i] {
			return false
		}
	}
	return true
}

// first returns the last row in the chain for keys, -1 if it is empty.
func (t *table) first(p int, keys []id) int {
	for len(t.indexes) < len(t.patterns) {
		t.indexes = append(t.indexes, index{})
	}
	ix := &t.indexes[p]
	if ix.built < t.n {
		t.build(ix, t.patterns[p])
	}
	return int(ix.buckets[hash(keys)>>ix.shift])
}

// next returns the row before row r in its chain, -1 if there is none. Rows
// that were inserted after r are never in it, so a table may grow while one of
// its chains is followed.
func (t *table) next(p, r int) int { return int(t.indexes[p].next[r]) }

// build chains the rows that are not chained yet.
func (t *table) build(ix *index, columns pattern) {
	if ix.built == 0 || t.n > len(ix.buckets) {
		size, shift := 16, uint(28)
		for size < 2*t.n {
			size, shift = size*2, shift-1
		}
		if cap(ix.buckets) < size {
			ix.buckets = make([]int32, size)
		}
		ix.buckets, ix.shift, ix.built = ix.buckets[:size], shift, 0
		for i := range ix.buckets {
			ix.buckets[i] = -1
		}
		ix.next = ix.next[:0]
	}
	for r := ix.built; r < t.n; r++ {
		h := uint32(0)
		for _, column := range columns {
			h = mix(h, t.rows[r*t.arity+column])
		}
		bucket := &ix.buckets[h>>ix.shift]
		ix.next = append(ix.next, *bucket)
		*bucket = int32(r)
	}
	ix.built = t.n
}

func hash(keys []id) uint32 {
	h := uint32(0)
	for _, x := range keys {
		h = mix(h, x)
	}
	return h
}

// mix stirs one more value into a hash, whose upper bits are the best.
func mix(h uint32, x id) uint32 {
	h = (h ^ uint32(x)) * 0x9E3779B1
	return h ^ h>>15
}
