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
type state struct{ term, commit, index, servers reflect.Value }

func stateOf(r *raft.Raft) state {
	field := func(path ...string) reflect.Value {
		v := reflect.ValueOf(r).Elem()
		for _, name := range path {
			if v = v.FieldByName(name); !v.IsValid() {
				panic(fmt.Sprintf("raft.Raft of this version has no field %q, which this adapter reads", path))
			}
		}
		return v
	}
	return state{
		field("currentTerm"), field("commitIndex"),
		field("configurations", "latestIndex"), field("configurations", "latest", "Servers"),
	}
}

// configuration is the newest configuration in the log, as a slice of the library: it
// does not change, but is replaced.
type configuration struct {
	index uint64
	at    uintptr
}

func (s state) configuration() configuration {
	return configuration{s.index.Uint(), s.servers.Pointer()}
}

// members returns the names of those that vote, and of those that do not.
func (s state) members() (voters, others []string) {
	for i := range s.servers.Len() {
		v := s.servers.Index(i)
		name := nameOf(raft.ServerAddress(v.FieldByName("Address").String()))
		if raft.ServerSuffrage(v.FieldByName("Suffrage").Int()) == raft.Voter {
			voters = append(voters, name)
		} else {
			others = append(others, name)
		}
	}
	return voters, others
}
