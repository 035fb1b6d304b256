package difference_test

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/difference"
	"github.com/lineage-driven/ldfi/internal/universe"
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
		schedule := universe.New(b).Random(r)
		good, bad := execute(rounds.Schedule{}), execute(schedule)
		fact := recording.Fact{Relation: "violation", Round: s.Rounds}
		d := &result.Difference{}
		difference.Recorded(d, good, bad, fact, false, func(string) bool { return true })
		require.Equal(t, len(d.Changes), d.Outcome)
		require.Equal(t, d.Outcome, d.Chain[len(d.Chain)-1])
		for i, ch := range d.Changes[:d.Outcome-1] {
			require.Equal(t, i+1, ch.Number)
			require.Equal(t, ch.Missing, count(good, ch.Fact) > count(bad, ch.Fact), "%s under %s", ch.Fact, schedule)
			require.NotEqual(t, count(good, ch.Fact), count(bad, ch.Fact), "%s under %s", ch.Fact, schedule)
			require.NotEmpty(t, ch.Causes, "%s under %s", ch.Fact, schedule)
			for _, cause := range ch.Causes {
				require.Less(t, cause.Change, ch.Number)
				if cause.Change > 0 {
					require.LessOrEqual(t, d.Changes[cause.Change-1].Fact.Round, ch.Fact.Round)
					continue
				}
				faults++
				require.True(t, slices.Contains(schedule.Normal().Faults, cause.Fault.Faults[0]), "%v under %s", cause, schedule)
			}
			changes++
		}
		for _, f := range schedule.Normal().Faults {
			without := rounds.Schedule{Faults: []rounds.Fault{f}}
			d.Without = append(d.Without, result.Without{Fault: without, Changes: difference.Restored(d, good)})
		}
		require.NotEmpty(t, difference.Of(d, b).Sentences())
		for _, write := range []func(io.Writer, *result.Difference, rounds.Bounds) error{difference.WriteDOT, difference.WriteMermaid, difference.WriteTree} {
			require.NoError(t, write(io.Discard, d, b))
		}
	}
	require.NotZero(t, changes)
	require.NotZero(t, faults)
}

// count says how often a fact is reported, or messages like it arrive, which several may
// send.
func count(e *recording.Execution, f recording.Fact) (n int) {
	for _, g := range e.Facts {
		if f.Compare(g) == 0 {
			n++
		}
	}
	for _, m := range e.Messages {
		if !m.Lost && max(m.Arrival, m.Round) == f.Round && m.Relation == f.Relation && slices.Equal(m.Args, f.Args) {
			n++
		}
	}
	return n
}
