package etcd

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Propose asks a process to have a value written to the log. The reply is the
// index, once the process has applied it there.
type Propose string

// String returns "propose x".
func (p Propose) String() string { return "propose " + string(p) }

// ReadIndex asks a process from which index on it may answer a read that comes
// now. The reply is that index.
type ReadIndex struct{}

// String returns "read".
func (ReadIndex) String() string { return "read" }

// Compact asks a process to put a snapshot in the place of its log, up to what it
// has applied. Who then lacks more than is left of the log of a leader gets the
// snapshot. There is no reply.
type Compact struct{}

// String returns "compact".
func (Compact) String() string { return "compact" }

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

// The data of an entry is the request that proposed it, and its value.
func dataOf(request int, value Propose) []byte {
	return fmt.Appendf(nil, "%d %s", request, string(value))
}

func parseData(data []byte) (request int, value string) {
	number, value, ok := strings.Cut(string(data), " ")
	request, err := strconv.Atoi(number)
	if !ok || err != nil {
		return 0, string(data)
	}
	return request, value
}

// The data of a snapshot is all entries that were applied.
func snapshotOf(applied []Entry) []byte {
	data, err := json.Marshal(applied)
	if err != nil {
		panic(err) // numbers and bytes always have a text
	}
	return data
}

func entriesOf(snapshot []byte) []Entry {
	if len(snapshot) == 0 {
		return nil // of a log that begins with nothing
	}
	var applied []Entry
	if err := json.Unmarshal(snapshot, &applied); err != nil {
		panic(fmt.Sprintf("the data of a snapshot is not what was put into one: %v", err))
	}
	return applied
}
