package main

import (
	"os"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/relations"
	"github.com/stretchr/testify/require"
)

// The table of recorded facts has all relations of the environment.
func TestDocumentedFacts(t *testing.T) {
	text, err := os.ReadFile("../../docs/results.md")
	require.NoError(t, err)
	for _, signature := range relations.Environment {
		name, _, _ := strings.Cut(signature, "(")
		require.Contains(t, string(text), "`"+name+"(", "the table of recorded facts in docs/results.md")
	}
}
