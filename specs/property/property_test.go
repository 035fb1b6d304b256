package property_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/derive"
	"github.com/lineage-driven/ldfi/internal/relations"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

func TestPanicsOfFunctionsAreErrors(t *testing.T) {
	p := property.Property{Name: "mine", Func: func(*recording.Execution) []result.Violation { panic("no") }}
	_, err := p.Check(twoLeaders())
	require.EqualError(t, err, `property "mine": its function panics: no`)
}

// Rules look at messages if they read a relation that is about messages.
func TestFactsOnly(t *testing.T) {
	for _, r := range relations.Environment {
		rules := fmt.Sprintf("violation(1) :- %s(%s);", r.Name, strings.Repeat("_, ", len(r.Columns)-1)+"_")
		c, err := property.Compile(property.Property{Name: "p", Rules: derive.Dedalus("p.ded", rules)})
		require.NoError(t, err)
		require.Equal(t, r.Columns[0] != "From", c.FactsOnly(), r)
	}
}
