// Package harness has clusters of hashicorp/raft and what clients ask of them. It looks
// for nothing in particular: the same harness runs with every version of the library.
package harness

import (
	"github.com/hashicorp/raft"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// All returns the clusters.
func All(with ...hashicorpraft.Option) []*system.System {
	return []*system.System{Cluster(with...), Members(with...), Transfers(with...), Snapshots(with...)}
}

// calm is for how many rounds nothing may happen until there has to be a leader again:
// 8 s, which are at least four elections.
const calm = 160

// Cluster is one of three servers that vote and one that does not. Clients write and
// read.
func Cluster(with ...hashicorpraft.Option) *system.System {
	return cluster("cluster", []string{"a", "b", "c", "d"},
		append(with, hashicorpraft.Voters("a", "b", "c"), hashicorpraft.Nonvoters("d")))
}

// Members is a cluster whose members change: one is added without a vote, gets one, and
// another is removed, and is added again after a vote was taken.
func Members(with ...hashicorpraft.Option) *system.System {
	all := []string{"a", "b", "c", "d"}
	s := cluster("members", all, append(with, hashicorpraft.Voters("a", "b", "c")))
	for i, change := range []any{
		hashicorpraft.AddNonvoter{Server: "d"}, hashicorpraft.AddVoter{Server: "d"}, hashicorpraft.DemoteVoter{Server: "a"},
		hashicorpraft.AddVoter{Server: "a"}, hashicorpraft.DemoteVoter{Server: "b"}, hashicorpraft.Remove{Server: "b"},
	} {
		s.Requests = append(s.Requests, hashicorpraft.Every(all, 60+35*i, 60+35*i, 1, func(int) any { return change })...)
	}
	s.Requests = append(s.Requests, system.Request{Round: 60 + 35*6, Process: "b", Payload: hashicorpraft.Shutdown{}})
	return s
}

// Transfers is a cluster as in [Cluster], in which another server is made the leader
// time and again: the one that the library chooses, and each by name, also the one
// without a vote.
func Transfers(with ...hashicorpraft.Option) *system.System {
	s := Cluster(with...)
	s.Name = "transfers"
	for i, to := range []string{"", "a", "d", "b", ""} {
		s.Requests = append(s.Requests, hashicorpraft.Every(s.Processes, 60+50*i, 60+50*i, 1, func(int) any { return hashicorpraft.Transfer{To: to} })...)
	}
	return s
}

// Snapshots is a cluster in which servers take snapshots and cut off their logs, by
// themselves and when they are asked to.
func Snapshots(with ...hashicorpraft.Option) *system.System {
	s := cluster("snapshots", []string{"a", "b", "c", "d"},
		append(with, hashicorpraft.Voters("a", "b", "c"), hashicorpraft.Nonvoters("d"), hashicorpraft.Configure(func(c *raft.Config) {
			c.SnapshotInterval, c.SnapshotThreshold, c.TrailingLogs = c.SnapshotInterval/60, 8, 2
		})))
	s.Requests = append(s.Requests, hashicorpraft.Every(s.Processes, 100, 250, 75, func(int) any { return hashicorpraft.Snapshot{} })...)
	return s
}

func cluster(name string, processes []string, with []hashicorpraft.Option) *system.System {
	s := hashicorpraft.System(processes, with...)
	s.Name = name
	s.Requests = append(
		hashicorpraft.Every(processes, 40, 460, 6, hashicorpraft.Value),
		hashicorpraft.Every(processes, 42, 460, 4, func(int) any { return hashicorpraft.Read{} })...)
	s.Properties = append(s.Properties, hashicorpraft.LeaderAfter(calm), hashicorpraft.WritesAfter(calm))
	s.Faults = rounds.Bounds{Isolations: 1, Partitions: 2, Period: 80, Crashes: 1, Restarts: 1, Pauses: 1, EFF: 300}
	return s
}
