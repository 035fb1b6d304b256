package wal_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/wal"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Each mistake is brought out by faults of the disk, as few as these.
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
		{"keeps the tail", wal.Mistakes{KeepsTail: true}, "seed 2; crash a@2/torn; restart a@2; crash a@7; restart a@7"},
	} {
		schedule, err := rounds.ParseSchedule(c.faults)
		require.NoError(t, err)
		for name, mistakes := range map[string]wal.Mistakes{c.mistake: c.mistakes, "none": {}} {
			s := wal.System(name, mistakes)
			e, err := s.Run(t.Context(), schedule, system.RunOptions{})
			require.NoError(t, err)
			violations, err := s.Properties[0].Check(e)
			require.NoError(t, err)
			require.Equal(t, name != "none", len(violations) > 0, "%s: %s: %s", c.mistake, name, e.Facts)
		}
	}
}
