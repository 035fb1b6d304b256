// Package harness has what it takes to find three bugs of etcd's Raft: what
// clients ask, what has to hold, and what may go wrong.
package harness

import (
	"fmt"

	"github.com/coreos/etcd/raft"
	"github.com/lineage-driven/ldfi/adapters/coreosraft"
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

var processes = []string{"a", "b", "c"}

// ReadIndex is the harness of etcd-io/etcd#7331: a leader that has committed
// nothing in its term yet answers a read from what it had learned as a follower,
// which can be older than what its predecessor committed. v3.1.1 has the bug,
// and v3.1.2 does not. Clients write at one process after the other, and read
// everywhere, all the time.
func ReadIndex() *system.System {
	s := coreosraft.System(processes, nil)
	s.Name = "readindex"
	s.Requests = append(
		etcd.Every(processes, 10, 40, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) }),
		etcd.Every(processes, 10, 60, 1, func(string, int) any { return etcd.ReadIndex{} })...)
	s.Faults = rounds.Bounds{Isolations: 2, Period: 30}
	return s
}

// PreVote is the harness of etcd-io/etcd#8243: with PreVote, a process with a
// higher term does not hear that it would be voted for, because the answers
// carry the lower term of those who give them. If the others need it for a
// majority there never is a leader again. v3.2.9 has the bug, and v3.3.0 does
// not. One process may crash, and one be isolated for a while, in the first 40
// rounds; 80 more have to be enough for an election.
func PreVote() *system.System {
	s := coreosraft.System(processes, func(c *raft.Config) { c.PreVote = true })
	s.Name = "prevote"
	s.Rounds, s.MinTicks, s.MaxTicks = 120, 2, 3
	s.Properties = append(s.Properties, etcd.LeaderAfter(80))
	s.Faults = rounds.Bounds{Crashes: 1, Isolations: 1, Period: 4, EFF: 41}
	return s
}
