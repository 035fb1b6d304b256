package limits_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/stretchr/testify/require"
)

// Work that comes back before its context ends, or soon after, has its say.
func TestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for _, ctx := range []context.Context{context.Background(), ctx} {
			n, err := limits.Await(ctx, time.Second, func() (int, error) { return 7, nil })
			require.NoError(t, err)
			require.Equal(t, 7, n)
			failed := errors.New("no")
			_, err = limits.Await(ctx, time.Second, func() (int, error) { return 0, failed })
			require.Equal(t, failed, err)
		}
		n, err := limits.Await(ctx, time.Second, func() (int, error) { time.Sleep(1500 * time.Millisecond); return 7, nil })
		require.NoError(t, err)
		require.Equal(t, 7, n)
	})
}

// Work that does not end is left when its time is over.
func TestLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		release := make(chan struct{})
		began := time.Now()
		_, err := limits.Await(ctx, time.Second, func() (int, error) { <-release; return 7, nil })
		require.Equal(t, 2*time.Second, time.Since(began))
		var left *limits.LeftError
		require.ErrorAs(t, err, &left)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		close(release)
	})
}

// What turns out to take longer to come back says so.
func TestLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(limits.WithLonger(t.Context()), time.Second)
		defer cancel()
		n, err := limits.Await(ctx, time.Second, func() (int, error) {
			limits.Longer(ctx, 5*time.Second)
			time.Sleep(6 * time.Second)
			return 7, nil
		})
		require.NoError(t, err)
		require.Equal(t, 7, n)
		limits.Longer(t.Context(), time.Second) // nobody awaits longer
	})
}
