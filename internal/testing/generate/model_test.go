package generate_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Small instances are what executing every schedule says, the faulty ones broken by
// so many faults.
func TestSmallInstancesAreWhatExecutionsSay(t *testing.T) {
	for _, c := range []struct {
		model  generate.Model
		change func(*rounds.Bounds)
		size   int // of a smallest set that breaks the promise, -1 if it is kept
	}{
		{generate.ReplicatedLog(false, 3, 3), func(b *rounds.Bounds) { b.Isolations = 2 }, 2},
		{generate.ReplicatedLog(true, 3, 3), func(b *rounds.Bounds) { b.Isolations = 2 }, -1},
		{generate.ReplicatedLog(false, 5, 2), func(b *rounds.Bounds) { b.Isolations = 1 }, -1},
		{generate.Acknowledged(3), func(b *rounds.Bounds) { b.EOT, b.EFF = 4, 2 }, -1},
		{generate.Acknowledged(3), func(b *rounds.Bounds) { b.EOT, b.EFF, b.Crashes = 3, 3, 0 }, 3},
		{generate.Synod(12), func(b *rounds.Bounds) { b.EFF, b.Omissions = 4, 1 }, -1},
		{generate.Raft(generate.VotesBlindly, 3, 15, "eff=6 omissions=1 crashes=1"), nil, 2},
		{generate.Raft(generate.Fixed, 3, 15, "eff=6 omissions=1 crashes=1"), nil, -1},
		{generate.Raft(generate.VotesBlindly, 3, 15, "omissions=1"), nil, -1},
	} {
		p, b := c.model.Parse(t)
		if c.change != nil {
			c.change(&b)
		}
		require.Equal(t, c.size, executed(t, p, b), c.model.Name)
		m, err := ldfi.New(p, b, ldfi.Options{})
		require.NoError(t, err)
		a, err := m.Check(t.Context())
		require.NoError(t, err)
		if c.size < 0 {
			require.Equal(t, result.Holds, a.Verdict, c.model.Name)
			continue
		}
		require.Equal(t, result.Violated, a.Verdict, c.model.Name)
		require.Equal(t, c.size, a.Counterexamples[0].Size, c.model.Name)
	}
}

// executed returns the size of the smallest fault set that breaks the promise, -1 if
// none does, after executing every schedule.
func executed(t *testing.T, p *dedalus.Program, b rounds.Bounds) int {
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: []string{"pre", "post", "violation"}})
	require.NoError(t, err)
	smallest := -1
	for s := range schedules.New(b.Normal()).All() {
		run, err := m.Run(t.Context(), s)
		require.NoError(t, err)
		if (smallest < 0 || s.Size() < smallest) && broken(run, b.EOT) {
			smallest = s.Size()
		}
	}
	return smallest
}

// broken tells whether a run has a violation, or at its end a pre without its post.
func broken(run *lockstep.Run, eot int) bool {
	for round := 1; round <= eot; round++ {
		if len(run.Facts("violation", round)) > 0 {
			return true
		}
	}
	for _, args := range run.Facts("pre", eot) {
		if !run.Has("post", args, eot) {
			return true
		}
	}
	return false
}

// The larger ones have as many schedules as the figures about them name.
func TestTheLargeOnesHaveTheSchedulesThatAreNamed(t *testing.T) {
	for _, c := range []struct {
		model     generate.Model
		scenarios string
	}{
		{generate.ReplicatedLog(true, 3, 5), "1014594664"},
		{generate.ReplicatedLog(true, 3, 6), "5562502856"},
		{generate.ReplicatedLog(false, 3, 8), "75112262920"},
	} {
		_, b := c.model.Parse(t)
		require.Equal(t, c.scenarios, schedules.Count(b).String(), c.model.Name)
	}
}
