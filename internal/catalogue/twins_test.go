package catalogue_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/examples/mapreduce"
	"github.com/lineage-driven/ldfi/internal/universe"
	protocols "github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
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
}

// A system that has the mistake of a protocol breaks under the smallest faults that break
// the protocol, and under no others of those that are drawn here; without the mistake both
// hold.
func TestTwins(t *testing.T) {
	for _, twin := range twins {
		t.Run(twin.program, func(t *testing.T) {
			p, err := dedalus.Parse(root + "testdata/protocols/catalogue/" + twin.program + ".ded")
			require.NoError(t, err)
			bounds, goals, err := rounds.BoundsOf(p, nil)
			require.NoError(t, err)
			model, err := protocols.New(p, bounds, protocols.Options{Goals: goals})
			require.NoError(t, err)
			schedules := []rounds.Schedule{{}}
			answer, err := model.Check(t.Context())
			require.NoError(t, err)
			for _, c := range answer.Counterexamples {
				schedules = append(schedules, c.Schedule)
			}
			for random := rand.New(rand.NewPCG(1, 2)); len(schedules) < 500; {
				schedules = append(schedules, universe.New(bounds).Random(random))
			}
			for _, s := range schedules {
				injection, err := model.Inject(t.Context(), s)
				require.NoError(t, err)
				require.Equal(t, len(injection.Violations) > 0, breaks(t, twin.system, s), "under %q", s)
			}
		})
	}
}

// breaks tells whether a schedule breaks a property of a system.
func breaks(t *testing.T, s *system.System, schedule rounds.Schedule) bool {
	t.Helper()
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		if len(violations) > 0 {
			return true
		}
	}
	return false
}
