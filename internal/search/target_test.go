package search

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// stuck is a process that cannot be closed.
type stuck struct{}

func (stuck) Send(*system.Step)                      {}
func (stuck) Receive(*system.Step, []system.Message) {}
func (stuck) Close()                                 { select {} }

// A process that does not come back when it is closed does not keep a system from being
// described: what hangs is for the first execution to report.
func TestProcessesThatCannotBeClosedAreDescribed(t *testing.T) {
	defer func(patience time.Duration) { describeLimit = patience }(describeLimit)
	describeLimit = 50 * time.Millisecond
	s := &system.System{
		Name: "stuck", Processes: []string{"a"}, Rounds: 1,
		New:        func(string, *rand.Rand) system.Process { return stuck{} },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
	target, err := NewTarget(s, nil)
	require.NoError(t, err)
	require.Empty(t, target.Offers)
}
