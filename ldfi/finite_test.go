package ldfi_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/stretchr/testify/require"
)

// TestFinite lists which programs of testdata are finite for any number of rounds, and what grows in the others.
// By default it looks at some of them.
func TestFinite(t *testing.T) {
	protocols, err := filepath.Abs(filepath.Join("..", "testdata", "protocols"))
	require.NoError(t, err)
	line := func(c oracle.Case) string {
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
		require.NoError(t, err)
		says, err := m.Finite(t.Context())
		require.NoError(t, err)
		says, _, _ = strings.Cut(says, "; rules tell")
		return fmt.Sprintf("%-36s %s\n", c.Name, strings.ReplaceAll(says, protocols+string(filepath.Separator), ""))
	}
	if !*update && flag.Lookup("all").Value.String() != "true" {
		text, err := os.ReadFile(filepath.Join("testdata", "finite.txt"))
		require.NoError(t, err)
		for _, c := range oracle.Protocols(t) {
			if !strings.HasPrefix(c.Name, "catalogue/") {
				require.True(t, strings.Contains(string(text), line(c)), line(c))
			}
		}
		return
	}
	text := "# Whether the programs below testdata/protocols are finite for any number of rounds.\n\n"
	for _, c := range oracle.Protocols(t) {
		text += line(c)
	}
	golden(t, "finite.txt", text)
}
