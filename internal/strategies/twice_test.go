package strategies_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// forgetful reports what happened in other executions: how often a process was
// made. It reports the number itself as well: of two executions of which others
// come in between the remainders may be equal.
type forgetful struct{ made int64 }

func (p *forgetful) Send(s *system.Step)                        { s.Broadcast("hello") }
func (p *forgetful) Receive(s *system.Step, _ []system.Message) { s.Fact("made", p.made%7, p.made) }

// changing is a system that does something else in every execution.
func changing(rule string) target {
	var made atomic.Int64
	return target{
		System: &system.System{
			Name: "changing", Processes: []string{"a", "b"}, Rounds: 3,
			New:        func(string, *rand.Rand) system.Process { return &forgetful{made.Add(1)} },
			Properties: []property.Property{rules.New("few", rule)},
		},
		Bounds: rounds.Bounds{Isolations: 1, Period: 1},
	}
}

// What is found in a system that does not do the same twice is no verdict, whether
// it shows again or not.
func TestNondeterministicSystems(t *testing.T) {
	for name, rule := range map[string]string{
		"it shows again, in another way": "violation(P) :- made(P, _, _, _).",
		"it does not show again":         "violation(P) :- made(P, 3, _, _).",
	} {
		for _, strategy := range []string{"lineage", "spread", "sample", "drop", "learn"} {
			target := changing(rule)
			if strategy == "drop" {
				target.Bounds = rounds.Bounds{Omissions: rounds.Unlimited}
			}
			a, err := find(t.Context(), strategy, target, search.Options{})
			var different *system.NondeterminismError
			require.ErrorAs(t, err, &different, "%s, %s", name, strategy)
			require.Nil(t, a)
			require.Equal(t, "changing", different.System)
			if different.State != "" {
				continue // learn saw it before anything was violated
			}
			require.Len(t, different.Executions, 2)
			require.Equal(t, different.Executions[0].Schedule.String(), different.Schedule.String())
			require.ErrorContains(t, err, `system "changing" does not do the same twice: two executions under the schedule "`+different.Schedule.String()+`" differ, first in round 1`)
			require.ErrorContains(t, err, "the first")
			require.ErrorContains(t, err, "made(a, ")
		}
	}
}
