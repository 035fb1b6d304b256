package lockstep

import (
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/specs"
)

// id stands for a value: a small integer by itself, with its lowest bit set;
// anything else by its place in an interner. Two ids of one interner are equal
// exactly when their values are.
type id int32

// none is the id of no value.
const none id = -2

// small is the bound below which the size of an integer makes it its own id.
const small = 1 << 30

// interner gives ids to values.
type interner struct {
	values []specs.Value
	places map[specs.Value]id
	fixed  int // the number of values that forget keeps
}

func newInterner() *interner {
	return &interner{places: map[specs.Value]id{}}
}

// clone returns an interner of its own, with the values that forget keeps.
func (in *interner) clone() *interner {
	clone := &interner{values: slices.Clone(in.values), places: maps.Clone(in.places), fixed: in.fixed}
	clone.forget()
	return clone
}

// keep makes forget keep every value that there is now.
func (in *interner) keep() { in.fixed = len(in.values) }

// forget drops the values that came after keep.
func (in *interner) forget() {
	for _, v := range in.values[in.fixed:] {
		delete(in.places, v)
	}
	in.values = in.values[:in.fixed]
}

// find returns the id of a value, and none if it has none yet.
func (in *interner) find(v specs.Value) id {
	if v.IsInt() {
		if n := v.Int(); -small <= n && n < small {
			return id(n<<1 | 1)
		}
	}
	if x, ok := in.places[v]; ok {
		return x
	}
	return none
}

// intern returns the id of a value.
func (in *interner) intern(v specs.Value) id {
	if x := in.find(v); x != none {
		return x
	}
	x := id(len(in.values) << 1)
	in.values = append(in.values, v)
	in.places[v] = x
	return x
}

// integer returns the id of an integer.
func (in *interner) integer(n int64) id {
	if -small <= n && n < small {
		return id(n<<1 | 1)
	}
	return in.intern(specs.Int(n))
}

// value returns the value of an id.
func (in *interner) value(x id) specs.Value {
	if x&1 == 1 {
		return specs.Int(int64(x >> 1))
	}
	return in.values[x>>1]
}

// number returns the integer of an id, and false for a string.
func (in *interner) number(x id) (int64, bool) {
	if x&1 == 1 {
		return int64(x >> 1), true
	}
	v := in.values[x>>1]
	return v.Int(), v.IsInt()
}
