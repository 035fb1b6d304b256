package etcdraft_test

import (
	"flag"
	"fmt"
	"testing"

	"go.etcd.io/raft/v3"

	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/etcd"
	"github.com/lineage-driven/ldfi/rounds/etcdraft"
)

var long = flag.Int("long", 10, "execute so many schedules")

// One leader per term, one log, and reads that are never stale, whatever
// isolations, crashes, restarts and pauses happen.
func TestSafety(t *testing.T) {
	abc := []string{"a", "b", "c"}
	s := etcdraft.System(abc, func(c *raft.Config) { c.PreVote, c.CheckQuorum = true, true })
	s.Requests = append(
		etcd.Every(abc, 10, 50, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) }),
		etcd.Every(abc, 10, 60, 2, func(string, int) any { return etcd.ReadIndex{} })...)
	ldfitest.Run(t, s, ldfitest.Strategy(search.Sample), ldfitest.Executions(*long),
		ldfitest.Bounds(rounds.Bounds{Isolations: 4, Period: 15, Crashes: 2, Restarts: 2, Pauses: 1}))
}
