package remote

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// A host that judges an execution on its way says what one says that is asked for one
// execution after the other. What it cannot say is not believed.
func TestJudgedOnItsWay(t *testing.T) {
	s := gossip()
	s.Properties = append(s.Properties, rules.New("answered", "pre(P) :- process(P). post(P) :- answered(P, _)."))
	stuck := func(change lie) (*search.Aftermath, int, error) {
		runs := 0
		r := liar(t, s, Options{}, func(q, a object) {
			if q["do"] == messages.DoRun {
				runs++
			}
			change(q, a)
		})
		require.NoError(t, r.greet(t.Context()))
		hosted := r.Systems()[0]
		e, violations, err := hosted.Execute(t.Context(), parse(t, "seed 1; isolate b@2"), 0, messages.Always)
		require.NoError(t, err)
		require.Len(t, violations, 4)
		after, err := hosted.GoOn(t.Context(), e, violations)
		return after, runs - 1, err
	}
	once, runs, err := stuck(func(object, object) {})
	require.NoError(t, err)
	require.Equal(t, 4, runs)
	require.Len(t, once.Left, 4)
	apart, runs, err := stuck(to(messages.DoHello, set(nil, "by_extents")))
	require.NoError(t, err)
	require.Equal(t, 3+3*4, runs)
	require.Equal(t, once, apart)

	later := func(change lie) lie {
		return to(messages.DoRun, func(q, a object) {
			if q["extents"] != nil {
				change(q, a)
			}
		})
	}
	for wrong, change := range map[string]lie{
		"it does not say what is violated by round 10":                            set(nil, "extents"),
		"it does not say what is violated by round 18":                            set(17, "extents", 1, "rounds"),
		`a violation of "quiet", which is no property that the host judges`:       set("quiet", "extents", 0, "violations", 0, "property"),
		`in round 11, and there are 10 rounds`:                                    set(11, "extents", 0, "violations", 0, "fact", "round"),
		`it says that "quiet" takes too long to judge, which is no property that`: set(object{"property": "quiet", "why": "x"}, "unjudged"),
	} {
		_, _, err := stuck(later(change))
		require.ErrorContains(t, err, wrong)
	}
	failed, _, err := stuck(later(func(q, a object) {
		set(a["extents"].([]any)[:1], "extents")(q, a)
		set("a panics", "failed")(q, a)
	}))
	require.NoError(t, err)
	require.Equal(t, "going on to round 18, a panics", failed.Continued.Limit)
	require.Equal(t, 10, failed.Continued.Rounds)
}
