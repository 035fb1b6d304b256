// Package systems has helpers for tests of systems: they execute schedules, search for
// the fewest faults, and compare a system with a protocol. It also has systems whose
// executions of one schedule differ in a known way, or depend on the order of
// goroutines in the schedule.
package systems

import (
	"testing"

	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Run executes a system under a schedule.
func Run(t testing.TB, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	e, err := s.Run(t.Context(), parse(t, schedule), system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	return e
}

// Violations executes a system under a schedule, and returns what that violates: the name
// of each property with its violation.
func Violations(t testing.TB, s *system.System, schedule string) []string {
	t.Helper()
	e := Run(t, s, schedule)
	var all []string
	for _, p := range s.Properties {
		found, err := p.Check(e)
		require.NoError(t, err)
		for _, v := range found {
			all = append(all, p.Name+" "+v.Text)
		}
	}
	return all
}

func parse(t testing.TB, text string) rounds.Schedule {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return schedule
}
