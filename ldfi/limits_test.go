package ldfi_test

import (
	"context"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func TestALimitOnFactsIsInconclusive(t *testing.T) {
	p, b := parse(t, gossip)
	whole, err := ldfi.Check(context.Background(), p, b, ldfi.Options{})
	require.NoError(t, err)
	require.Equal(t, ldfi.Holds, whole.Verdict)
	require.Equal(t, 6, whole.Decided)
	require.Nil(t, whole.Limit)

	r, err := ldfi.Check(context.Background(), p, b, ldfi.Options{MaxFacts: whole.Stats.Facts - 1})
	require.NoError(t, err)
	require.Equal(t, ldfi.Inconclusive, r.Verdict)
	require.Equal(t, ldfi.LimitFacts, r.Limit.Kind)
	require.NotEmpty(t, r.Limit.Advice)
	require.NotEmpty(t, r.Limit.Growth)
	require.Equal(t, 5, r.Decided)
	require.Len(t, r.Horizons, 5)

	r, err = ldfi.Check(context.Background(), p, b, ldfi.Options{MaxFacts: 1})
	require.NoError(t, err)
	require.Equal(t, ldfi.Inconclusive, r.Verdict)
	require.Equal(t, ldfi.LimitFacts, r.Limit.Kind)
	require.NotEmpty(t, r.Limit.Growth, "the executor knows which relations grew, too")
	require.Zero(t, r.Decided)
}

func TestALimitOnGatesIsInconclusive(t *testing.T) {
	p, b := parse(t, gossip)
	r, err := ldfi.Check(context.Background(), p, b, ldfi.Options{MaxGates: 30})
	require.NoError(t, err)
	require.Equal(t, ldfi.Inconclusive, r.Verdict)
	require.Equal(t, ldfi.LimitGates, r.Limit.Kind)
	require.Positive(t, r.Decided)
}

func TestAViolationBeforeALimitIsReported(t *testing.T) {
	p, b := parse(t, retry)
	whole, err := ldfi.Check(context.Background(), p, b, ldfi.Options{})
	require.NoError(t, err)
	require.Equal(t, ldfi.Violated, whole.Verdict)

	r, err := ldfi.Check(context.Background(), p, b, ldfi.Options{MaxGates: 30})
	require.NoError(t, err)
	require.Equal(t, ldfi.Violated, r.Verdict)
	require.Equal(t, ldfi.LimitGates, r.Limit.Kind)
	require.Equal(t, 6, r.Decided)
	require.False(t, r.Counterexamples[0].Minimal)
	require.True(t, r.Counterexamples[0].Confirmed)
}

func TestAContextThatIsOver(t *testing.T) {
	p, b := parse(t, gossip)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := ldfi.Check(cancelled, p, b, ldfi.Options{})
	require.NoError(t, err)
	require.Equal(t, ldfi.Inconclusive, r.Verdict)
	require.Equal(t, ldfi.LimitInterrupted, r.Limit.Kind)
	require.Zero(t, r.Decided)

	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	r, err = ldfi.Check(late, p, b, ldfi.Options{})
	require.NoError(t, err)
	require.Equal(t, ldfi.Inconclusive, r.Verdict)
	require.Equal(t, ldfi.LimitTimeout, r.Limit.Kind)

	h, err := ldfi.Hypotheses(cancelled, p, b, nil, nil, ldfi.Options{})
	require.NoError(t, err)
	require.Equal(t, ldfi.LimitInterrupted, h.Limit.Kind)
	require.Empty(t, h.Hypotheses)
	require.Nil(t, h.Conflict)

	_, err = ldfi.Inject(cancelled, p, b, rounds.Schedule{}, ldfi.Options{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = ldfi.Vet(cancelled, p, b, false, ldfi.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestCancelledAtEveryStep cancels at the first, second, third... progress.
func TestCancelledAtEveryStep(t *testing.T) {
	p, b := parse(t, retry)
	whole, err := ldfi.Check(context.Background(), p, b, ldfi.Options{Max: everySet})
	require.NoError(t, err)
	cause := context.CancelCauseFunc(nil)
	for step, done := 1, false; !done; step++ {
		ctx, cancel := context.WithCancelCause(context.Background())
		cause = cancel
		told := 0
		r, err := ldfi.Check(ctx, p, b, ldfi.Options{Max: everySet, Progress: func(ldfi.Progress) {
			if told++; told == step {
				cause(errSignal)
			}
		}})
		require.NoError(t, err)
		done = told < step
		if r.Limit == nil {
			require.Equal(t, ldfi.Violated, r.Verdict)
			require.Equal(t, whole.Counterexamples, r.Counterexamples)
			continue
		}
		require.Equal(t, ldfi.LimitInterrupted, r.Limit.Kind)
		require.Equal(t, len(r.Counterexamples) > 0, r.Verdict == ldfi.Violated)
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
