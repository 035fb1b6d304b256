package strategies_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// locks is a system in which a process waits for a lock, and one holds it if there
// is no name.
func locks(holder string) target {
	return target{
		System: &system.System{
			Name: "locks", Processes: []string{"a", "b"}, Rounds: 4,
			New: func(name string, _ *rand.Rand) system.Process {
				return play{func(s *system.Step) {
					s.Fact("waits")
					if name == holder {
						s.Fact("lock", "it")
					}
				}, func(*system.Step, []system.Message) {}}
			},
		},
		Bounds: rounds.Bounds{Omissions: 2, Crashes: 1},
	}
}

// That nothing violates a property says nothing if what it speaks about never comes
// about, which the answer says, whatever the strategy.
func TestPropertiesThatSpeakOfNothing(t *testing.T) {
	mutex := rules.New("mutex", `violation(P, Q) :- lock(P, L, R), lock(Q, L, R), P != Q.`)
	for _, c := range []struct {
		name, holder string
		property     property.Property
		vacuity      string // before where
		warning      string // before and behind where
		hint         string
	}{
		{name: "nobody gets the lock", property: mutex, vacuity: "mutex: violation can never be derived: lock(P, L, R) had no fact", warning: "it reads lock, which no process reported"},
		{name: "one gets it", holder: "a", property: mutex},
		{
			name: "spelling", holder: "a", property: rules.New("mutex", `both(P, Q) :- locks(P, L, R), locks(Q, L, R), P != Q. violation(P, Q) :- both(P, Q).`),
			vacuity: "mutex: violation can never be derived: locks(P, L, R) had no fact", warning: "it reads locks, which no process reported", hint: ` (did you mean "lock"?)`,
		},
		{
			name: "another constant", holder: "a", property: rules.New("mutex", `violation(P) :- lock(P, "other", R).`),
			vacuity: `mutex: violation can never be derived: lock(P, "other", R) had no fact`,
		},
		{name: "negated", holder: "a", property: rules.New("mutex", `got(P) :- lock(P, L, R). violation(P) :- waits(P, 4), got(P), P != "a".`)},
		{
			name: "pre", property: rules.New("served", `pre(P) :- waits(P, 9). post(P) :- lock(P, L, R).`),
			vacuity: "served: pre never came about", warning: "it reads lock, which no process reported",
		},
		{name: "asked and given", holder: "a", property: rules.New("served", `pre(P) :- lock(P, L, 1). post(P) :- waits(P, 1).`)},
	} {
		for strategy, where := range map[string]string{"uniform": "in any of 30 executions", "lineage": ""} {
			system := locks(c.holder)
			system.Properties = []property.Property{c.property}
			for _, workers := range []int{1, 3} {
				a, err := find(t.Context(), strategy, system, search.Options{Executions: 30, Workers: workers})
				require.NoError(t, err)
				require.NotEqual(t, result.Violated, a.Verdict)
				if where == "" {
					where = "in any of " + executions(a.Search.Executions)
					if a.Verdict == result.Holds {
						where = "under any schedule within the bounds"
					}
				}
				vacuity := c.vacuity
				if vacuity != "" {
					vacuity += " " + where
					if a.Verdict != result.Holds { // other schedules may do it
						vacuity = strings.Replace(vacuity, " can never ", " could never ", 1)
					}
				}
				if c.property.Name == "served" && vacuity != "" {
					vacuity += ", so post was never asked for"
				}
				require.Equal(t, vacuity, a.Vacuity, c.name)
				var warnings []string
				for _, w := range a.Warnings {
					warnings = append(warnings, w.File+": "+w.Message)
				}
				if c.warning == "" {
					require.Empty(t, warnings, c.name)
					continue
				}
				require.Equal(t, []string{c.property.Name + ": " + c.warning + " " + where + c.hint}, warnings, c.name)
			}
		}
	}
}

func executions(n int) string {
	if n == 1 {
		return "1 execution"
	}
	return fmt.Sprintf("%d executions", n)
}

// Of a function nothing is known, and of a violated property there is nothing to be
// said.
func TestVacuityOfOthersIsNotTold(t *testing.T) {
	a, err := find(t.Context(), "uniform", fragile(false, func(rounds.Schedule) bool { return false }), search.Options{Executions: 10})
	require.NoError(t, err)
	require.Empty(t, a.Vacuity)
	require.Empty(t, a.Warnings)
}

// What the examples promise speaks of what happens, as the states show that the
// strategies go through.
func TestTheExamplesAreNotVacuous(t *testing.T) {
	for _, strategy := range []string{"exhaustive", "learn", "uniform"} {
		for _, s := range []*system.System{replog.Fixed(), election.Fixed()} {
			a, err := find(t.Context(), strategy, isolations(s, 1, 4), search.Options{Executions: 300})
			require.NoError(t, err)
			require.Empty(t, a.Vacuity, "%s: %s", s.Name, strategy)
			require.Empty(t, a.Warnings, "%s: %s", s.Name, strategy)
		}
	}
}
