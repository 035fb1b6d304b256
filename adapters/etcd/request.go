package etcd

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Propose asks a process to have a value written to the log. The reply is the
// index, once the process has applied it there.
type Propose string

// String returns "propose x".
func (p Propose) String() string { return "propose " + string(p) }

// ReadIndex asks a process from which index on it may answer a read that comes
// now. The reply is that index. Whether the leader asks the others or relies on
// its lease is a setting of the library, ReadOnlyOption.
type ReadIndex struct{}

// String returns "read".
func (ReadIndex) String() string { return "read" }

// Compact asks a process to put a snapshot in the place of its log, up to what it
// has applied. Who then lacks more than is left of the log of a leader gets the
// snapshot. There is no reply.
type Compact struct{}

// String returns "compact".
func (Compact) String() string { return "compact" }

// ConfChange asks a process to have the configuration changed: these processes
// become voters and learners, and those are members no more. The reply is the
// index, once the process has applied it there. An empty ConfChange leaves a joint
// configuration.
type ConfChange struct {
	Voters, Learners, Remove []string
	Transition               Transition
}

// String returns what is to change, such as "change: voter d, remove a, joint".
func (c ConfChange) String() string {
	change, names := c.change(func(name string) uint64 { return 0 }), slices.Concat(c.Voters, c.Learners, c.Remove)
	for i := range names {
		change.Nodes[i].Node = uint64(i)
	}
	return "change: " + change.text(func(n uint64) string { return names[n] })
}

// change returns the change with numbers of processes.
func (c ConfChange) change(number func(process string) uint64) Change {
	change := Change{Transition: c.Transition}
	for _, list := range []struct {
		op        Op
		processes []string
	}{{AddVoter, c.Voters}, {AddLearner, c.Learners}, {Remove, c.Remove}} {
		for _, p := range list.processes {
			change.Nodes = append(change.Nodes, NodeChange{list.op, number(p)})
		}
	}
	return change
}

// TransferLeader asks a process to make another the leader, which it does if it
// is the leader itself; else it hands the request on. There is no reply.
type TransferLeader struct{ To string }

// String returns "transfer to x".
func (t TransferLeader) String() string { return "transfer to " + t.To }

// AtLeader is a request that a process takes only while it knows itself to be the
// leader. [EveryLeader] makes it of all processes.
type AtLeader struct{ Payload any }

// String returns "at the leader: " and the request.
func (l AtLeader) String() string { return fmt.Sprintf("at the leader: %v", l.Payload) }

// retried is a request that is repeated until there is a reply.
type retried struct {
	id      int // of the request that is repeated; 0: it stands so many places before this one
	back    int
	payload any
}

// of returns the number of the request that is repeated by one with a number.
func (r retried) of(id int) int { return cmp.Or(r.id, id-r.back) }

// String returns the text of the request, and whether it is repeated.
func (r retried) String() string {
	if r.back > 0 {
		return fmt.Sprintf("again: %v", r.payload)
	}
	return fmt.Sprint(r.payload)
}

// Every returns requests with one payload at all processes in rounds
// first, first+step, ... up to last.
func Every(processes []string, first, last, step int, payload func(process string, round int) any) []system.Request {
	var requests []system.Request
	for round := first; round <= last; round += max(step, 1) {
		for _, p := range processes {
			requests = append(requests, system.Request{Round: round, Process: p, Payload: payload(p, round)})
		}
	}
	return requests
}

// EveryLeader returns requests with one payload at whoever leads in rounds first,
// first+step, ... up to last. Each is made of all processes, of which only those
// take it that know themselves to be the leader.
func EveryLeader(processes []string, first, last, step int, payload func(round int) any) []system.Request {
	return Every(processes, first, last, step, func(_ string, round int) any { return AtLeader{payload(round)} })
}

// Retried returns the requests, and those that clients repeat while they have no
// reply: each as often as told, every so many rounds, with the same context at the same
// process. The reply is that to the first. They may stand anywhere among the requests of
// a system, as long as they stay together and in this order.
func Retried(requests []system.Request, every, times int) []system.Request {
	var all []system.Request
	for again := 0; again <= times; again++ {
		for _, r := range requests {
			r.Payload = retried{id: r.ID, back: again * len(requests), payload: r.Payload}
			if again > 0 {
				r.ID, r.Round = 0, r.Round+again*max(every, 1)
			}
			all = append(all, r)
		}
	}
	return all
}

// The data of an entry is the request that proposed it, and its value.
func dataOf(request int, value Propose) []byte {
	data := strconv.AppendInt(make([]byte, 0, len(value)+8), int64(request), 10)
	return append(append(data, ' '), value...)
}

func parseData(data []byte) (request int, value string) {
	request, text := cutData(data)
	return request, string(text)
}

func cutData(data []byte) (request int, value []byte) {
	number, value, ok := bytes.Cut(data, []byte(" "))
	request, err := strconv.Atoi(string(number))
	if !ok || err != nil {
		return 0, data
	}
	return request, value
}

// The context of a read or of a change is the request.
func contextOf(request int) []byte { return strconv.AppendInt(nil, int64(request), 10) }

// requestIn returns the request in a context, 0 if there is none.
func requestIn(context []byte) int {
	request, err := strconv.Atoi(string(context))
	if err != nil {
		return 0
	}
	return request
}

// requestOf returns the request that proposed an entry, 0 if none did.
func requestOf(e Entry) int {
	if e.Change != nil {
		return requestIn(e.Change.Context)
	}
	request, _ := cutData(e.Data)
	return request
}
