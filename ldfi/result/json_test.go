package result_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A time is the same when it was written and read, to the microsecond.
func TestDurationJSON(t *testing.T) {
	for n := range 5000 {
		d := result.Duration(time.Duration(n) * time.Microsecond)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		var again result.Duration
		require.NoError(t, json.Unmarshal(text, &again))
		require.Equal(t, d, again, "%s", text)
	}
}
