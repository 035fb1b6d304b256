package remote

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// searchedBy searches a system of a host that lies.
func searchedBy(t *testing.T, s *system.System, l lie, o search.Options) (*result.Answer, error) {
	t.Helper()
	r := liar(t, s, Options{}, l)
	require.NoError(t, r.greet(t.Context()))
	return r.Systems()[0].Search(t.Context(), o)
}

// honest hosts do not lie.
func honest(_, _ object) {}

// executesOnly hides the strategies of a host.
func executesOnly(q, a object) {
	if q["do"] == messages.DoHello {
		delete(a, "strategies")
	}
}

// How often a counterexample breaks ldfi counts itself, whatever the host says, and
// whether the host searches or ldfi does.
func TestCountsOfAHost(t *testing.T) {
	for name, l := range map[string]lie{
		"by the host":            honest,
		"the host executes only": executesOnly,
		"a lie about the count":  to(messages.DoSearch, set(object{"broken": 20, "executions": 20, "why": "x", "needed": 7}, answers, "counterexamples", 0, "repeats")),
		"confirmed":              to(messages.DoSearch, set(true, answers, "counterexamples", 0, "confirmed")),
	} {
		a, err := searchedBy(t, systems.Lucky("lucky", 14), l, search.Options{})
		require.NoError(t, err, name)
		c := a.First()
		require.Equal(t, "isolate b@2; isolate b@3", c.Schedule.String(), name)
		require.Equal(t, [3]int{14, 20, 7}, [3]int{c.Repeats.Broken, c.Repeats.Executions, c.Repeats.Needed}, name)
		require.Equal(t, systems.Why, c.Repeats.Why, name)
		require.False(t, c.Confirmed, name)
	}
}

// What a host says it has seen once, and what nothing that ldfi executes shows, is
// counted as such.
func TestWhatOnlyTheHostHasSeen(t *testing.T) {
	a, err := searchedBy(t, systems.First("first"), honest, search.Options{})
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, [2]int{0, 20}, [2]int{a.First().Repeats.Broken, a.First().Repeats.Executions})
	require.Len(t, a.First().Execution.Facts, 2)
}

// Whatever does not depend on luck is still compared with what was asked.
func TestLiesAboutInexactSystems(t *testing.T) {
	c := []any{answers, "counterexamples", 0}
	in := func(path ...any) []any { return append(c[:len(c):len(c)], path...) }
	for _, l := range []searchLie{
		{"minimal", func(q, a object) {
			set(true, in("minimal")...)(q, a)
			set("the schedules within the bounds with the same seed and ticks", in("among")...)(q, a)
		}, "how small it is, and executions of one schedule may differ"},
		{"irreducible", set(true, in("irreducible")...), "how small it is, and executions of one schedule may differ"},
		{"smaller ones", set(object{"needed": 21}, in("repeats")...), "had to break in 21 executions, of 20"},
		{"another schedule than executed", set("isolate b@3; isolate b@4", in("schedule")...), "the recording is one of the schedule"},
		{"a recording that breaks nothing", set([]any{}, in("execution", "facts")...), "is violated, and by its rules it is not"},
		{"a message that arrives", func(_, a object) {
			for _, m := range at(a, in("execution", "messages")...).([]any) {
				delete(m.(object), "lost")
			}
		}, "it arrives, and isolate b@2 loses it"},
		{"no violation", set([]any{}, in("violations")...), "lacks its violations"},
	} {
		_, err := searchedBy(t, systems.Lucky("lucky", 14), to(messages.DoSearch, l.lie), search.Options{})
		require.ErrorContains(t, err, l.wrong, l.name)
	}
	certified := func(q, a object) {
		set("holds", answers, "verdict")(q, a)
		set(true, answers, "complete")(q, a)
		delete(a[answers].(object), "limit")
		search := at(a, answers, "search").(object)
		delete(search, "drawn")
		delete(search, "enough")
		search["certificate"] = object{"bounds": at(a, answers, "scope", "bounds"), "schedules": at(a, answers, "scope", "scenarios")}
	}
	_, err := searchedBy(t, systems.Lucky("never", 0), to(messages.DoSearch, certified), search.Options{Executions: 30})
	require.ErrorContains(t, err, "it has a certificate, and executions of one schedule may differ")
}

// A host that only executes is tested from here, and says how many schedules differ.
func TestVetOfAnInexactSystem(t *testing.T) {
	for name, l := range map[string]lie{"by the host": honest, "from here": executesOnly} {
		for system, differ := range map[*system.System]int{systems.Noisy("noisy"): 20, systems.Lucky("never", 0): 0} {
			r := liar(t, system, Options{}, l)
			require.NoError(t, r.greet(t.Context()))
			tests, err := r.Systems()[0].Vet(t.Context(), 20, 1)
			require.NoError(t, err, name)
			require.Empty(t, tests[0].Found, name)
			require.Equal(t, systems.Why, tests[0].Inexact, name)
			require.Equal(t, differ, tests[0].Differed, name)
			require.NotEmpty(t, tests[1].Skipped)
		}
	}
}
