package hashicorpraft

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/raft"
)

// fieldOf returns a field of the struct that a value points to.
func fieldOf(value any, name string) reflect.Value {
	return reflect.ValueOf(value).Elem().FieldByName(name)
}

// state reads what a server knows from the fields of the library that have it in all
// versions: its methods for that came one by one, and some of them ask the goroutine
// that they are about. It is only read while all goroutines are at rest.
type state struct{ raft reflect.Value }

func stateOf(r *raft.Raft) state {
	s := state{reflect.ValueOf(r).Elem()}
	for _, path := range [][]string{{"currentTerm"}, {"commitIndex"}, {"configurations", "latestIndex"}, {"configurations", "latest", "Servers"}} {
		if !s.field(path...).IsValid() {
			panic(fmt.Sprintf("raft.Raft of this version has no field %q, which this adapter reads", path))
		}
	}
	return s
}

func (s state) field(path ...string) reflect.Value {
	v := s.raft
	for _, name := range path {
		if v = v.FieldByName(name); !v.IsValid() {
			break
		}
	}
	return v
}

func (s state) term() uint64        { return s.field("currentTerm").Uint() }
func (s state) commitIndex() uint64 { return s.field("commitIndex").Uint() }

// configuration returns the newest configuration in the log, and its index.
func (s state) configuration() (index uint64, servers []raft.Server) {
	all := s.field("configurations", "latest", "Servers")
	for i := range all.Len() {
		v := all.Index(i)
		servers = append(servers, raft.Server{
			Suffrage: raft.ServerSuffrage(v.FieldByName("Suffrage").Int()),
			ID:       raft.ServerID(v.FieldByName("ID").String()),
			Address:  raft.ServerAddress(v.FieldByName("Address").String()),
		})
	}
	return s.field("configurations", "latestIndex").Uint(), servers
}
