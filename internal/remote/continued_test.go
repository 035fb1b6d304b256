package remote_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// caller calls in rounds that it draws until somebody answers; a brittle one gives
// up when it misses a message.
type caller struct{ brittle, heard, over bool }

func (c *caller) Send(s *system.Step) { s.Broadcast(s.Rand().IntN(8) == 0) }

func (c *caller) Receive(s *system.Step, inbox []system.Message) {
	c.over = c.over || c.brittle && len(inbox) == 0
	for _, m := range inbox {
		c.heard = c.heard || m.Payload.(bool) && !c.over
	}
	if c.heard {
		s.Fact("heard")
	}
}

// callers are systems with what has not happened by the end: as a function, and as
// rules.
func callers(name string, brittle, byRules bool) *system.System {
	p := rules.New("heard", "pre(P) :- process(P). post(P) :- heard(P, _).")
	if !byRules {
		rules := p
		p = property.Property{Name: "heard", ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
			if v, _ := rules.Check(e); len(v) > 0 {
				return []result.Violation{{Text: "nobody is heard"}}
			}
			return nil
		}}
	}
	return &system.System{
		Name: name, Processes: []string{"a", "b"}, Rounds: 6, Properties: []property.Property{p},
		New:    func(string, *rand.Rand) system.Process { return &caller{brittle: brittle} },
		Faults: rounds.Bounds{Isolations: 1, Period: 2},
	}
}

var allCallers = []*system.System{
	callers("slow", false, false), callers("slow by rules", false, true),
	callers("brittle", true, false), callers("brittle by rules", true, true),
}

// What is late and what is stuck is the same in a host: in the search of the host,
// and in one of this side to which the host is only asked to execute.
func TestLateInAHost(t *testing.T) {
	r, err := start(t, "calls", remote.Options{})
	require.NoError(t, err)
	for _, local := range allCallers {
		s, err := r.System(local.Name)
		require.NoError(t, err)
		require.Equal(t, local.Properties[0].ByEnd, s.Properties[0].ByEnd)
		o := search.Options{Strategy: "spread", Bounds: s.DefaultBounds(rounds.Bounds{}), Executions: 30, Seed: 2}
		want := here(t, local, o)
		if local.Name == "slow" || local.Name == "slow by rules" {
			require.Positive(t, want.Search.Late.Schedules)
			require.Equal(t, result.Inconclusive, want.Verdict)
		} else {
			require.NotNil(t, want.First().Continued)
		}
		got, err := s.Search(t.Context(), o)
		require.NoError(t, err)
		got.Search.ByHost = false
		drawn, err := strategies.Run(t.Context(), &s.Target, o)
		require.NoError(t, err)
		for i := range want.Counterexamples {
			c := &want.Counterexamples[i]
			require.Equal(t, c.Because, drawn.Counterexamples[i].Because)
			replayed, err := s.Once(t.Context(), c.Schedule, o.Bounds.EOT)
			require.NoError(t, err)
			because, err := s.Because(t.Context(), nil, replayed.Execution, replayed.Left[0], o.Bounds.EOT)
			require.NoError(t, err)
			require.Equal(t, []string(c.Because), because, "as inject and a kept schedule have it")
			c.Because = []string{} // the word of a host is not taken
		}
		require.Equal(t, inJSON(t, want), inJSON(t, got))
		require.Equal(t, want.Summary(), drawn.Summary())

		late := want.Search.Late
		if late == nil {
			continue
		}
		e, violations, err := s.Execute(t.Context(), late.Slowest, 0, messages.Always)
		require.NoError(t, err)
		require.NotEmpty(t, violations)
		after, err := s.GoOn(t.Context(), e, violations)
		require.NoError(t, err)
		require.Empty(t, after.Left)
		require.Equal(t, late.Rounds, after.Late.Rounds)
	}
}
