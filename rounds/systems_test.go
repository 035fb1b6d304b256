package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// The bounds of systems written in Go have budgets that Dedalus programs refuse.
func TestBoundsOfSystems(t *testing.T) {
	overrides := map[string]string{"processes": "a,b,c", "eot": "6", "crashes": "2", "restarts": "1", "pauses": "unlimited", "period": "3", "crash": "stop"}
	b, err := rounds.BoundsFrom(overrides)
	require.NoError(t, err)
	require.Equal(t, rounds.Bounds{Processes: three, EOT: 6, Crashes: 2, Restarts: 1, Pauses: rounds.Unlimited, Period: 3, CrashStop: true}, b)
	require.Equal(t, "3 processes, 6 rounds, pauses in phases of 3 rounds, at most 2 crashes (stop), at most 1 restart", b.String())

	data, err := b.MarshalJSON()
	require.NoError(t, err)
	var again rounds.Bounds
	require.NoError(t, again.UnmarshalJSON(data))
	require.Equal(t, b, again)

	p, err := dedalus.ParseText("p.ded", "// ldfi: processes=a,b,c eot=6 pauses=1\nx(\"a\")@1;\n")
	require.NoError(t, err)
	_, _, err = rounds.BoundsOf(p, nil)
	require.ErrorContains(t, err, "a Dedalus program has no pauses; only systems written in Go do")

	b.Restarts = -2
	require.ErrorContains(t, b.Validate(), "restarts=-2: it has to be 0 or more, or unlimited")
}

// One process in three rounds: no crash, 3 crashes that last, 3+2+1 that end.
func TestScenariosOfRestarts(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a"}, EOT: 3, Crashes: 1, Restarts: 1, Period: 1}
	require.Equal(t, "10", schedules.Count(b).String())
	b.Pauses, b.Period = rounds.Unlimited, 3 // no pause, or one from round 1, 2 or 3 on
	require.Equal(t, "40", schedules.Count(b).String())
	b.Crashes = 0
	require.Equal(t, "4", schedules.Count(b).String(), "nobody restarts who has not crashed")
}
