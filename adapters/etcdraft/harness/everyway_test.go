package harness_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcdraft/harness"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Swap answers the same, however it is asked.
func TestEveryWay(t *testing.T) { everyway.Test(t, 4, []*system.System{harness.Swap()}) }
