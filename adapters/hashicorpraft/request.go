package hashicorpraft

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Apply asks the leader to write a value. The reply is its index, once the leader has
// applied it.
type Apply string

// String returns "apply x".
func (a Apply) String() string { return "apply " + string(a) }

// Read asks the leader what it has applied. It makes sure of two things: once in each
// of its terms, by a barrier, that it has applied what was committed in terms before,
// and, by VerifyLeader, that it leads still. The reply is the index of the newest value.
type Read struct{}

// String returns "read".
func (Read) String() string { return "read" }

// Verify asks the leader to verify that it leads (VerifyLeader), and nothing else. The
// reply is the index of the newest value that it has applied, which can be an old one
// at the beginning of a term: [FreshReads] does not judge it.
type Verify struct{}

// String returns "verify".
func (Verify) String() string { return "verify" }

// Barrier asks the leader to apply everything that is committed. The reply is the
// index of the newest value.
type Barrier struct{}

// String returns "barrier".
func (Barrier) String() string { return "barrier" }

// Snapshot asks a server, the leader or another, to take a snapshot of what it has
// applied. The log is cut off behind Config.TrailingLogs entries.
type Snapshot struct{}

// String returns "snapshot".
func (Snapshot) String() string { return "snapshot" }

// AddVoter asks the leader to add a server with a vote, or to give one its vote.
type AddVoter struct{ Server string }

// String returns "add voter x".
func (a AddVoter) String() string { return "add voter " + a.Server }

// AddNonvoter asks the leader to add a server without a vote.
type AddNonvoter struct{ Server string }

// String returns "add non-voter x".
func (a AddNonvoter) String() string { return "add non-voter " + a.Server }

// DemoteVoter asks the leader to take a server's vote.
type DemoteVoter struct{ Server string }

// String returns "demote x".
func (d DemoteVoter) String() string { return "demote " + d.Server }

// Remove asks the leader to remove a server.
type Remove struct{ Server string }

// String returns "remove x".
func (r Remove) String() string { return "remove " + r.Server }

// Shutdown asks a server to end itself, as an operator does with one that was removed:
// it would go on to stand for election.
type Shutdown struct{}

// String returns "shut down".
func (Shutdown) String() string { return "shut down" }

// Transfer asks the leader to make another server the leader: the library's choice
// without a name.
type Transfer struct{ To string }

// String returns "transfer" or "transfer to x".
func (t Transfer) String() string {
	if t.To == "" {
		return "transfer"
	}
	return "transfer to " + t.To
}

// Every returns requests with one payload at all these processes in rounds first,
// first+step, ... up to last. Most requests are for the leader: other servers do not
// take them, and there is no reply.
func Every(processes []string, first, last, step int, payload func(round int) any) []system.Request {
	var requests []system.Request
	for round := first; round <= last; round += max(step, 1) {
		for _, p := range processes {
			requests = append(requests, system.Request{Round: round, Process: p, Payload: payload(round)})
		}
	}
	return requests
}

// Value returns a value for [Every] to apply: the round, as text.
func Value(round int) any { return Apply(fmt.Sprint(round)) }
