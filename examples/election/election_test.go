package election_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
)

// TestElection finds nothing. The schedule in testdata/ldfi is one that broke
// the buggy version; it is executed first.
func TestElection(t *testing.T) {
	ldfitest.Run(t, election.Fixed(), ldfitest.Isolations(1, 2), ldfitest.HealedFrom(5))
}
