package roundstest

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// reserved are schedules of what nothing executes yet, with processes a and b.
var reserved = []string{
}

// RefusesReserved checks that execute refuses what nothing executes yet by its
// name. The processes are a, b and c.
func RefusesReserved(t *testing.T, execute func(rounds.Schedule) error) {
	t.Helper()
	for _, text := range reserved {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		require.ErrorContains(t, execute(s), text+": reserved: not yet executed")
	}
}
