package maelstrom_test

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/maelstrom"
	"github.com/lineage-driven/ldfi/adapters/maelstrom/glomers"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// oneLoss is the budget of the exercise: one message between nodes is lost.
func oneLoss(s *system.System) rounds.Bounds {
	b := s.Faults
	b.Omissions, b.Isolations, b.Pauses = 1, 0, 0
	return b
}

// The naive broadcast is broken by the loss of one message that passes a value on.
func TestNaive(t *testing.T) {
	s := maelstrom.System(glomers.Naive, maelstrom.Broadcast{}, maelstrom.Rounds(60), maelstrom.Operations(3))
	r, err := search.Run(t.Context(), s, search.Options{Executions: 300, Bounds: oneLoss(s)})
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
	require.Regexp(t, `^omit n\d>n\d@\d+$`, r.First().Schedule.String())
	require.Equal(t, "every value reaches all", r.First().Violations[0].Property)
	require.Regexp(t, `^n\d answers broadcast {"message":\d} of round \d+ with broadcast_ok in round \d+, but n\d answers read of round \d+ with read_ok`, r.First().Violations[0].Text)
}

// The one that retries holds within the same budget, and within a larger one.
func TestRetrying(t *testing.T) {
	s := maelstrom.System(glomers.Retrying, maelstrom.Broadcast{}, maelstrom.Rounds(60), maelstrom.Operations(3))
	t.Run("one loss", func(t *testing.T) { ldfitest.Run(t, s, ldfitest.Bounds(oneLoss(s)), ldfitest.Executions(60)) })
	t.Run("more", func(t *testing.T) { ldfitest.Run(t, s, ldfitest.Executions(60)) })
}

// The same schedule gives the same recording, with the overlay: also after others. With
// -args -long 1000 that is tried 1,000 times.
func TestExact(t *testing.T) {
	for _, s := range []*system.System{
		maelstrom.System(glomers.Retrying, maelstrom.Broadcast{}),
		maelstrom.System(glomers.Counter, maelstrom.GCounter{}),
	} {
		want := execute(t, s, "seed 3; omit n0>n1@21; isolate n2@50..90; crash n1@60; restart n1@70")
		if want.Inexact != "" {
			t.Skip("executions may differ: ", want.Inexact)
		}
		for i := range *long {
			if i%10 == 0 {
				execute(t, s, fmt.Sprintf("seed %d; isolate n0@%d", i, 20+i%60))
			}
			require.Equal(t, written(t, want), written(t, execute(t, s, want.Schedule.String())))
		}
		t.Logf("%s %x", s.Name, sha256.Sum256([]byte(written(t, want))))
	}
}

var long = flag.Int("long", 5, "execute a schedule so many times")

func execute(t *testing.T, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parsed, system.RunOptions{})
	require.NoError(t, err)
	return e
}

func written(t *testing.T, e *recording.Execution) string {
	t.Helper()
	text, err := json.Marshal(e)
	require.NoError(t, err)
	return string(text)
}
