package ldfitest_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// sleeper wakes up in a late round; a light one does not once it has missed a message.
type sleeper struct{ light, missed bool }

func (p *sleeper) Send(s *system.Step) { s.Broadcast("tick") }
func (p *sleeper) Receive(s *system.Step, inbox []system.Message) {
	p.missed = p.missed || p.light && len(inbox) == 0
	if s.Round() > 9 && !p.missed {
		s.Fact("awake")
	}
}

func sleepers(light bool) *system.System {
	return &system.System{
		Name: "sleepers", Processes: []string{"a", "b"}, Rounds: 6,
		New:        func(string, *rand.Rand) system.Process { return &sleeper{light: light} },
		Properties: []property.Property{property.EventualProgress("awake", 1, 5)},
	}
}

// What is late fails no test, whether it is kept or found, and is told.
func TestLate(t *testing.T) {
	dir := t.TempDir()
	file := "testdata/ldfi/TestTarget/awake_after_round_5.txt"
	require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte("isolate a@3..4\n"), 0o644))
	out, err := goTest(t, dir, "sleepers")
	require.NoError(t, err, out)
	require.Contains(t, out, file+` violates nothing: late, not stuck: awake after round 5: pre("awake after round 5"), but no post("awake after round 5") by the end of round 6; within 10 rounds it happens`)
	require.Contains(t, out, "schedules were late, not stuck: the slowest took 1")

	out, err = goTest(t, dir, "light sleepers")
	require.Error(t, err)
	require.Contains(t, out, "later   still so in round 28, and with seed 1, 2 or 3 from round 5 on")
	require.Contains(t, out, "found   by the schedule that is kept")
}
