package failover_test

import (
	"testing"

	"example.com/failover"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
)

// Crashes do not lead to two leaders. Losses do.
func TestFailover(t *testing.T) {
	ldfitest.Run(t, failover.System(), ldfitest.Crashes(1, 0))
}
