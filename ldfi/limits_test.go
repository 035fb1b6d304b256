package ldfi_test

import (
	"context"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestALimitOnFactsIsInconclusive(t *testing.T) {
	p, b := parse(t, gossip)
	whole, err := model(t, p, b, ldfi.Options{}).Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, result.Holds, whole.Verdict)
	require.Equal(t, 6, whole.Decided)
	require.Nil(t, whole.Limit)

	r, err := model(t, p, b, ldfi.Options{MaxFacts: whole.Stats.Facts - 1}.Only("circuit")).Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, result.LimitFacts, r.Limit.Kind)
	require.NotEmpty(t, r.Limit.Advice)
	require.NotEmpty(t, r.Limit.Growth)
	require.Equal(t, 5, r.Decided)
	require.Len(t, r.Horizons, 5)

	r, err = model(t, p, b, ldfi.Options{MaxFacts: 1}).Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, result.LimitFacts, r.Limit.Kind)
	require.NotEmpty(t, r.Limit.Growth, "the executor knows which relations grew, too")
	require.Zero(t, r.Decided)
}

func TestALimitOnGatesIsInconclusive(t *testing.T) {
	p, b := parse(t, gossip)
	r, err := model(t, p, b, ldfi.Options{MaxGates: 30}.Only("circuit")).Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, result.LimitGates, r.Limit.Kind)
	require.Positive(t, r.Decided)
}

func TestAViolationBeforeALimitIsReported(t *testing.T) {
	p, b := parse(t, retry)
	whole, err := model(t, p, b, ldfi.Options{}).Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, result.Violated, whole.Verdict)

	r, err := model(t, p, b, ldfi.Options{MaxGates: 30}.Only("circuit")).Check(context.Background())
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
	require.Equal(t, result.LimitGates, r.Limit.Kind)
	require.Equal(t, 6, r.Decided)
	require.False(t, r.Counterexamples[0].Minimal)
	require.True(t, r.Counterexamples[0].Confirmed)
}

func TestAContextThatIsOver(t *testing.T) {
	p, b := parse(t, gossip)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := model(t, p, b, ldfi.Options{}).Check(cancelled)
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, result.LimitInterrupted, r.Limit.Kind)
	require.Zero(t, r.Decided)

	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	r, err = model(t, p, b, ldfi.Options{}).Check(late)
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, result.LimitTimeout, r.Limit.Kind)

	h, err := model(t, p, b, ldfi.Options{}).Hypotheses(cancelled, nil, nil)
	require.NoError(t, err)
	require.Equal(t, result.LimitInterrupted, h.Limit.Kind)
	require.Empty(t, h.Counterexamples)
	require.Nil(t, h.Conflict)

	_, err = model(t, p, b, ldfi.Options{}).Inject(cancelled, rounds.Schedule{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = model(t, p, b, ldfi.Options{}).Vet(cancelled, false)
	require.ErrorIs(t, err, context.Canceled)
}

// TestCancelledAtEveryStep cancels at the first, second, third... progress.
func TestCancelledAtEveryStep(t *testing.T) {
	p, b := parse(t, retry)
	whole, err := model(t, p, b, ldfi.Options{Max: everySet}).Check(context.Background())
	require.NoError(t, err)
	cause := context.CancelCauseFunc(nil)
	for step, done := 1, false; !done; step++ {
		ctx, cancel := context.WithCancelCause(context.Background())
		cause = cancel
		told := 0
		r, err := model(t, p, b, ldfi.Options{Max: everySet, Progress: func(string) {
			if told++; told == step {
				cause(errSignal)
			}
		}}).Check(ctx)
		require.NoError(t, err)
		done = told < step
		if r.Limit == nil {
			require.Equal(t, result.Violated, r.Verdict)
			require.Equal(t, whole.Counterexamples, r.Counterexamples)
			continue
		}
		require.Equal(t, result.LimitInterrupted, r.Limit.Kind)
		require.Equal(t, len(r.Counterexamples) > 0, r.Verdict == result.Violated)
		require.False(t, r.Complete)
		for i, c := range r.Counterexamples {
			require.True(t, c.Confirmed)
			if c.Minimal {
				require.Equal(t, whole.Counterexamples[i], c)
			}
		}
	}
}

type signalled string

func (s signalled) Error() string { return string(s) }

const errSignal = signalled("stopped by a signal")
