package strategies_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// brittle panics in one of two places when it hears of nobody, and says a wrong thing in a
// later round.
type brittle struct{}

func (brittle) Send(s *system.Step) { s.Broadcast("here") }
func (f brittle) Receive(s *system.Step, inbox []system.Message) {
	alone := len(inbox) == 0
	switch {
	case alone && s.Round() == 2:
		f.early()
	case alone && s.Round() == 3:
		f.late()
	case alone && s.Round() == 4:
		s.Fact("leader", 1)
	}
}

func (brittle) early() { panic("alone") }
func (brittle) late()  { panic("alone") }

// A search goes past what is known, a property or the place of a panic, to what is not,
// until nothing is left; then it says what it has left out.
func TestPastWhatIsKnown(t *testing.T) {
	s := &system.System{
		Name: "brittle", Processes: []string{"a", "b"}, Rounds: 4, Fixed: true,
		New:        func(string, *rand.Rand) system.Process { return brittle{} },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	var known []result.Violation
	var found []string
	var last *result.Answer
	for range 10 {
		a, err := strategies.Run(t.Context(), target.Beyond(known), search.Options{Bounds: rounds.Bounds{Isolations: 1, Period: 1}})
		require.NoError(t, err)
		if a.First() == nil {
			last = a
			break
		}
		require.Equal(t, result.Violated, a.Verdict)
		for _, v := range a.First().Violations {
			require.False(t, search.Known(v, known), v.String())
			place, _, _ := strings.Cut(strings.Join(v.Stack, " "), " at ")
			found = append(found, v.Property+" "+place[strings.LastIndex(place, ".")+1:])
		}
		known = append(known, a.First().Violations...)
	}
	// Executions that end so are judged by nothing else: nothing is decided.
	require.Equal(t, result.Inconclusive, last.Verdict)
	require.Equal(t, "4 of 9 executions ended with a known violation (no panic), before other properties could be judged", last.Limit.Reason)
	require.Nil(t, last.Search.Certificate)
	require.Equal(t, []string{"one leader per term", "no panic"}, last.Search.Known)
	require.ElementsMatch(t, []string{"one leader per term ", "no panic early", "no panic late"}, found)

	_, err = strategies.Run(t.Context(), target.Beyond(known), search.Options{Strategy: "exhaustive"})
	require.ErrorContains(t, err, "strategy exhaustive goes from state to state, and cannot skip known violations")
}
