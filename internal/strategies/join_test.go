package strategies

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// greeter sends its name, and reports whom it hears of.
type greeter struct{}

func (greeter) Send(s *system.Step) { s.Broadcast(s.Process()) }
func (greeter) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		s.Fact("heard", specs.String(m.From))
	}
}

// heardAtLeast says that a hears d in so many rounds.
func heardAtLeast(times int) func(*recording.Execution) []result.Violation {
	return func(e *recording.Execution) []result.Violation {
		heard := 0
		for _, f := range e.Facts {
			if f.Relation == "heard" && f.Args[0].Text() == "a" {
				heard++
			}
		}
		if heard < times {
			return []result.Violation{{Text: "a heard d too seldom", Fact: recording.Fact{Relation: "violation"}}}
		}
		return nil
	}
}

// Where a process joins later, the strategies that execute schedules come to the verdict
// of executing every one, and the certificate counts those; those that go from state to
// state refuse.
func TestSearchesWithProcessesThatJoin(t *testing.T) {
	for _, hears := range []int{1, 2} { // of d, in rounds 3 and 4: one omission loses one of the two
		s := &system.System{
			Name: "greeters", Processes: []string{"a", "d"}, Rounds: 4, Fixed: true, Joins: map[string]int{"d": 3},
			New:        func(string, *rand.Rand) system.Process { return greeter{} },
			Properties: []property.Property{{Name: "greeted", FactsOnly: true, Func: heardAtLeast(hears)}},
		}
		target, err := search.NewTarget(s, nil)
		require.NoError(t, err)
		bounds := rounds.Bounds{Omissions: 1}
		for _, name := range []string{"enumerate", "uniform", "lineage"} {
			a, err := Run(t.Context(), target, search.Options{Strategy: name, Bounds: bounds, Executions: 200})
			require.NoError(t, err, name)
			if hears == 2 {
				require.Equal(t, result.Violated, a.Verdict, name)
				require.Equal(t, 1, a.First().Size)
				continue
			}
			require.NotEqual(t, result.Violated, a.Verdict, name)
			if name == "enumerate" {
				require.Equal(t, result.Holds, a.Verdict)
				require.Equal(t, int64(5), a.Search.Certificate.Schedules.Int64(), "none, or one of two links in one of two rounds")
				count := 0
				for range schedules.New(a.Scope.Bounds).All() {
					count++
				}
				require.Equal(t, 5, count)
			}
		}
		for _, name := range []string{"exhaustive", "learn"} {
			_, err := Run(t.Context(), target, search.Options{Strategy: name, Bounds: bounds})
			require.ErrorContains(t, err, "does not support processes that join later", name)
		}
		_, err = Run(t.Context(), target, search.Options{Bounds: rounds.Bounds{Omissions: 1, Joins: map[string]int{"a": 2}}})
		require.ErrorContains(t, err, "says itself which processes join later")
	}
}
