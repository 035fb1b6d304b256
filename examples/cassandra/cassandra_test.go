package cassandra_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// commits returns who commits which transaction with which ballot, as
// "1:p1,p2,p3@1": transaction, replicas, ballot.
func commits(e *recording.Execution) string {
	var texts []string
	last := ""
	for _, f := range e.Facts {
		if f.Relation != "committed" {
			continue
		}
		what := "T" + f.Args[2].Text() + "@" + f.Args[1].Text()
		if what != last {
			texts = append(texts, what)
		}
		texts[len(texts)-1] += " " + f.Args[0].Text()
		last = what
	}
	return strings.Join(texts, "; ")
}

const recommit = "isolate p3@5..6; isolate p3@7..12; isolate p3@13..18; isolate p2@20..24"

func TestStories(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string
	}{
		{"without faults three phases are enough", "",
			"T1@1 p1 p2 p3; T2@2 p1 p2 p3; T3@3 p1 p2 p3", "T1@1 p1 p2 p3; T2@2 p1 p2 p3; T3@3 p1 p2 p3"},
		{"a coordinator that is cut off is followed by the next", "isolate p2@7..12",
			"T1@1 p1 p2 p3; T2@3 p1 p2 p3; T3@4 p1 p2 p3", "T1@1 p1 p2 p3; T2@3 p1 p2 p3; T3@4 p1 p2 p3"},
		{"what was accepted but not committed is finished", "isolate p1@4..6",
			"T1@2 p1 p2 p3; T2@3 p1 p2 p3; T3@4 p1 p2 p3", "T1@2 p1 p2 p3; T2@3 p1 p2 p3; T3@4 p1 p2 p3"},
		{"a commit that reached only its coordinator is known to the next quorum", "isolate p1@5..6; isolate p1@7..12",
			"T1@1 p1; T1@2 p2 p3; T2@3 p1 p2 p3; T3@4 p1 p2 p3", "T1@1 p1; T1@2 p2 p3; T2@3 p1 p2 p3; T3@4 p1 p2 p3"},
		{"a replica misses a commit and the next transaction, and dates the old one anew", recommit,
			"T1@1 p1 p2; T2@2 p1 p2; T1@4 p1 p3", "T1@1 p1 p2; T2@2 p1 p2; T3@4 p1 p3"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, commits(systems.Run(t, cassandra.Buggy(), story.schedule)))
			require.Equal(t, story.fixed, commits(systems.Run(t, cassandra.Fixed(), story.schedule)))
		})
	}
	require.Equal(t, []string{cassandra.NoReturn.Name + " violation(1, 1, 4)"}, systems.Violations(t, cassandra.Buggy(), recommit))
}

// No random schedule, of any kind of fault but restarts, breaks the fixed
// version.
func TestFixed(t *testing.T) {
	s := cassandra.Fixed()
	r := s.NewRunner()
	r.Options.Record = true
	random := rand.New(rand.NewPCG(1, 2))
	for period := 1; period <= 8; period++ {
		b := s.Bounds(0)
		b.Isolations, b.Omissions, b.Crashes, b.Pauses, b.Period = rounds.Unlimited, 5, 1, 2, period
		universe := schedules.New(b)
		for range 150 {
			require.NoError(t, r.Run(context.Background(), universe.Random(random)))
			e := r.Execution()
			found, err := cassandra.NoReturn.Check(e)
			require.NoError(t, err)
			require.Empty(t, found, "under %s", e.Schedule)
		}
	}
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, cassandra.Buggy(), cassandra.Fixed())
}
