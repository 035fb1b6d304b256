package harness_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coreos/etcd/raft/raftpb"
	"github.com/lineage-driven/ldfi/adapters/coreosraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var (
	buggy = flag.Bool("buggy", false, "the version of the library has the bug")
	long  = flag.Int("long", 0, "search as well, with at most so many executions")
	seeds = flag.Uint64("seeds", 1, "so many times, with seeds from 1")
	save  = flag.Bool("save", false, "save the schedule of the last search")
)

// A new leader answers reads with what it knew as a follower: v3.1.1 has the
// bug, v3.1.2 does not. An isolation of the leader, after a commit that the
// others have not heard of, is enough.
func TestReadIndex(t *testing.T) { check(t, harness.ReadIndex(), "readindex", *buggy) }

// Two of three processes never elect a leader: v3.2.9 has the bug, v3.3.0 does
// not.
func TestPreVote(t *testing.T) { check(t, harness.PreVote(), "prevote", *buggy) }

// A learner that restarts stands for election: all versions v3.3 have the bug, and
// those before have no learners.
func TestLearner(t *testing.T) {
	if _, ok := raftpb.ConfChangeType_value["ConfChangeAddLearnerNode"]; !ok {
		t.Skip("this version of the library has no learners")
	}
	check(t, harness.Learner(), "learner", true)
}

// check replays the saved schedule, and searches if it is told to.
func check(t *testing.T, s *system.System, name string, buggy bool) {
	file := filepath.Join("testdata", name+".schedule")
	for seed := uint64(1); *long > 0 && seed <= *seeds; seed++ {
		r, err := search.Run(t.Context(), s, search.Options{Seed: seed, Executions: *long})
		require.NoError(t, err)
		t.Log(r.Search.Why)
		t.Log(r.Summary())
		require.Equal(t, buggy, r.Verdict == result.Violated)
		if *save {
			require.NoError(t, os.WriteFile(file, []byte(r.First().Schedule.String()+"\n"), 0o666))
		}
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	e, err := s.Run(context.Background(), schedule, system.RunOptions{})
	require.NoError(t, err)
	violated := false
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		for _, v := range violations {
			t.Log(v)
			violated = true
		}
	}
	require.Equal(t, buggy, violated, "under the schedule %s", schedule)
}

// The self-tests pass for the harnesses, too.
func TestSelf(t *testing.T) {
	for _, s := range []*system.System{harness.ReadIndex(), harness.PreVote()} {
		require.NoError(t, s.CheckDeterminism(context.Background(), 3, 1))
		require.NoError(t, s.CheckDurability(context.Background(), 10, 1))
	}
}
