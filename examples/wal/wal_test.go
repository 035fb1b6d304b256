package wal_test

import (
	"errors"
	"testing"

	"github.com/lineage-driven/ldfi/examples/wal"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// TestLog finds nothing. The schedules in testdata/ldfi are those that broke servers
// with mistakes; they are executed first.
func TestLog(t *testing.T) {
	ldfitest.Run(t, wal.System("wal", wal.Mistakes{}), ldfitest.Bounds(rounds.Bounds{Crashes: 2, Restarts: 2, FailedSyncs: 1}), ldfitest.Executions(500))
}

// Each mistake is brought out by faults of the disk, and a search finds as few as these.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		mistake  string
		mistakes wal.Mistakes
		faults   string
	}{
		{"no sync", wal.Mistakes{NoSync: true}, "crash a@4; restart a@4"},
		{"no sync of the directory", wal.Mistakes{NoSyncDir: true}, "crash a@4; restart a@4"},
		{"an error is ignored", wal.Mistakes{IgnoresError: true}, "crash a@4; restart a@4; failsync a@2"},
		{"syncs again", wal.Mistakes{SyncsAgain: true}, "crash a@5; restart a@5; failsync a@2"},
		{"keeps the tail", wal.Mistakes{KeepsTail: true}, "seed 7; crash a@2/torn; restart a@2; crash a@7; restart a@7"},
		{"locks", wal.Mistakes{Locks: true}, "crash a@2/kept; restart a@2"},
	} {
		schedule, err := rounds.ParseSchedule(c.faults)
		require.NoError(t, err)
		require.True(t, violates(t, wal.System("wal", c.mistakes), schedule), c.mistake)
		require.False(t, violates(t, wal.System("wal", wal.Mistakes{}), schedule), c.mistake)

		answer, err := search.Run(t.Context(), wal.System("wal", c.mistakes), search.Options{Bounds: rounds.Bounds{Crashes: 2, Restarts: 2, FailedSyncs: 1}})
		require.NoError(t, err)
		require.Equal(t, result.Violated, answer.Verdict, c.mistake)
		require.Equal(t, schedule.Size(), answer.First().Schedule.Size(), "%s: %s", c.mistake, answer.First().Schedule)
	}
}

// violates tells whether what is acknowledged is not stored, or the server does not start.
func violates(t *testing.T, s *system.System, schedule rounds.Schedule) bool {
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	if errors.As(err, new(*system.PanicError)) {
		return true
	}
	require.NoError(t, err)
	violations, err := s.Properties[0].Check(e)
	require.NoError(t, err)
	return len(violations) > 0
}
