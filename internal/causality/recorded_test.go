package causality_test

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// What is said of two executions of a system is true of them: each change is a fact or a
// message that one has and the other has not, causes come before effects, and all begins
// with faults.
func TestRecorded(t *testing.T) {
	changes, faults := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := []*system.System{election.Buggy(), replog.Buggy(), cassandra.Buggy()}[seed%3]
		b := rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, CrashStop: true, Crashes: 1, Isolations: 2, Period: 2, Omissions: 2, Delays: 1, MaxDelay: 2, Duplicates: 1, Pauses: 1}
		execute := func(schedule rounds.Schedule) *recording.Execution {
			e, err := s.Run(context.Background(), schedule, system.RunOptions{Record: true})
			require.NoError(t, err)
			return e
		}
		schedule := schedules.New(b).Random(r)
		good, bad := execute(rounds.Schedule{}), execute(schedule)
		fact := recording.Fact{Relation: "violation", Round: s.Rounds}
		d := &result.Difference{}
		causality.Recorded(d, good, bad, fact, false, func(string) bool { return true })
		d.Bad.Schedule = schedule.Normal()
		run := func(schedule rounds.Schedule) (*recording.Execution, error) { return execute(schedule), nil }
		require.NoError(t, oracle.CheckRecorded(d, run, run, nil), "under %s", schedule)
		for _, ch := range d.Changes[:d.Outcome-1] {
			require.NotEmpty(t, ch.Causes, "%s under %s", ch.Fact, schedule)
			for _, cause := range ch.Causes {
				faults += len(cause.Fault.Faults)
			}
			changes++
		}
		for _, f := range schedule.Normal().Faults {
			without := rounds.Schedule{Faults: []rounds.Fault{f}}
			d.Without = append(d.Without, result.Without{Fault: without, Changes: causality.Restored(d, good)})
		}
		require.NotEmpty(t, causality.Describe(d, b).Sentences())
		for _, write := range []func(io.Writer, *result.Difference, rounds.Bounds) error{causality.WriteDOT, causality.WriteMermaid, causality.WriteTree} {
			require.NoError(t, write(io.Discard, d, b))
		}
	}
	require.NotZero(t, changes)
	require.NotZero(t, faults)
}
