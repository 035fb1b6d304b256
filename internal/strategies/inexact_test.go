package strategies_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// What breaks in 14 of 20 executions is found, made smaller, counted, and never
// called confirmed.
func TestAFindingIsCountedWhereExecutionsDiffer(t *testing.T) {
	for _, strategy := range []string{"", "spread", "uniform", "sample", "lineage"} {
		s := systems.Lucky("lucky", 14)
		a, err := find(t.Context(), strategy, target{System: s, Bounds: s.Faults}, search.Options{Workers: 1})
		require.NoError(t, err, strategy)
		c := a.First()
		require.NotNil(t, c, strategy)
		require.Equal(t, "isolate b@2; isolate b@3", c.Schedule.String(), strategy)
		require.Equal(t, 14, c.Repeats.Broken, strategy)
		require.Equal(t, 20, c.Repeats.Executions, strategy)
		require.Equal(t, 7, c.Repeats.Needed, strategy)
		require.False(t, c.Confirmed)
		require.False(t, c.Minimal)
		require.False(t, c.Irreducible)
		require.Equal(t, c.Schedule.String(), c.Execution.Schedule.String(), strategy)
		require.Equal(t, "2 faults, all needed: without any one of them, fewer than 7 of 20 executions break; breaks in 14 of 20 executions of this schedule; `ldfi test` or `ldfi overlay` makes it exact", c.Minimality())
	}
}

// What broke once and does not break again was seen: it is violated, with its recording,
// and not made smaller.
func TestAFindingThatDoesNotBreakAgain(t *testing.T) {
	s := systems.First("first")
	a, err := find(t.Context(), "spread", target{System: s, Bounds: s.Faults}, search.Options{Seed: 4})
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	c := a.First()
	require.Zero(t, c.Repeats.Broken)
	require.Equal(t, 20, c.Repeats.Executions)
	require.Zero(t, c.Repeats.Needed)
	require.False(t, c.Confirmed)
	require.Equal(t, a.Search.Found.String(), c.Schedule.String())
	require.Equal(t, c.Schedule.String(), c.Execution.Schedule.String())
	require.Len(t, c.Execution.Facts, 2, "the recording is the one that broke")
	require.NotEmpty(t, c.Execution.Messages)
	require.Contains(t, c.Minimality(), "perhaps not minimal; broke once in the search, and in none of 20 executions of this schedule after it; ")
}

// What breaks in all executions is confirmed, though it is not called minimal.
func TestAFindingThatAlwaysBreaks(t *testing.T) {
	s := systems.Lucky("always", 20)
	a, err := find(t.Context(), "spread", target{System: s, Bounds: s.Faults}, search.Options{})
	require.NoError(t, err)
	c := a.First()
	require.True(t, c.Confirmed)
	require.Equal(t, [2]int{20, 20}, [2]int{c.Repeats.Broken, c.Repeats.Executions})
	require.False(t, c.Minimal || c.Irreducible)
}

// A whole schedule is counted and not made smaller.
func TestAWholeFinding(t *testing.T) {
	s := systems.Lucky("lucky", 14)
	a, err := find(t.Context(), "spread", target{System: s, Bounds: s.Faults}, search.Options{Whole: true})
	require.NoError(t, err)
	require.Equal(t, 14, a.First().Repeats.Broken)
	require.Zero(t, a.First().Repeats.Needed)
	require.Equal(t, a.Search.Found.String(), a.First().Schedule.String())
}

