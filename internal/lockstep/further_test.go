package lockstep_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func TestFurtherFactsHoldInOneRunOnly(t *testing.T) {
	p, err := dedalus.ParseText("p.ded", `
		twice(X, Y) :- seen(X, Y), seen(Y, X);
		quiet(X) :- peer(X), notin seen(X, _);
		peer("a")@1;`)
	require.NoError(t, err)
	m, err := lockstep.Compile(p, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 2}, lockstep.Options{})
	require.NoError(t, err)
	a, b := specs.String("a"), specs.String("b")

	run, err := m.RunWith(t.Context(), rounds.Schedule{}, []recording.Fact{
		{Relation: "seen", Args: []specs.Value{a, b}, Round: 1},
		{Relation: "seen", Args: []specs.Value{b, a}, Round: 1},
		{Relation: "seen", Args: []specs.Value{a}, Round: 1}, // another number of columns
		{Relation: "unknown", Args: []specs.Value{a}, Round: 1},
		{Relation: "peer", Args: []specs.Value{a}, Round: 3}, // beyond the last round
	})
	require.NoError(t, err)
	require.Equal(t, [][]specs.Value{{a, b}, {b, a}}, run.Facts("twice", 1))
	require.Empty(t, run.Facts("quiet", 1))

	run, err = m.Run(t.Context(), rounds.Schedule{})
	require.NoError(t, err)
	require.Empty(t, run.Facts("twice", 1))
	require.Equal(t, [][]specs.Value{{a}}, run.Facts("quiet", 1))
}
