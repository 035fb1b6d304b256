package strategies_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// counting panics when it hears less than everything in round 7 or, if it is
// timid, says less in the round after.
type counting struct {
	timid bool
	heard int
}

func (p *counting) Send(s *system.Step) {
	if p.timid && s.Round() == 7 && p.heard < 2 {
		panic("nobody listens")
	}
	s.Broadcast("hello")
	s.Fact("said", s.Round())
}

func (p *counting) Receive(s *system.Step, inbox []system.Message) {
	p.heard = len(inbox)
	if !p.timid && s.Process() == "a" && s.Round() == 7 && p.heard < 2 {
		panic("somebody is missing")
	}
}

func (p *counting) Fingerprint() string { return fmt.Sprint(p.heard) }
func (p *counting) Snapshot() any       { return *p }
func (p *counting) Restore(state any)   { *p = state.(counting) }

func countingSystem(timid bool) target {
	return target{
		System: &system.System{
			Name: "counting", Processes: []string{"a", "b", "c"}, Rounds: 9,
			New: func(string, *rand.Rand) system.Process { return &counting{timid: timid, heard: 2} },
		},
		Properties: []property.Property{property.UniquePerTerm("leader")},
		Bounds:     rounds.Bounds{Isolations: 3, Period: 4, Crashes: 1},
	}
}

// A panic is a violation like any other, whatever the strategy: with the faults
// that it needs, and no others, and a recording of all that came before.
func TestPanic(t *testing.T) {
	for _, strategy := range []string{"exhaustive", "learn", "spread", "sample"} {
		for _, timid := range []bool{false, true} {
			a, err := find(t.Context(), strategy, countingSystem(timid), search.Options{})
			require.NoError(t, err, strategy)
			requirePanic(t, a, timid)
			c := a.First()
			require.Len(t, c.Schedule.Faults, 1, strategy)
			require.True(t, c.Minimal, "one fault, and none does not panic")
			again, err := countingSystem(timid).System.Run(t.Context(), c.Schedule, system.RunOptions{})
			require.ErrorAs(t, err, new(*system.PanicError))
			require.Nil(t, again)
		}
	}
	for _, strategy := range []string{"lineage", "drop"} {
		target := countingSystem(false)
		target.Properties = []property.Property{{Name: "all", Func: func(*recording.Execution) []result.Violation { return nil }}}
		target.Bounds = rounds.Bounds{Omissions: rounds.Unlimited}
		a, err := find(t.Context(), strategy, target, search.Options{})
		require.NoError(t, err)
		requirePanic(t, a, false)
		require.Len(t, a.First().Schedule.Faults, 1, strategy)
	}
	a, err := find(t.Context(), "spread", countingSystem(false), search.Options{Whole: true})
	require.NoError(t, err)
	require.Greater(t, len(a.First().Schedule.Faults), 1, "not made smaller")
}

func requirePanic(t *testing.T, a *result.Answer, timid bool) {
	t.Helper()
	require.Equal(t, result.Violated, a.Verdict)
	c := a.First()
	require.True(t, c.Confirmed)
	require.Len(t, c.Violations, 1)
	v := c.Violations[0]
	require.Equal(t, "no panic", v.Property)
	said := 7
	if timid {
		require.Regexp(t, "^process [abc] panics in round 7: nobody listens$", v.Text)
		require.Regexp(t, `^strategies_test\.\(\*counting\)\.Send at strategies/failure_test\.go:\d+$`, v.Stack[0])
		said = 6
	} else {
		require.Equal(t, "no panic: process a panics in round 7: somebody is missing", v.String())
		require.Regexp(t, `^strategies_test\.\(\*counting\)\.Receive at strategies/failure_test\.go:\d+$`, v.Stack[0])
	}
	require.Len(t, v.Stack, 1)
	require.Equal(t, 7, v.Fact.Round)
	for _, f := range c.Execution.Facts {
		require.LessOrEqual(t, f.Round, 7)
	}
	last := c.Execution.Facts[len(c.Execution.Facts)-1]
	require.Equal(t, "said", last.Relation)
	require.GreaterOrEqual(t, last.Round, said)
}

// A process that panics before the first round does so under no fault at all.
func TestPanicInNew(t *testing.T) {
	for _, strategy := range []string{"", "exhaustive", "learn", "lineage", "spread", "sample"} {
		target := countingSystem(false)
		target.Bounds = rounds.Bounds{Isolations: 2, Period: 3}
		target.System.New = func(name string, _ *rand.Rand) system.Process {
			if name == "b" {
				panic("no memory")
			}
			return &counting{}
		}
		a, err := find(t.Context(), strategy, target, search.Options{})
		require.NoError(t, err, strategy)
		require.Equal(t, "no panic: process b panics before the first round: no memory", a.First().Violations[0].String(), strategy)
		require.Empty(t, a.First().Schedule.Faults, strategy)
		require.Empty(t, a.First().Execution.Facts)
	}
}

// A method that only searches call says nothing of the system when it panics.
func TestPanicOfTheFingerprint(t *testing.T) {
	target := countingSystem(false)
	target.System.New = func(string, *rand.Rand) system.Process { return &nameless{} }
	for _, strategy := range []string{"exhaustive", "learn"} {
		_, err := find(t.Context(), strategy, target, search.Options{})
		require.ErrorContains(t, err, "in Fingerprint: panic at strategies/failure_test.go:", strategy)
	}
}

type nameless struct{ counting }

func (*nameless) Fingerprint() string { panic("no name") }

// The name of the property is taken.
func TestNoPanicIsBuiltIn(t *testing.T) {
	target := countingSystem(false)
	target.Properties = []property.Property{{Name: "no panic", Func: func(*recording.Execution) []result.Violation { return nil }}}
	_, err := find(t.Context(), "", target, search.Options{})
	require.ErrorContains(t, err, `property "no panic": every system has to satisfy one of this name`)
}
