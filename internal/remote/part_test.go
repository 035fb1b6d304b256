package remote_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// A search that is made in parts has the answer of one that is made at once: whether the
// host searches by itself, or only executes, or ldfi judges as well.
func TestParts(t *testing.T) {
	silence := rules.New("silence", "violation(P) :- nobody(P, _).")
	for _, c := range []struct {
		host, system string
		options      remote.Options
		bounds       rounds.Bounds
	}{
		{"replog", "replog-buggy", remote.Options{}, rounds.Bounds{Isolations: 2, Period: 4}},
		{"replog", "replog-fixed", remote.Options{}, rounds.Bounds{Isolations: 2, Period: 4}},
		{"replog", "replog-fixed", remote.Options{Properties: []property.Property{silence}}, rounds.Bounds{Isolations: 2, Period: 4}},
		{"foreign", "", remote.Options{}, rounds.Bounds{Crashes: 1}},
	} {
		for _, strategy := range []string{"spread", "enumerate"} {
			r, err := start(t, c.host, c.options)
			require.NoError(t, err)
			s, err := r.System(c.system)
			require.NoError(t, err)
			o := search.Options{Strategy: strategy, Bounds: c.bounds, Executions: 60, Seed: 5, Statistics: true}
			want, err := s.Search(t.Context(), o)
			require.NoError(t, err)

			other, err := start(t, c.host, c.options)
			require.NoError(t, err)
			elsewhere, err := other.System(c.system)
			require.NoError(t, err)
			require.Empty(t, elsewhere.Parts(o))
			for first := 0; ; first += 25 {
				k, err := elsewhere.Part(t.Context(), o, search.Part{First: first, End: first + 25})
				require.NoError(t, err)
				if o.Known != nil {
					k, err = o.Known.Join(k)
					require.NoError(t, err)
				}
				if o.Known = k; k.Ended || k.End == k.All {
					break
				}
			}
			require.Equal(t, want.Verdict == result.Violated, o.Known.Ended)
			fresh, err := start(t, c.host, c.options)
			require.NoError(t, err)
			s, err = fresh.System(c.system)
			require.NoError(t, err)
			got, err := s.Search(t.Context(), o)
			require.NoError(t, err)
			require.Equal(t, inJSON(t, want), inJSON(t, got))
		}
	}
}

// A part is one of the search, by a strategy that has parts.
func TestPartsThatThereAreNot(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	o := search.Options{Strategy: "uniform", Bounds: rounds.Bounds{Isolations: 2, Period: 4}, Executions: 10}
	_, err = s.Part(t.Context(), o, search.Part{First: 10, End: 20})
	require.EqualError(t, err, "a search with 10 executions has no part from 10 to 20")
	o.Strategy = "learn"
	_, err = s.Part(t.Context(), o, search.Part{End: 5})
	require.ErrorContains(t, err, "strategy learn cannot search in parts")
	require.True(t, remote.Refused(err))
}
