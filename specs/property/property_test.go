package property_test

import (
	"testing"

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
