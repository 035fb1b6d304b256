package vet_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestWarnings pins the warnings for programs that are allowed, in a system of
// processes a, b and c with four rounds.
func TestWarnings(t *testing.T) {
	golden.Run(t, "testdata/warnings.txt", func(t *testing.T, text string) string {
		p, err := dedalus.ParseText("test.ded", text)
		require.NoError(t, err)
		var out strings.Builder
		for _, ws := range [][]specs.Warning{vet.Text(p), vet.Locations(p, []string{"a", "b", "c"}), vet.Rounds(p, 4), vet.Locality(p)} {
			for _, w := range vet.InOrder(p, ws) {
				out.WriteString(w.String() + "\n")
			}
		}
		return out.String()
	})
}
