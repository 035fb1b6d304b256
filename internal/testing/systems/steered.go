package systems

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Steered executes a system by a guide, and three times by the schedule that this gives, which
// has to do the same. It returns what came of the guide, and which properties are violated.
func Steered(t *testing.T, s *system.System, g *guide.Guide, seed uint64) (outcome guide.Outcome, violated []string) {
	t.Helper()
	steering, err := g.NewSteering(s.Bounds(0), false)
	require.NoError(t, err)
	steering.Start(t.Context())
	e, err := s.Run(t.Context(), rounds.Schedule{Settings: rounds.Settings{Seed: rounds.Set(seed)}}, system.RunOptions{Steer: steering})
	require.NoError(t, err)
	outcome, schedule, err := steering.End(e)
	require.NoError(t, err)
	for range 3 {
		again, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, recorded(e), recorded(again))
	}
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		if len(violations) > 0 {
			violated = append(violated, p.Name)
		}
	}
	return outcome, violated
}

// recorded returns the facts and messages of an execution.
func recorded(e *recording.Execution) (all []string) {
	for _, f := range e.Facts {
		all = append(all, f.String())
	}
	for _, m := range e.Messages {
		all = append(all, fmt.Sprint(m))
	}
	return all
}
