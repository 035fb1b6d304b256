package maelstrom_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/maelstrom"
	"github.com/lineage-driven/ldfi/adapters/maelstrom/glomers"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// oneLoss is the budget of the exercise: one message is lost.
func oneLoss() rounds.Bounds { return rounds.Bounds{Omissions: 1, EFF: 36} }

// The naive broadcast is broken by the loss of one message that passes a value on.
func TestNaive(t *testing.T) {
	s := maelstrom.System(glomers.Naive, maelstrom.Broadcast{}, maelstrom.Rounds(60), maelstrom.Operations(3))
	r, err := search.Run(t.Context(), s, search.Options{Executions: 300, Bounds: oneLoss()})
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
	require.Regexp(t, `^omit n\d>n\d@\d+$`, r.First().Schedule.String())
	require.Equal(t, "every value reaches all", r.First().Violations[0].Property)
	require.Regexp(t, `^n\d answers broadcast {"message":\d} of round \d+ with broadcast_ok in round \d+, but n\d answers read of round \d+ with read_ok`, r.First().Violations[0].Text)
}

// The one that retries holds within the same budget, and within a larger one.
func TestRetrying(t *testing.T) {
	s := maelstrom.System(glomers.Retrying, maelstrom.Broadcast{}, maelstrom.Rounds(60), maelstrom.Operations(3))
	t.Run("one loss", func(t *testing.T) { ldfitest.Run(t, s, ldfitest.Bounds(oneLoss()), ldfitest.Executions(60)) })
	t.Run("more", func(t *testing.T) { ldfitest.Run(t, s, ldfitest.Executions(60)) })
}
