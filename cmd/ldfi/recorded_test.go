package main

import (
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/stretchr/testify/require"
)

// The list of recorded facts has all relations of the environment.
func TestDocumentedFacts(t *testing.T) {
	text, err := os.ReadFile("../../docs/commands/query.md")
	require.NoError(t, err)
	for _, r := range datalog.Environment {
		require.Contains(t, string(text), r.Name+"(", "the list of recorded facts in docs/commands/query.md")
	}
}
