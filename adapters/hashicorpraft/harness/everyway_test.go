package harness_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft/harness"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
)

// Each answers the same, however it is asked.
func TestEveryWay(t *testing.T) { everyway.Test(t, 4, harness.All()) }
