package published

import (
	"fmt"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"go.etcd.io/raft/v3"
)

// NilSnapshot is a cluster whose processes have nothing but their logs when they come
// back: what the library wants to be stored as HardState is not.
func NilSnapshot() *system.System {
	return episodes("etcd-nil-snapshot", etcd.Wrap(func(n etcd.Node) etcd.Node { return &forgetful{Node: n} }))
}

// Stored is the same with the HardState stored.
func Stored() *system.System { return episodes("etcd-stored") }

// episodes has the settings of the thesis: three processes, 25 steps of four ticks, and
// at most three crashes.
func episodes(name string, with ...etcd.Option) *system.System {
	processes := []string{"s1", "s2", "s3"}
	s := etcdraft.System(processes, func(c *raft.Config) { c.ElectionTick, c.HeartbeatTick = 16, 4 }, with...)
	s.Name, s.Rounds, s.MinTicks, s.MaxTicks = name, 50, 4, 4
	s.Properties = []property.Property{etcd.LearnersNeverLead}
	s.Requests = etcd.EveryLeader(processes, 5, 50, 4, func(round int) any { return etcd.Propose(fmt.Sprint(round)) })
	s.Faults = rounds.Bounds{Crashes: 1, Restarts: 1, Isolations: 1, Period: 16}
	return s
}

// forgetful is a node that comes back with its log, and nothing else.
type forgetful struct {
	etcd.Node
	back bool // it begins for another time than the first
}

// Restart restarts the node from the log.
func (f *forgetful) Restart() (etcd.Stored, error) {
	if !f.back {
		f.back = true
		return f.Node.Restart()
	}
	if err := f.Node.(interface{ Forget() error }).Forget(); err != nil {
		return etcd.Stored{}, err
	}
	return f.Node.Restart()
}
