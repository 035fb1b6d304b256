package search

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
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

// A property that reads what processes do not report, which is every relation of
// the environment but the scope, is refused.
func TestLensSeesNothingOfTheEnvironment(t *testing.T) {
	for _, r := range datalog.Environment {
		rules := fmt.Sprintf("violation(1) :- %s(%s);", r.Name, strings.Repeat("_, ", len(r.Columns)-1)+"_")
		_, err := NewLens([]property.Property{{Name: "p", Rules: datalog.Dedalus("p.ded", rules)}})
		if r.About == datalog.TableScope {
			require.NoError(t, err, r)
			continue
		}
		require.ErrorContains(t, err, "a property reads "+r.Name+", but this strategy", r)
	}
}
