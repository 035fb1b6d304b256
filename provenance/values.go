package provenance

import "github.com/lineage-driven/ldfi/specs"

// values numbers the values that occur, so that tuples are compared and hashed
// as integers.
type values struct {
	ids  map[specs.Value]uint32
	list []specs.Value
}

// id returns the number of a value, the same for equal values.
func (v *values) id(value specs.Value) uint32 {
	id, known := v.ids[value]
	if !known {
		id = uint32(len(v.list))
		v.ids[value] = id
		v.list = append(v.list, value)
	}
	return id
}
