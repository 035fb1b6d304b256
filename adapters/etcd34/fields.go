// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd34

import "reflect"

// Up to v3.6 the library has messages, entries and states as values with fields of
// types like uint64; in v3.7 they are pointers with fields like *uint64. The
// functions of this file take both.

// number returns the number in a field.
func number[T uint64 | *uint64](field T) uint64 { return value[uint64](field) }

// value returns what is in a field, which may point to it.
func value[V any](field any) (zero V) {
	switch f := field.(type) {
	case V:
		return f
	case *V:
		if f != nil {
			return *f
		}
	}
	return zero
}

// pointer returns a pointer to what is in a field, which may be that already.
func pointer[T, F any](field *F) *T {
	if p, ok := any(field).(*T); ok {
		return p
	}
	return *any(field).(**T)
}

// made returns the same, and makes what is missing.
func made[T, F any](field *F) *T {
	if p, ok := any(field).(**T); ok && *p == nil {
		*p = new(T)
	}
	return pointer[T](field)
}

// like returns what a pointer points to, or the pointer, as the type says.
func like[F, T any](p *T) F {
	if f, ok := any(p).(F); ok {
		return f
	}
	return reflect.ValueOf(p).Elem().Interface().(F)
}

// set puts a value, or a pointer to it, into a field.
func set[T, F any](field *F, value T) { *made[T](field) = value }

// setNode sets the field of a change with the number of the node, which is named
// NodeID up to v3.6, and NodeId in v3.7.
func setNode(change any, node uint64) {
	s := reflect.ValueOf(change).Elem()
	if f := s.FieldByName("NodeID"); f.IsValid() {
		f.SetUint(node)
		return
	}
	s.FieldByName("NodeId").Set(reflect.ValueOf(&node))
}
