package etcdraft

import (
	"reflect"
	"slices"

	"go.etcd.io/raft/v3"
)

// In v3.6 the library has messages, entries and states as values with fields of
// types like uint64; in v3.7 they are pointers with fields like *uint64. The
// functions of this file take both.

// number returns the number in a field.
func number[T uint64 | *uint64](field T) uint64 {
	switch f := any(field).(type) {
	case uint64:
		return f
	case *uint64:
		if f != nil {
			return *f
		}
	}
	return 0
}

// describe returns a message in short.
func describe[M any](library func(M, raft.EntryFormatter) string, message any) string {
	return library(message.(M), func(data []byte) string { return string(data) })
}

// step lets a node step a message, or its own copy of it.
func step[M any](library func(M) error, message any, own bool) error {
	m := message.(M)
	if own {
		m = copied(m)
	}
	return library(m)
}

// copied returns a message that shares no memory with the one given that the
// library writes to: the fields, and the places of the entries.
func copied[M any](message M) M {
	m := reflect.ValueOf(&message).Elem()
	if m.Kind() == reflect.Pointer {
		pointed := reflect.New(m.Type().Elem())
		pointed.Elem().Set(m.Elem())
		m.Set(pointed)
		m = pointed.Elem()
	}
	entries := m.FieldByName("Entries")
	own := reflect.MakeSlice(entries.Type(), entries.Len(), entries.Len())
	reflect.Copy(own, entries)
	entries.Set(own)
	return message
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

// start makes a storage as it is after the members, 1 to n, have been added.
func start(storage *raft.MemoryStorage, n int) error {
	var members []uint64
	for id := range n {
		members = append(members, uint64(id+1))
	}
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
