package published

import (
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// ConfChange has Raft's single-server changes as they were published at first: a change
// counts as soon as it is in the log.
func ConfChange() *system.System { return removals("etcd-conf-change", onAppend(false)) }

// ConfChangeLater is the same with the rule that was published later: a leader has to
// commit an entry of its term before it appends a change.
func ConfChangeLater() *system.System { return removals("etcd-conf-change-later", onAppend(true)) }

// Removals is the library as it is, in which a change counts when it is applied.
func Removals() *system.System { return removals("etcd-removals") }

// removals is a cluster of four. From round 12 on whoever leads is asked to remove another:
// in the published test s1 to remove s4, and s2 to remove s3.
func removals(name string, with ...etcd.Option) *system.System {
	s := etcdraft.System([]string{"s1", "s2", "s3", "s4"}, nil, with...)
	s.Name, s.Rounds, s.MinTicks, s.MaxTicks = name, 50, 3, 3
	for i, p := range s.Processes {
		other := s.Processes[len(s.Processes)-1-i]
		s.Requests = append(s.Requests, etcd.EveryLeader([]string{p}, 12, 30, 2, func(int) any { return etcd.ConfChange{Remove: []string{other}} })...)
	}
	s.Properties = append(s.Properties, etcd.Membership()...)
	s.Faults = rounds.Bounds{Isolations: 2, Period: 30, EFF: 31}
	return s
}
