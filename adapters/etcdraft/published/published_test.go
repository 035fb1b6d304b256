package published_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcdraft/published"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var long = flag.Int("long", 200, "search where nothing is to be found with so many executions")

// violations executes a schedule, and returns what it violates.
func violations(t *testing.T, s *system.System, text string) []result.Violation {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	var all []result.Violation
	for _, p := range s.Properties {
		some, err := p.Check(e)
		require.NoError(t, err)
		all = append(all, some...)
	}
	return all
}

// The links that the published tests drop, with 100 seeds: they say that the first shows
// in 15 of 100 iterations, and the second in all.
func TestPublishedLinks(t *testing.T) {
	for _, c := range []struct {
		system      *system.System
		links       []string
		least, most int
	}{
		{published.Liveness(), []string{"s1>s4", "s3>s4", "s4>s5", "s1>s5", "s2>s5"}, 10, 30},
		{published.LivenessNoCQ(), []string{"s1>s4", "s3>s4", "s1>s5", "s2>s5"}, 90, 100},
	} {
		var cuts []string
		for _, l := range c.links {
			cuts = append(cuts, fmt.Sprintf("cut %s@1..150; cut %s>%s@1..150", l, l[3:], l[:2]))
		}
		broken := 0
		for seed := range 100 {
			schedule := fmt.Sprintf("seed %d; %s", seed+1, strings.Join(cuts, "; "))
			broken += min(1, len(violations(t, c.system, schedule)))
			require.Empty(t, violations(t, published.Lively(), schedule), schedule)
		}
		t.Logf("%s: %d of 100", c.system.Name, broken)
		require.True(t, c.least <= broken && broken <= c.most, "%s: %d of 100", c.system.Name, broken)
	}
}

// s4 leads, hears of s2 alone, and leads on: nothing is written any more. With CheckQuorum
// it is deposed.
func TestPublishedLeader(t *testing.T) {
	const schedule = "seed 1; isolate s5@1..150; cut s4>s1@76..150; cut s1>s4@76..150; cut s4>s3@76..150; cut s3>s4@76..150"
	require.Len(t, violations(t, published.NoLiveness(), schedule), 1)
	require.Empty(t, violations(t, published.Alive(), schedule))
}

// With what mends them nothing is found, and nothing by isolations alone.
func TestNothingFound(t *testing.T) {
	isolated := []rounds.Bounds{{Isolations: 2, Period: 150, At: "phase"}, {Isolations: 2, Period: 75, At: "phase"}, {Isolations: 4, Period: 10, EFF: 76}}
	for i := range isolated {
		isolated[i].Reliable = []string{} // no link is taken for granted
	}
	for _, c := range []struct {
		system *system.System
		bounds []rounds.Bounds
	}{
		{published.Lively(), []rounds.Bounds{published.Lively().Faults}},
		{published.Alive(), []rounds.Bounds{published.Alive().Faults}},
		{published.Stored(), []rounds.Bounds{published.Stored().Faults}},
		{published.ConfChangeLater(), []rounds.Bounds{published.ConfChange().Faults}},
		{published.Removals(), []rounds.Bounds{published.ConfChange().Faults}},
		{published.Liveness(), isolated},
		{published.NoLiveness(), isolated},
		{published.NilSnapshot(), []rounds.Bounds{{Isolations: 2, Period: 16}, {Crashes: 1, Isolations: 2, Period: 16}}},
	} {
		for _, b := range c.bounds {
			r, err := search.Run(t.Context(), c.system, search.Options{Bounds: b, Seed: 1, Executions: *long})
			require.NoError(t, err)
			require.Equal(t, result.Inconclusive, r.Verdict, "%s: %s", c.system.Name, r.Summary())
		}
	}
}

// The self-tests pass, but for what is not stored.
func TestSelf(t *testing.T) {
	for _, s := range published.Systems() {
		require.NoError(t, s.CheckDeterminism(t.Context(), 3, 1), s.Name)
	}
	require.NoError(t, published.Stored().CheckDurability(t.Context(), 10, 1))
	require.Error(t, published.NilSnapshot().CheckDurability(t.Context(), 100, 1))
}

// The names differ.
func TestNames(t *testing.T) {
	var names []string
	for _, s := range published.Systems() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	require.Equal(t, names, slices.Compact(slices.Clone(names)))
}

// Two leaders each remove another process, and commit different entries at one index. With
// the later rule, and with changes that count when they are applied, they do not.
func TestRemovals(t *testing.T) {
	const schedule = "seed 4028525415; isolate s2@12..30; isolate s1@17..30"
	require.NotEmpty(t, violations(t, published.ConfChange(), schedule))
	require.Empty(t, violations(t, published.ConfChangeLater(), schedule))
	require.Empty(t, violations(t, published.Removals(), schedule))
	for _, s := range []*system.System{published.ConfChange(), published.ConfChangeLater(), published.Removals()} {
		e, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(e.Facts, func(f recording.Fact) bool {
			return f.Relation == "committed" && strings.HasPrefix(f.Args[3].Text(), "remove")
		}), "%s removes nobody without faults", s.Name)
	}
}
