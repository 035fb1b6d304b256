package search_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// counter counts the rounds in which it hears of the other, but its fingerprint
// says only whether it has.
type counter struct{ heard int }

func (c *counter) Send(s *system.Step) { s.Broadcast("hello") }
func (c *counter) Receive(s *system.Step, inbox []system.Message) {
	c.heard += len(inbox)
	s.Fact("heard", c.heard)
}
func (c *counter) Fingerprint() string {
	if c.heard > 0 {
		return "heard"
	}
	return "alone"
}

func counters() search.Target {
	return search.Target{
		System: &system.System{
			Name: "counters", Processes: []string{"a", "b"}, Rounds: 4,
			New:        func(string, *rand.Rand) system.Process { return &counter{} },
			Properties: []property.Property{rules.New("never", "violation(P) :- heard(P, 99, _).")},
		},
		Bounds: rounds.Bounds{Isolations: 2},
	}
}

func TestStateThatTheFingerprintHides(t *testing.T) {
	_, err := search.Learn.Search(context.Background(), counters(), search.Options{})
	var hidden *search.HiddenStateError
	require.ErrorAs(t, err, &hidden)
	require.Equal(t, "heard", hidden.State)
	require.NotEqual(t, hidden.First.String(), hidden.Second.String())
}

func TestTooManyStatesToKeep(t *testing.T) {
	r, err := search.Learn.Search(context.Background(), isolations(replog.Fixed(), 4, 4), search.Options{States: 50, Executions: 30})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, 30, r.Search.Executions)

	r, err = search.Exhaustive.Search(context.Background(), isolations(replog.Fixed(), 4, 4), search.Options{States: 50})
	require.NoError(t, err)
	require.Equal(t, "there are more than 50 global states", r.Limit.Reason)
}

// A search that its context ends says whether that was a deadline.
func TestSearchesThatEndEarly(t *testing.T) {
	late, cancelLate := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancelLate()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, s := range search.Strategies() {
		for reason, ctx := range map[string]context.Context{"the time was up": late, "the search was stopped": stopped} {
			r, err := s.Search(ctx, isolations(replog.Fixed(), 4, 4), search.Options{})
			require.NoError(t, err, s.Name())
			require.Equal(t, result.Inconclusive, r.Verdict, s.Name())
			require.Contains(t, r.Limit.Reason, reason, s.Name())
		}
	}
}

// varying is a system whose ticks are drawn.
func varying(s *system.System) search.Target {
	s.MinTicks, s.MaxTicks = 1, 2
	return isolations(s, 2, 4)
}

func TestDefault(t *testing.T) {
	for _, c := range []struct {
		title    string
		target   search.Target
		strategy search.Strategy
	}{
		{"states that can be put back", isolations(replog.Buggy(), 2, 4), search.Exhaustive},
		{"states with names", counters(), search.Learn},
		{"ticks that are drawn", varying(replog.Buggy()), search.Spread},
		{"lost messages are not for searches through states",
			search.Target{System: replog.Buggy(), Bounds: rounds.Bounds{Omissions: 2}}, search.Spread},
	} {
		s, why := search.Default(c.target)
		require.Equal(t, c.strategy, s, c.title)
		require.Contains(t, why, s.Name()+", because ", c.title)
	}
	for _, s := range search.Strategies() {
		named, err := search.Named(s.Name())
		require.NoError(t, err)
		require.Equal(t, s, named)
	}
	_, err := search.Named("guess")
	require.EqualError(t, err, `there is no strategy "guess": the strategies are exhaustive, learn, lineage, spread, sample, drop`)
}
