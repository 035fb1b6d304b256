package etcdtest

import (
	"fmt"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Cluster returns a system of an adapter as a user gets it who configures
// nothing.
type Cluster func(processes []string, with ...etcd.Option) *system.System

// Processes are those of the tests.
var Processes = []string{"a", "b", "c"}

// Busy is a cluster with clients that write and read at all processes, if the
// version of the library knows reads.
func (c Cluster) Busy() *system.System {
	s := c(Processes)
	s.Requests = etcd.Every(Processes, 15, 50, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })
	if c.offers(etcd.Reads) {
		s.Requests = append(s.Requests, etcd.Every(Processes, 17, 60, 3, func(string, int) any { return etcd.ReadIndex{} })...)
	}
	return s
}

// compacting is a busy cluster that replaces its logs by snapshots.
func (c Cluster) compacting() *system.System {
	s := c.Busy()
	s.Requests = append(s.Requests, etcd.Every(Processes, 20, 60, 4, func(string, int) any { return etcd.Compact{} })...)
	return s
}
