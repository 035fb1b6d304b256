package search

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// Rules call Leader leader, and see it all the same.
func TestLensSeesRelationsUnderTheNameThatRulesGiveThem(t *testing.T) {
	l, err := NewLens([]property.Property{property.UniquePerTerm("leader")})
	require.NoError(t, err)
	fact := recording.Fact{Relation: "Leader", Args: []specs.Value{specs.String("a"), specs.Int(1)}, Round: 2}
	text, seen := l.See(fact)
	require.True(t, seen)
	fact.Args[0] = specs.String("b")
	other, _ := l.See(fact)
	require.NotEqual(t, text, other)
}
