package strategies_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// combination is a lock that opens when b has missed just the messages of rounds 2, 5, 6, 9
// and 11: one in 2^12 of the schedules that lose messages to b opens it.
type combination struct{ right int }

var missed = map[int]bool{2: true, 5: true, 6: true, 9: true, 11: true}

func (c *combination) Send(s *system.Step) { s.Broadcast("turn") }
func (c *combination) Receive(s *system.Step, inbox []system.Message) {
	if c.right == s.Round()-1 && (len(inbox) == 0) == missed[s.Round()] {
		c.right++
	}
	s.Fact("right", c.right)
}

func (c *combination) Restart(s *system.Step) { s.Fact("back") }

func lock() target {
	return target{
		System: &system.System{
			Name: "lock", Processes: []string{"a", "b"}, Rounds: 12,
			New:        func(string, *rand.Rand) system.Process { return &combination{} },
			Properties: []property.Property{rules.New("shut", `violation(P) :- right("b", 12, _), P = "b".`)},
		},
		Bounds: rounds.Bounds{Omissions: rounds.Unlimited, Reliable: []string{"b>a"}},
	}
}

// turned leads to where the combination is right.
var turned = func() *guide.Guide {
	rules := ""
	for n := range 12 {
		rules += fmt.Sprintf("waypoint(%d, R) :- right(\"b\", %d, R).\n", n+1, n+1)
	}
	return must(guide.Parse("turned.mg", rules))
}()

// Uniform draws open the lock in one of 4,096 executions. What leads away from states that
// are known opens it in few hundred; bonus, which is content with any schedule of faults that
// is new, takes as long as they do. What is found is a schedule like any other.
func TestSteered(t *testing.T) {
	for name, most := range map[string]int{"bonus": 3_000, "negrl": 400, "waypoint": 400} {
		o := search.Options{Executions: most, Seed: 2}
		if name == "waypoint" {
			o.Guide = turned
		}
		r, err := find(t.Context(), name, lock(), o)
		require.NoError(t, err, name)
		require.Equal(t, result.Violated, r.Verdict, name)
		require.Len(t, r.Counterexamples[0].Schedule.Faults, 5, name)
		t.Logf("%s: %d executions", name, r.Search.Executions)
		if name == "bonus" {
			continue
		}
		again, err := find(t.Context(), name, lock(), o)
		require.NoError(t, err, name)
		require.Equal(t, r.Search.Executions, again.Search.Executions, name)
		require.Equal(t, r.Counterexamples[0].Schedule.String(), again.Counterexamples[0].Schedule.String(), name)
	}
}

// Every fault that is decided is within the bounds, those of processes too, and the
// schedules that were drawn give the probability that is stated.
func TestSteeredWithin(t *testing.T) {
	b := rounds.Bounds{Isolations: 2, Period: 3, Crashes: 1, Restarts: 1, CrashStop: true, Pauses: 1, Omissions: 3, Delays: 1, Duplicates: 1}
	for _, name := range []string{"bonus", "negrl"} {
		var seen []rounds.Schedule
		any := target{System: lock().System, Bounds: b, Properties: []property.Property{{Name: "all", Func: func(e *recording.Execution) []result.Violation {
			seen = append(seen, e.Schedule)
			return nil
		}}}}
		r, err := find(t.Context(), name, any, search.Options{Executions: 160})
		require.NoError(t, err)
		require.Equal(t, result.Inconclusive, r.Verdict)
		require.NotEmpty(t, r.Search.Guarantee)
		require.Len(t, seen, 160)
		kinds := map[rounds.Kind]int{}
		all := any.System.Bounds(any.System.Rounds)
		for i, s := range seen {
			within := b
			within.Processes, within.EOT = all.Processes, all.EOT
			s.Settings = rounds.Settings{}
			require.NoError(t, schedules.Within(s, within), "%s: %d", name, i)
			for _, f := range s.Faults {
				kinds[f.Kind]++
			}
		}
		require.Len(t, kinds, 7, "%s: %v", name, kinds)
	}
}

// Without waypoints the strategy waypoint has nothing to be led by.
func TestSteeredWithoutWaypoints(t *testing.T) {
	local, err := search.NewTarget(lock().System, nil)
	require.NoError(t, err)
	_, err = strategies.Run(t.Context(), local, search.Options{Strategy: "waypoint", Bounds: lock().Bounds})
	require.EqualError(t, err, "strategy waypoint goes from waypoint to waypoint: name them in a guide (--guide)")
}
