package catalogue_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/examples/mapreduce"
	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// twins are systems that do what a protocol does, by the protocols.
var twins = []struct {
	program string
	system  *system.System
}{
	{"cassandra_3395", hints.Buggy()},
	{"cassandra_3395_fixed", hints.Fixed()},
	{"cassandra_3626", gossip.Buggy()},
	{"cassandra_3626_fixed", gossip.Fixed()},
	{"mapreduce_4748", mapreduce.OneSuccess()},
	{"mapreduce_4748_fixed", mapreduce.TwoSuccesses()},
	{"mapreduce_5489", mapreduce.Untold()},
	{"mapreduce_5489_fixed", mapreduce.Told()},
	{"mapreduce_5505", mapreduce.Early()},
	{"mapreduce_5505_client", mapreduce.EarlyClient()},
	{"mapreduce_5505_answer", mapreduce.EarlyAnswer()},
	{"mapreduce_5505_fixed", mapreduce.Unregistered()},
	{"round_skip", tendermint.Lagging()},
	{"round_skip_fixed", tendermint.Skipping()},
}

// A system that has the mistake of a protocol breaks under the smallest faults that break
// the protocol, and under no others of those that are drawn here; without the mistake both
// hold.
func TestTwins(t *testing.T) {
	for _, twin := range twins {
		t.Run(twin.program, func(t *testing.T) {
			protocol := systems.Catalogue(t, twin.program)
			list := []string{""}
			for _, c := range protocol.Check(t).Counterexamples {
				list = append(list, c.Schedule.String())
			}
			all := schedules.New(protocol.Bounds)
			for random := rand.New(rand.NewPCG(1, 2)); len(list) < 500; {
				list = append(list, all.Random(random).String())
			}
			protocol.RequireLike(t, twin.system, list)
		})
	}
}
