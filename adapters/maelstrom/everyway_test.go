package maelstrom_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/maelstrom"
	"github.com/lineage-driven/ldfi/adapters/maelstrom/glomers"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// An exercise answers the same, however it is asked.
func TestEveryWay(t *testing.T) {
	everyway.Test(t, 4, []*system.System{maelstrom.System(glomers.Echo, maelstrom.Echo{})})
}
