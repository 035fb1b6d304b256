package etcdraft_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"go.etcd.io/raft/v3"
)

var long = flag.Int("long", 10, "execute so many schedules")

// One leader per term, one log, and reads that are never stale, whatever
// isolations, crashes, restarts and pauses happen.
func TestSafety(t *testing.T) { safety(t, nil) }

// The same with logs that are replaced by snapshots all the time.
func TestSafetyOfSnapshots(t *testing.T) {
	safety(t, etcd.Every(etcdtest.Processes, 12, 60, 6, func(string, int) any { return etcd.Compact{} }))
}

func safety(t *testing.T, more []system.Request) {
	s := etcdraft.System(etcdtest.Processes, func(c *raft.Config) { c.PreVote, c.CheckQuorum = true, true })
	s.Requests = slices.Concat(
		etcd.Every(etcdtest.Processes, 10, 50, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) }),
		etcd.Every(etcdtest.Processes, 10, 60, 2, func(string, int) any { return etcd.ReadIndex{} }), more)
	ldfitest.Run(t, s, ldfitest.Strategy("sample"), ldfitest.Executions(*long),
		ldfitest.Bounds(rounds.Bounds{Isolations: 4, Period: 15, Crashes: 2, Restarts: 2, Pauses: 1}))
}