// What never comes about is counted in executions that go on; what is late only is none.
func TestWhatNeverComesAboutIsCounted(t *testing.T) {
	for _, strategy := range []string{"spread", "lineage"} {
		s := systems.Stuck("stuck", 14)
		a, err := find(t.Context(), strategy, target{System: s, Bounds: s.Faults}, search.Options{Workers: 1})
		require.NoError(t, err, strategy)
		c := a.First()
		require.NotNil(t, c, strategy)
		require.Equal(t, "isolate b@2", c.Schedule.String(), strategy)
		require.Equal(t, [3]int{14, 20, 7}, [3]int{c.Repeats.Broken, c.Repeats.Executions, c.Repeats.Needed}, strategy)
		require.Equal(t, 18, c.Continued.Rounds, "2 rounds with faults, and 8 times as many calm ones as there were")
		require.Equal(t, "still so in round 18", c.Continued.String())
		require.Equal(t, 4, c.Execution.Bounds.EOT, "the recording is one of the usual length")
		require.Equal(t, c.Schedule.String(), c.Execution.Schedule.String())
	}
	s := systems.Stuck("late", 0)
	a, err := find(t.Context(), "spread", target{System: s, Bounds: s.Faults}, search.Options{Executions: 60})
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.NotNil(t, a.Search.Late)
	require.Equal(t, 18, a.Search.Late.Rounds)
}

// A search whose time is up counts what it still can.
func TestACountWithoutTime(t *testing.T) {
	s := systems.Lucky("lucky", 14)
	tgt, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule("isolate b@2; isolate b@3")
	require.NoError(t, err)
	x, err := tgt.Open(4, true)
	require.NoError(t, err)
	e, violations, err := x.Execute(t.Context(), schedule)
	require.NoError(t, err)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	c := &result.Counterexample{Schedule: schedule, Size: 2, Execution: e, Violations: violations}
	_, err = tgt.Repeat(over, c, 4, systems.Why)
	require.NoError(t, err)
	require.LessOrEqual(t, c.Repeats.Executions, 20)
	require.False(t, c.Repeats.Broken > c.Repeats.Executions)
}

// sometimes is exact but for executions of which memory runs short, as it says: then b
// may lead.
type sometimes struct {
	name  string
	short func() bool
}

func (p *sometimes) Send(s *system.Step) { s.Broadcast("hello") }

func (p *sometimes) Receive(s *system.Step, inbox []system.Message) {
	if p.name == "b" && s.Round() == 2 && len(inbox) == 0 && p.short() {
		s.Inexact("memory ran short")
		s.Fact("odd")
	}
}

// An execution that is marked as not exact proves no difference: what it shows is
// counted, by whichever of two executions it was. Where none is marked, a difference is
// an error as ever.
func TestMarkedExecutions(t *testing.T) {
	marked := func(odd func(n int64) bool) target {
		var n atomic.Int64
		return target{
			System: &system.System{
				Name: "short", Processes: []string{"a", "b"}, Rounds: 3,
				New: func(name string, _ *rand.Rand) system.Process {
					return &sometimes{name, func() bool { return odd(n.Add(1) - 1) }}
				},
				Properties: []property.Property{rules.New("odd", "violation(P) :- odd(P, _).")},
			},
			Bounds: rounds.Bounds{Isolations: 1, Period: 1},
		}
	}
	a, err := find(t.Context(), "spread", marked(func(n int64) bool { return n == 0 }), search.Options{Workers: 1})
	require.NoError(t, err)
	c := a.First()
	require.Equal(t, [2]int{0, 20}, [2]int{c.Repeats.Broken, c.Repeats.Executions})
	require.Equal(t, "memory ran short", c.Repeats.Why)
	require.Contains(t, c.Minimality(), "broke once in the search, and in none of 20 executions of this schedule after it: executions may differ, because memory ran short")

	quiet := marked(func(n int64) bool { return n%2 == 0 })
	quiet.System.Properties = []property.Property{rules.New("odder", "violation(P) :- odder(P, _).")}
	_, err = find(t.Context(), "learn", quiet, search.Options{})
	require.ErrorContains(t, err, "may not: memory ran short: use a strategy that draws schedules")
	a, err = find(t.Context(), "spread", quiet, search.Options{Executions: 50})
	require.NoError(t, err)
	require.Equal(t, "memory ran short", a.Search.Inexact)
	for verdict, odd := range map[result.Verdict]func(int64) bool{result.Holds: func(int64) bool { return false }, result.Inconclusive: func(int64) bool { return true }} {
		quiet.System.New = marked(odd).System.New
		a, err = find(t.Context(), "lineage", quiet, search.Options{})
		require.NoError(t, err)
		require.Equal(t, verdict, a.Verdict, a.Summary())
	}
}
