package coreosraft

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/coreos/etcd/raft"
	"github.com/coreos/etcd/raft/raftpb"
)

// Up to v3.0 a RawNode has no ReadIndex, Ready no ReadStates, and a message no
// Context; up to v2.3 it has no TransferLeader. Code that names them does not
// compile with these versions; what is in this file looks for them.

// reader is a RawNode since v3.1.
type reader interface{ ReadIndex(context []byte) }

// transferrer is a RawNode since v3.0.
type transferrer interface{ TransferLeader(to uint64) }

// readState is what raft.ReadState is since v3.1.
type readState struct {
	Index      uint64
	RequestCtx []byte
}

var (
	readStates = field[raft.Ready, []readState]("ReadStates")
	contextOf  = field[raftpb.Message, []byte]("Context")
)

// field returns a function that reads a field of a struct: nothing if this version
// has none.
func field[S, T any](name string) func(of *S) (value T) {
	f, ok := reflect.TypeFor[S]().FieldByName(name)
	if !ok {
		return func(*S) (nothing T) { return nothing }
	}
	if is, want := f.Type, reflect.TypeFor[T](); is != want && !is.Elem().ConvertibleTo(want.Elem()) {
		panic(fmt.Sprintf("%s of %s is not as this adapter knows it: it is a %s", name, reflect.TypeFor[S](), is))
	}
	return func(of *S) T { return *(*T)(unsafe.Add(unsafe.Pointer(of), f.Offset)) }
}
