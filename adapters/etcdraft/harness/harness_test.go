package harness_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var (
	long = flag.Int("long", 50, "search with at most so many executions")
	save = flag.Bool("save", false, "search for the mistake, and save the schedule")
)

// Without the mistake nothing is found.
func TestSwap(t *testing.T) {
	require.Empty(t, violations(t, harness.Swap()), "under the kept schedule")
	r, err := search.Run(t.Context(), harness.Swap(), search.Options{Seed: 1, Executions: *long})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict, "%s", r.Summary())
}

// With the mistake two leaders commit on their own.
func TestJump(t *testing.T) {
	jump := harness.Swap(etcd.Wrap(harness.Jump))
	if *save {
		r, err := search.Run(t.Context(), jump, search.Options{Seed: 1, Executions: *long})
		require.NoError(t, err)
		t.Log(r.Summary())
		require.NoError(t, os.WriteFile(file, []byte(r.First().Schedule.String()+"\n"), 0o666))
	}
	require.NotEmpty(t, violations(t, jump))
	require.NoError(t, jump.CheckState(t.Context(), 3, 1))
}

const file = "testdata/jump.schedule"

// violations returns what is violated under the kept schedule.
func violations(t *testing.T, s *system.System) (all []result.Violation) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	e := execute(t, s, strings.TrimSpace(string(text)))
	for _, p := range s.Properties {
		found, err := p.Check(e)
		require.NoError(t, err)
		all = append(all, found...)
	}
	for _, v := range all {
		t.Log(v)
	}
	return all
}

func execute(t *testing.T, s *system.System, schedule string) *recording.Execution {
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parsed, system.RunOptions{})
	require.NoError(t, err)
	return e
}
