package election_test

import (
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/stretchr/testify/require"
)

// TestElection finds nothing. The schedule in testdata/ldfi is one that broke
// the buggy version; it is executed first.
func TestElection(t *testing.T) {
	ldfitest.Run(t, election.Fixed(), ldfitest.Isolations(1, 2), ldfitest.HealedFrom(5))
}

// TestDocs compares the example in the documentation with the source.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/guide/systems.md")
	require.NoError(t, err)
	source, err := os.ReadFile("election.go")
	require.NoError(t, err)
	require.Contains(t, string(page), "```go\n"+string(source)+"```\n")
}
