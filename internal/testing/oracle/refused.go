package oracle

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// ofSystems are schedules of what only systems written in Go have, with processes a
// and b.
var ofSystems = []string{"pause a@1", "fast b@1..2"}

// RefusesOfSystems checks that execute, which executes programs, refuses what only
// systems have by its name. The processes are a, b and c.
func RefusesOfSystems(t *testing.T, execute func(rounds.Schedule) error) {
	t.Helper()
	for _, text := range ofSystems {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		require.ErrorContains(t, execute(s), text+": a Dedalus program has no ")
	}
}
