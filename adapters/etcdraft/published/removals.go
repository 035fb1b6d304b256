package published

import (
	"fmt"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Removals is what the published test of ConfChangeBug does: s1 is asked to remove s4, s2
// to remove s3, and either may be cut off. It is the mistake of Raft's single-server
// changes, which the library does not have: a change counts when it is applied.
func Removals() *system.System {
	s := etcdraft.System([]string{"s1", "s2", "s3", "s4"}, nil)
	s.Name = "etcd-removals"
	s.Requests = append(
		append(removal("s1", "s4"), removal("s2", "s3")...),
		etcd.Every(s.Processes, 12, 55, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })...)
	s.Properties = append(s.Properties, etcd.Membership()...)
	s.Faults = rounds.Bounds{Isolations: 3, Cuts: 4, Period: 15}
	return s
}

// removal asks a process to remove another as soon as it leads.
func removal(leader, other string) []system.Request {
	return etcd.EveryLeader([]string{leader}, 5, 50, 3, func(int) any { return etcd.ConfChange{Remove: []string{other}} })
}
