package result

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestCutInWords(t *testing.T) {
	fault, err := rounds.ParseSchedule("crash a@2")
	require.NoError(t, err)
	for want, c := range map[string]Cut{
		"log a>b@2..4,6 (crash a@2)":                         {Messages: []string{"log a>b@2", "log a>b@3", "log a>b@4", "log a>b@6"}},
		"log a>b@2, log a>c@2..3 (crash a@2)":                {Messages: []string{"log a>b@2", "log a>c@2", "log a>c@3"}},
		"log a>b@2, a has stopped (crash a@2)":               {Messages: []string{"log a>b@2"}, Effects: []string{"a has stopped"}},
		"1>2@1, 1>3@1, 1>4@1, 1>5@1, and 2 more (crash a@2)": {Messages: []string{"1>2@1", "1>3@1", "1>4@1", "1>5@1", "1>6@1", "1>7@1"}},
	} {
		c.Fault = fault
		require.Equal(t, want, c.String())
	}
}
