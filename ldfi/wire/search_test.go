package wire_test

import (
	"context"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

func bounds(s *system.System) rounds.Bounds {
	b := s.Bounds(0)
	b.Isolations, b.Period = 2, replog.PhaseRounds
	return b
}

// A search of the host has the result of one in this program.
func TestSearch(t *testing.T) {
	r, err := start(t, "replog", wire.Options{})
	require.NoError(t, err)
	for _, local := range []*system.System{replog.Buggy(), replog.Fixed()} {
		remote, err := r.System(local.Name)
		require.NoError(t, err)
		for _, name := range []string{"", "exhaustive", "lineage", "spread"} {
			target := search.Target{System: local, Bounds: bounds(local)}
			o := search.Options{Executions: 40, Seed: 5}
			strategy, why := search.Default(target)
			if name != "" {
				strategy, err = search.Named(name)
				require.NoError(t, err)
				why = name + ", as asked"
			}
			want, err := strategy.Search(t.Context(), target, o)
			require.NoError(t, err)
			got, err := remote.Search(t.Context(), name, remote.Target(bounds(local)), o)
			require.NoError(t, err)
			require.Equal(t, why, got.Search.Why)
			require.Equal(t, search.Summary(want), search.Summary(got))
			require.Equal(t, want.Search.Certificate, got.Search.Certificate)
			if c := want.First(); c != nil {
				require.Equal(t, lines(t, c.Execution), lines(t, got.First().Execution))
			}
		}
	}
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	_, err = s.Search(t.Context(), "guess", s.Target(rounds.Bounds{}), search.Options{})
	require.ErrorContains(t, err, `there is no strategy "guess"`)
	far := rounds.Bounds{EOT: 1_000_000}
	_, err = s.Search(t.Context(), "", s.Target(far), search.Options{})
	require.ErrorContains(t, err, "an execution has 1 to 100000 rounds")
}

// Schedules can be drawn on this side as well, with the same result.
func TestSearchFromHere(t *testing.T) {
	r, err := start(t, "replog", wire.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-buggy")
	require.NoError(t, err)
	o := search.Options{Seed: 5, Workers: 8}
	want, err := search.Spread.Search(t.Context(), search.Target{System: replog.Buggy(), Bounds: bounds(replog.Buggy())}, o)
	require.NoError(t, err)
	require.Equal(t, result.Violated, want.Verdict)
	got, err := search.Spread.Search(t.Context(), s.Target(bounds(replog.Buggy())), o)
	require.NoError(t, err)
	require.Equal(t, search.Summary(want), search.Summary(got))
}

// A host that executes only is searched from here.
func TestSearchOfAHostThatExecutesOnly(t *testing.T) {
	r, err := start(t, "foreign", wire.Options{})
	require.NoError(t, err)
	s, err := r.System("")
	require.NoError(t, err)
	target := s.Target(rounds.Bounds{Crashes: 1})
	_, err = s.Search(t.Context(), "exhaustive", target, search.Options{})
	require.ErrorContains(t, err, "the host only executes schedules")
	found, err := s.Search(t.Context(), "", target, search.Options{Executions: 10})
	require.NoError(t, err)
	require.Equal(t, result.Violated, found.Verdict)
	require.Contains(t, found.Search.Why, "spread, because the host executes schedules")
	found, err = s.Search(t.Context(), "lineage", target, search.Options{Executions: 10})
	require.NoError(t, err)
	require.Equal(t, result.Violated, found.Verdict)
	require.Equal(t, "lineage, as asked", found.Search.Why)
}

// A search that is cancelled says what it knows.
func TestSearchThatIsCancelled(t *testing.T) {
	r, err := start(t, "replog", wire.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	found, err := s.Search(ctx, "sample", s.Target(bounds(replog.Fixed())), search.Options{
		Executions: 1_000_000_000, Progress: func(search.Progress) { cancel() },
	})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, found.Verdict)
	require.Contains(t, found.Limit.Reason, "the search was stopped")
}

// A host that does not end a search is killed.
func TestSearchThatDoesNotEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := start(t, "hangs", wire.Options{Answer: 50 * time.Millisecond, Stderr: writing(cancel)})
	require.NoError(t, err)
	s, err := r.System("")
	require.NoError(t, err)
	_, err = s.Search(ctx, "", s.Target(rounds.Bounds{}), search.Options{})
	require.ErrorContains(t, err, "the host did not answer a search within 50ms, and was killed")
}

// writing is called when something is written.
type writing func()

func (w writing) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}
