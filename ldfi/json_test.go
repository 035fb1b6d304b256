package ldfi_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/ldfi"
)

// timeless returns the JSON of a report as if it had taken no time.
func timeless(t *testing.T, r *ldfi.Report) string {
	t.Helper()
	still := *r
	still.Stats.Times = ldfi.Times{}
	text, err := json.MarshalIndent(&still, "", "  ")
	require.NoError(t, err)
	return string(text)
}
