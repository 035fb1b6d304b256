package report_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The library that lays out graphs is the one that was published, byte for byte:
// @dagrejs/dagre 3.1.3 of the npm registry.
func TestLibraryIsAsPublished(t *testing.T) {
	for name, want := range map[string]string{
		"dagre.min.js":           "54a503e346f93ca0bb10abe7999587e037262935687aca45eb4e4b0f64bbb578",
		"dagre.min.js.LEGAL.txt": "9148bffb1e84382a8b6668eeb2b53c6a554341d714fba129856ea5eb350d35f3",
		"LICENSE":                "6a349742a6cb219d5a2fc8d0844f6d89a6efc62e20c664450d884fc7ff2d6015",
	} {
		text, err := os.ReadFile("assets/dagre/" + name)
		require.NoError(t, err)
		sum := sha256.Sum256(text)
		require.Equal(t, want, hex.EncodeToString(sum[:]), name)
	}
}
