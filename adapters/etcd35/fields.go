// Code generated from adapters/etcdraft by go test ./internal/house -update; DO NOT EDIT.

package etcd35

import (
	"reflect"
	"slices"

	"go.etcd.io/etcd/raft/v3"
)

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

// set puts a number, or numbers, into a field of a struct that is named by its
// path, and makes what is missing on the way.
func set(target reflect.Value, value any, path ...string) {
	if target.Kind() == reflect.Pointer {
		if target.IsNil() {
			target.Set(reflect.New(target.Type().Elem()))
		}
		target = target.Elem()
	}
	if len(path) == 0 {
		target.Set(reflect.ValueOf(value))
		return
	}
	set(target.FieldByName(path[0]), value, path[1:]...)
}

// start makes a storage as it is after the members have been added.
func start(storage *raft.MemoryStorage, members []uint64) error {
	snapshot, err := storage.Snapshot()
	if err != nil {
		return err
	}
	s := reflect.ValueOf(&snapshot).Elem()
	set(s, uint64(1), "Metadata", "Index")
	set(s, uint64(1), "Metadata", "Term")
	set(s, slices.Clone(members), "Metadata", "ConfState", "Voters")
	if err := storage.ApplySnapshot(snapshot); err != nil {
		return err
	}
	hard, _, err := storage.InitialState()
	if err != nil {
		return err
	}
	h := reflect.ValueOf(&hard).Elem()
	set(h, uint64(1), "Term")
	set(h, uint64(1), "Commit")
	return storage.SetHardState(hard)
}
