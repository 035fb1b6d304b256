// Package harness has what it takes to find a mistake in how members are changed.
package harness

import (
	"fmt"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Swap is a cluster of a, b and c, of which a client swaps two for d and e.
func Swap(with ...etcd.Option) *system.System {
	processes := []string{"a", "b", "c", "d", "e"}
	s := etcdraft.System(processes, nil, append(with, etcd.Members("a", "b", "c"))...)
	s.Name = "swap"
	swap := etcd.ConfChange{Voters: []string{"d", "e"}, Remove: []string{"a", "b"}}
	s.Requests = append(
		etcd.EveryLeader(processes, 15, 35, 10, func(int) any { return swap }),
		etcd.Every(processes, 12, 50, 3, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })...)
	s.Properties = append(append(s.Properties, etcd.Membership()...), etcd.LeavesJoint(20))
	s.Faults = rounds.Bounds{Isolations: 2, Period: 15, Crashes: 1, Restarts: 1}
	return s
}

// Jump is the mistake: from one set of voters to the next without the joint
// configuration in between. Then the old ones, and the new, decide on their own.
func Jump(n etcd.Node) etcd.Node { return jumping{n} }

type jumping struct{ etcd.Node }

// ApplyConfChange leaves a joint configuration as soon as it is entered.
func (n jumping) ApplyConfChange(c etcd.Change) (etcd.Config, error) {
	config, err := n.Node.ApplyConfChange(c)
	if err != nil || !config.Joint() {
		return config, err
	}
	return n.Node.ApplyConfChange(etcd.Change{})
}
