package quorum_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/quorum"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Both answer the same, however they are asked.
func TestEveryWay(t *testing.T) {
	everyway.Test(t, 4, []*system.System{quorum.Hasty(), quorum.Careful()})
}
