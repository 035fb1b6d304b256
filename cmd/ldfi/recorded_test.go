package main

import (
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/stretchr/testify/require"
)

// The table of recorded facts has all relations of the environment.
func TestDocumentedFacts(t *testing.T) {
	text, err := os.ReadFile("../../docs/results.md")
	require.NoError(t, err)
	for _, r := range datalog.Environment {
		require.Contains(t, string(text), "`"+r.Name+"(", "the table of recorded facts in docs/results.md")
	}
}
