package ldfi

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// The same sets break a promise whether violations are told apart or not.
func TestViolationsNeedNotBeToldApart(t *testing.T) {
	compared := 0
	compare := func(name string, p *dedalus.Program, b rounds.Bounds, goals string) {
		m, err := New(p, b, Options{Goals: goals, Max: 20})
		require.NoError(t, err, name)
		q, err := newQuestion(t.Context(), m)
		require.NoError(t, err, name)
		if !q.promise.violation {
			return
		}
		sets := func(whether map[string]int) (units [][]int, gist bool) {
			v, err := q.whole(t.Context(), effort{}, &circuitProgress{}, whether)
			require.NoError(t, err, name)
			_, err = v.sets(t.Context(), m.options.Max, func(f finding) { units = append(units, f.units) })
			require.NoError(t, err, name)
			return units, v.gist
		}
		apart, gist := sets(nil)
		require.False(t, gist, name)
		whole, gist := sets(map[string]int{violationRelation: 0})
		require.Equal(t, apart, whole, name)
		if gist {
			compared++
		}
	}
	for _, c := range oracle.Quick(t) {
		compare(c.Name, c.Program, c.Bounds, c.Goals)
	}
	for _, phases := range []int{2, 3, 4} {
		log := generate.ReplicatedLog(false, 3, phases)
		p, b := log.Parse(t)
		compare(log.Name, p, b, "")
	}
	require.Greater(t, compared, 10)
}

// A question with very many violations is decided without all of them, and its reason
// has them all the same.
func TestManyViolations(t *testing.T) {
	p, b := generate.ReplicatedLog(false, 3, 5).Parse(t)
	m, err := New(p, b, Options{})
	require.NoError(t, err)
	q, err := newQuestion(t.Context(), m)
	require.NoError(t, err)
	v, err := q.whole(t.Context(), effort{}, &circuitProgress{}, q.emptiness())
	require.NoError(t, err)
	require.True(t, v.gist)
	a, err := m.Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, a.Counterexamples[0].Size)
	require.NotEmpty(t, a.Counterexamples[0].Because)
	require.NotEmpty(t, a.Counterexamples[0].Violations)
}
