package strategies_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
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

func counters() target {
	return target{
		System: &system.System{
			Name: "counters", Processes: []string{"a", "b"}, Rounds: 4,
			New:        func(string, *rand.Rand) system.Process { return &counter{} },
			Properties: []property.Property{rules.New("never", "violation(P) :- heard(P, 99, _).")},
		},
		Bounds: rounds.Bounds{Isolations: 2},
	}
}

func TestStateThatTheFingerprintHides(t *testing.T) {
	_, err := find(context.Background(), "learn", counters(), search.Options{})
	var hidden *system.NondeterminismError
	require.ErrorAs(t, err, &hidden)
	require.Equal(t, "heard", hidden.State)
	require.NotEqual(t, hidden.Schedule.String(), hidden.Other.String())
	require.NotEqual(t, hidden.First, hidden.Second)
	require.ErrorContains(t, err, "its facts differ")
}

func TestTooManyStatesToKeep(t *testing.T) {
	r, err := find(context.Background(), "learn", isolations(replog.Fixed(), 4, 4), search.Options{States: 50, Executions: 30})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, 30, r.Search.Executions)

	r, err = find(context.Background(), "exhaustive", isolations(replog.Fixed(), 4, 4), search.Options{States: 50})
	require.NoError(t, err)
	require.Equal(t, "there are more than 50 global states", r.Limit.Reason)
}

// Where learn has drawn schedules the answer says so.
func TestLearnHandsOver(t *testing.T) {
	r, err := find(t.Context(), "learn", target{System: replog.Fixed(), Bounds: rounds.Bounds{Pauses: 1, Period: 4}}, search.Options{States: 1, Executions: 20})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, "the budget of executions is used up; it drew schedules, as there are more than 1 global states", r.Limit.Reason)
}

// A search that its context ends says whether that was a deadline.
func TestSearchesThatEndEarly(t *testing.T) {
	late, cancelLate := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancelLate()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, s := range strategies.Names() {
		for reason, ctx := range map[string]context.Context{"the time is up": late, "interrupted": stopped} {
			r, err := find(ctx, s, keptBy(s, isolations(replog.Fixed(), 4, 4)), search.Options{})
			require.NoError(t, err, s)
			require.Equal(t, result.Inconclusive, r.Verdict, s)
			require.Contains(t, r.Limit.Reason, reason, s)
		}
	}
}

// varying is a system whose ticks are drawn.
func varying(s *system.System) target {
	s.MinTicks, s.MaxTicks = 1, 2
	return isolations(s, 2, 4)
}

func TestDefault(t *testing.T) {
	for _, c := range []struct {
		title    string
		target   target
		strategy string
	}{
		{"states that can be put back", isolations(replog.Buggy(), 2, 4), "exhaustive"},
		{"states with names", counters(), "learn"},
		{"ticks that are drawn", varying(replog.Buggy()), "spread"},
		{"lost messages and states that can be put back", target{System: replog.Buggy(), Bounds: rounds.Bounds{Omissions: 2}}, "exhaustive"},
		{"lost messages and states with names", target{System: counters().System, Bounds: rounds.Bounds{Omissions: 2}}, "spread"},
	} {
		r, err := find(t.Context(), "", c.target, search.Options{Executions: 20})
		if hidden := (*system.NondeterminismError)(nil); c.strategy == "learn" && errors.As(err, &hidden) {
			continue // which nothing else would report
		}
		require.NoError(t, err)
		require.Equal(t, c.strategy, r.Search.Strategy, c.title)
		require.Contains(t, r.Search.Why, c.strategy+", because ", c.title)
	}
	for _, s := range strategies.Names() {
		require.NoError(t, strategies.Check(s))
	}
	// What it draws few of is named where the bounds have it, and only there.
	for few, b := range map[string]rounds.Bounds{
		"": {Omissions: 2},
		": few isolations at a time find most bugs soonest":                {Omissions: 2, Isolations: 1},
		": few partitions at a time find most bugs soonest":                {Omissions: 2, Partitions: 1},
		": few isolations and partitions at a time find most bugs soonest": {Omissions: 2, Partitions: 1, Isolations: 1},
	} {
		r, err := find(t.Context(), "", target{System: replog.Buggy(), Bounds: b}, search.Options{States: 50, Executions: 50})
		require.NoError(t, err)
		require.Equal(t, "spread, because there are more than 50 global states"+few, r.Search.Why)
	}
	_, err := find(t.Context(), "guess", counters(), search.Options{})
	require.EqualError(t, err, `there is no strategy "guess": the strategies are exhaustive, learn, lineage, enumerate, spread, uniform, sample, pct, bonus, negrl, waypoint, drop, ahead`)
}
