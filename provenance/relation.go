package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/specs"
)

// relation is a relation of the program with its facts in every round.
type relation struct {
	graph    *Graph
	name     string
	number   int
	arity    int
	nodes    []*node // by round, from 1
	rules    []*rule // with this relation in the head
	patterns [][]int // the sets of columns by which it is looked up
	volatile bool    // a process that comes back has forgotten it
	seen     int     // how many facts it has in the rounds so far; of single nodes
}

// pattern returns the number of a set of columns.
func (r *relation) pattern(columns []int) int {
	if i := slices.IndexFunc(r.patterns, func(p []int) bool { return slices.Equal(p, columns) }); i >= 0 {
		return i
	}
	r.patterns = append(r.patterns, slices.Clone(columns))
	return len(r.patterns) - 1
}

// node has the facts of a relation in one round. Before its component is evaluated, it has
// the facts found so far.
type node struct {
	relation *relation
	round    int
	facts    []*Fact
	table    []int32 // the facts by the hash of all columns: position+1, open addressing
	indexes  []index // by pattern

	whole *whole // nil unless that is all that is known

	component  int // the component to which it belongs
	old, delta int // during a recursion: facts[:old] are old, facts[old:delta] the last turn's
}

// few is the number of facts up to which a scan beats a hash table.
const few = 8

// find returns the fact with the arguments tuple, nil if there is none.
func (n *node) find(tuple []uint32) *Fact {
	if len(n.facts) <= few {
		for _, f := range n.facts {
			if slices.Equal(f.tuple, tuple) {
				return f
			}
		}
		return nil
	}
	mask := len(n.table) - 1
	for h := hash(tuple) & mask; n.table[h] != 0; h = (h + 1) & mask {
		if f := n.facts[n.table[h]-1]; slices.Equal(f.tuple, tuple) {
			return f
		}
	}
	return nil
}

// insert adds a fact that is not there yet.
func (n *node) insert(f *Fact) {
	f.node = n
	f.position = int32(len(n.facts))
	n.facts = append(n.facts, f)
	switch {
	case len(n.facts) <= few:
	case 2*len(n.facts) > len(n.table):
		n.rehash()
	default:
		n.place(f)
	}
}

func (n *node) place(f *Fact) {
	mask := len(n.table) - 1
	h := hash(f.tuple) & mask
	for n.table[h] != 0 {
		h = (h + 1) & mask
	}
	n.table[h] = f.position + 1
}

func (n *node) rehash() {
	size := 4 * few
	for size < 4*len(n.facts) {
		size *= 2
	}
	n.table = make([]int32, size)
	for _, f := range n.facts {
		n.place(f)
	}
}

// keep drops the facts for which it returns false.
func (n *node) keep(wanted func(*Fact) bool) {
	facts := n.facts[:0]
	for _, f := range n.facts {
		if wanted(f) {
			f.position = int32(len(facts))
			facts = append(facts, f)
		}
	}
	if len(facts) == len(n.facts) {
		return
	}
	clear(n.facts[len(facts):])
	n.facts, n.table, n.indexes = facts, nil, nil
	if len(n.facts) > few {
		n.rehash()
	}
}

// index finds the facts of a node by the values of some columns: chains of
// positions, by hash.
type index struct {
	heads []int32 // by hash, position+1
	next  []int32 // by position, position+1
}

// chain returns the chain of facts whose columns of a pattern have the hash of the key, as
// a position+1 and the links. The chain may have other facts with the same hash.
func (n *node) chain(pattern int, key []uint32) (first int32, next []int32) {
	for len(n.indexes) <= pattern {
		n.indexes = append(n.indexes, index{})
	}
	x := &n.indexes[pattern]
	if len(x.next) < len(n.facts) {
		x.extend(n, n.relation.patterns[pattern])
	}
	return x.heads[hash(key)&(len(x.heads)-1)], x.next
}

// extend adds the facts that are new since the last time.
func (x *index) extend(n *node, columns []int) {
	if size := 2 * len(n.facts); len(x.heads) < size {
		x.next = x.next[:0]
		grown := 2 * few
		for grown < size {
			grown *= 2
		}
		x.heads = make([]int32, grown)
	}
	mask := len(x.heads) - 1
	from := len(x.next)
	x.next = slices.Grow(x.next, len(n.facts)-from)[:len(n.facts)]
	for i := len(n.facts) - 1; i >= from; i-- {
		h := hashColumns(n.facts[i].tuple, columns) & mask
		x.next[i] = x.heads[h]
		x.heads[h] = int32(i) + 1
	}
}

func hash(tuple []uint32) int {
	h := uint64(14695981039346656037)
	for _, id := range tuple {
		h = mix(h, id)
	}
	return int(h >> 1)
}

func hashColumns(tuple []uint32, columns []int) int {
	h := uint64(14695981039346656037)
	for _, c := range columns {
		h = mix(h, tuple[c])
	}
	return int(h >> 1)
}

func mix(h uint64, id uint32) uint64 {
	h = (h ^ uint64(id)) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// slab allocates small pieces from large blocks. A large piece has memory of its own, so
// that little is wasted at the end of a block.
type slab[T any] struct {
	free []T
	size int
}

// take returns a slice of n zero values.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) && n > s.size/8 && s.size >= 4096 {
		return make([]T, n)
	}
	if n > len(s.free) {
		s.size = min(max(2*s.size, 64), 4096)
		s.free = make([]T, max(n, s.size))
	}
	piece := s.free[:n:n]
	s.free = s.free[n:]
	return piece
}

// values numbers the values that occur, so that tuples are compared and hashed
// as integers.
type values struct {
	ids  map[specs.Value]uint32
	list []specs.Value
}

// id returns the number of a value; equal values have the same number.
func (v *values) id(value specs.Value) uint32 {
	id, known := v.ids[value]
	if !known {
		id = uint32(len(v.list))
		v.ids[value] = id
		v.list = append(v.list, value)
	}
	return id
}
