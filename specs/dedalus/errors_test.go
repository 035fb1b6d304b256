package dedalus_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"

	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestErrors pins the messages for programs that are wrong.
func TestErrors(t *testing.T) {
	golden.Run(t, "testdata/errors.txt", func(t *testing.T, text string) string {
		_, err := dedalus.ParseText("test.ded", text)
		require.Error(t, err)
		require.IsType(t, specs.Errors{}, err)
		return err.Error() + "\n"
	})
}
