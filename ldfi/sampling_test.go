package ldfi

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// ending is a context that ends when it has been asked so many times whether it
// has.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the time is up, a counterexample that was executed comes with its
// execution, which is what is drawn of it, and with the violations that it has.
func TestAHitHasItsExecution(t *testing.T) {
	q := asked(t, lossy, Options{})
	s, err := rounds.ParseSchedule("crash a@3; omit a>b@1; omit b>c@1")
	require.NoError(t, err)
	for left := 0; ; left++ {
		ctx := &ending{t.Context(), left}
		c, err := q.hit(ctx, s)
		if c != nil {
			require.NotNil(t, c.Execution, "with %d questions whether the time is up", left)
			require.NoError(t, err)
			broken, err := q.executor.broken(t.Context(), c.Schedule)
			require.NoError(t, err)
			require.EqualValues(t, q.stated(broken), c.Violations)
		}
		if ctx.left > 0 {
			require.True(t, c.Minimal)
			break
		}
	}
}
