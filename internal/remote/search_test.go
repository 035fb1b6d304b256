package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

func bounds(s *system.System) rounds.Bounds {
	b := s.Bounds(0)
	b.Isolations, b.Period = 2, replog.PhaseRounds
	return b
}

// here searches a system in this program.
func here(t *testing.T, s *system.System, o search.Options) *result.Answer {
	t.Helper()
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	a, err := strategies.Run(t.Context(), target, o)
	require.NoError(t, err)
	return a
}

func inJSON(t *testing.T, a *result.Answer) string {
	t.Helper()
	text, err := json.Marshal(a)
	require.NoError(t, err)
	return string(text)
}

// A search of the host has the answer of one in this program, but for the reasons of
// counterexamples: the word of a host is not taken for them.
func TestSearch(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	for _, local := range []*system.System{replog.Buggy(), replog.Fixed()} {
		remote, err := r.System(local.Name)
		require.NoError(t, err)
		for _, name := range []string{"", "exhaustive", "lineage", "spread"} {
			o := search.Options{Strategy: name, Bounds: bounds(local), Executions: 40, Seed: 5}
			want := here(t, local, o)
			got, err := remote.Search(t.Context(), o)
			require.NoError(t, err)
			require.True(t, got.Search.ByHost)
			got.Search.ByHost = false
			for i := range want.Counterexamples {
				require.NotEmpty(t, want.Counterexamples[i].Because)
				want.Counterexamples[i].Because = []string{}
			}
			require.Equal(t, inJSON(t, want), inJSON(t, got))
		}
	}
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	_, err = s.Search(t.Context(), search.Options{Strategy: "guess"})
	require.ErrorContains(t, err, `there is no strategy "guess"`)
	_, err = s.Search(t.Context(), search.Options{Bounds: rounds.Bounds{EOT: 1_000_000}})
	require.ErrorContains(t, err, "an execution has 1 to 100000 rounds")
}

// Schedules can be drawn on this side as well, with the same result.
func TestSearchFromHere(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-buggy")
	require.NoError(t, err)
	o := search.Options{Strategy: "spread", Bounds: bounds(replog.Buggy()), Seed: 5, Workers: 8}
	want := here(t, replog.Buggy(), o)
	require.Equal(t, result.Violated, want.Verdict)
	got, err := strategies.Run(t.Context(), &s.Target, o)
	require.NoError(t, err)
	require.Equal(t, want.Summary(), got.Summary())
}

// A host that executes only is searched from here.
func TestSearchOfAHostThatExecutesOnly(t *testing.T) {
	r, err := start(t, "foreign", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("")
	require.NoError(t, err)
	o := search.Options{Strategy: "exhaustive", Bounds: rounds.Bounds{Crashes: 1}, Executions: 10}
	_, err = s.Search(t.Context(), o)
	require.ErrorContains(t, err, "the host only executes schedules")
	o.Strategy = ""
	found, err := s.Search(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, result.Violated, found.Verdict)
	require.Contains(t, found.Search.Why, "spread, because the host executes schedules")
	o.Strategy = "lineage"
	found, err = s.Search(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, result.Violated, found.Verdict)
	require.Equal(t, "lineage, as asked", found.Search.Why)
}

// A search that is cancelled says what it knows.
func TestSearchThatIsCancelled(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	found, err := s.Search(ctx, search.Options{
		Strategy: "sample", Bounds: bounds(replog.Fixed()), Executions: 1_000_000_000, Progress: func(result.Progress) { cancel() },
	})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, found.Verdict)
	require.Contains(t, found.Limit.Reason, "interrupted")
}

// A host that does not end a search is killed.
func TestSearchThatDoesNotEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := start(t, "hangs", remote.Options{Answer: 50 * time.Millisecond, Stderr: writing(cancel)})
	require.NoError(t, err)
	s, err := r.System("")
	require.NoError(t, err)
	_, err = s.Search(ctx, search.Options{})
	require.ErrorContains(t, err, "the host did not answer a search within 50ms, and was killed")
}

// writing is called when something is written.
type writing func()

func (w writing) Write(p []byte) (int, error) {
	w()
	return len(p), nil
}

// Where a host says that nothing is drawn, few schedules are executed once each from here,
// too. Where it does not, they are drawn with their seeds.
func TestFewSchedulesFromHere(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	o := search.Options{Bounds: rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, Isolations: 1, Period: 3}, Executions: 1000}
	a, err := strategies.Run(t.Context(), &s.Target, o)
	require.NoError(t, err)
	require.Equal(t, "enumerate, because there are no more schedules than executions: every one is executed", a.Search.Why)
	require.Equal(t, result.Holds, a.Verdict)
	require.Equal(t, schedules.Count(o.Bounds).String(), fmt.Sprint(a.Search.Executions))
	require.True(t, a.Search.Certificate.Settings.Seed.Given, "the word of the host is in no certificate")

	ask := s.Varying
	s.Varying = func(ctx context.Context, settings rounds.Settings) bool {
		require.False(t, ask(ctx, settings))
		return true
	}
	a, err = strategies.Run(t.Context(), &s.Target, o)
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.Equal(t, o.Executions, a.Search.Executions)
}
