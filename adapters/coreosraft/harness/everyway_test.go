package harness_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/coreosraft/harness"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Each answers the same, however it is asked.
func TestEveryWay(t *testing.T) {
	everyway.Test(t, 4, []*system.System{harness.ReadIndex(), harness.PreVote(), harness.Learner()})
}
