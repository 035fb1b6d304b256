package harness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
)

func parse(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return schedule
}
