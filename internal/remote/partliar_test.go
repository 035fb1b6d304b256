package remote

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A host that was built with an older ldfi knows no parts, and is not asked for one.
func TestPartsOfAnOldHost(t *testing.T) {
	r := liar(t, gossip(), Options{}, func(q, a object) { delete(a, "parts") })
	require.NoError(t, r.greet(t.Context()))
	s, err := r.System("")
	require.NoError(t, err)
	_, err = s.Part(t.Context(), search.Options{Strategy: "uniform"}, search.Part{End: 5})
	require.EqualError(t, err, "the host was built with an older ldfi, and searches by itself in one go")
}

// What a part came to has to be about that part.
func TestStretchesThatAreNotBelieved(t *testing.T) {
	for _, c := range []struct {
		change func(object) // nil: it is not there
		wrong  string       // "": nothing
	}{
		{func(object) {}, ""},
		{nil, "without what that came to"},
		{func(k object) { k["strategy"] = "spread" }, "made by"},
		{func(k object) { k["all"] = 77 }, "there are 77, and may be 50"},
		{func(k object) { k["first"] = 3 }, "they are 3"},
		{func(k object) { k["end"] = 7 }, "they are 2 to 6"},
		{func(k object) { k["ended"] = true }, "the search: true"},
		{func(k object) { k["sights"] = []any{} }, "0 properties, and not 1"},
		{func(k object) { k["figures"] = []any{object{"1": 6}} }, "figures: true"},
		{func(k object) { k["continued"] = 1 << 40 }, "went on"},
		{slow(object{"schedules": 1, "rounds": 1_000_000}), "late, by round"},
		{slow(object{"schedules": 1, "rounds": 6, "slowest": "crash a@1"}), "outside the bounds"},
		{func(k object) { k["unjudged"] = 3 }, "not judged"},
		{func(k object) {
			k["unjudged"], k["why"] = 1, object{"property": "heard", "why": "x", "schedule": "crash a@1"}
		}, "outside the bounds"},
	} {
		r := liar(t, gossip(), Options{}, func(q, a object) {
			switch {
			case q["do"] != "part":
			case c.change == nil:
				delete(a, "stretch")
			default:
				c.change(a["stretch"].(object))
			}
		})
		require.NoError(t, r.greet(t.Context()))
		s, err := r.System("")
		require.NoError(t, err)
		o := search.Options{Strategy: "uniform", Bounds: rounds.Bounds{Delays: 1, MaxDelay: 1}, Executions: 50}
		_, err = s.Part(t.Context(), o, search.Part{First: 2, End: 8})
		if c.wrong == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.wrong)
		}
	}
}

// slow says that an execution was late.
func slow(l object) func(object) {
	return func(k object) { k["continued"], k["slowest"], k["late"] = 1, 4, l }
}
