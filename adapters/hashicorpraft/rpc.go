package hashicorpraft

import (
	"fmt"
	"reflect"

	"github.com/hashicorp/raft"
)

// rpc is a call that servers make of each other.
type rpc struct {
	name              string
	request, response reflect.Type // structs
}

// rpcs are the calls that some version of the library has. Those that this one does
// not have are without types. Their places are sent.
var rpcs = []rpc{rpcOf("AppendEntries"), rpcOf("RequestVote"), rpcOf("InstallSnapshot"), rpcOf("TimeoutNow"), rpcOf("RequestPreVote")}

// preVote is the place of the call that candidates make before an election since v1.7.
const preVote = 4

// rpcOf finds a call among the methods of a transport of the library: there is no
// RequestPreVote before v1.7, and code that names its types does not compile with older
// versions.
func rpcOf(name string) rpc {
	method, ok := reflect.TypeFor[*raft.InmemTransport]().MethodByName(name)
	if !ok {
		return rpc{name: name}
	}
	arguments := method.Type // receiver, id, address, request, response
	return rpc{name, arguments.In(3).Elem(), arguments.In(4).Elem()}
}

// rpcWith returns the place of the call with this request.
func rpcWith(request any) (int, error) {
	t := reflect.TypeOf(request).Elem()
	for i, r := range rpcs {
		if r.request == t {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s is no request of a call that this adapter knows", t)
}
