package bisect

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/stretchr/testify/require"
)

// A version that takes too long to build is passed over; one that is interrupted meanwhile
// is built the next time.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		builds := 0
		endless := Version{Name: "v1", prepare: func(ctx context.Context, _ string) (*place, error) {
			builds++
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		w, err := newPreparer([]Version{endless}, nil, &subject.Protocol{})
		require.NoError(t, err)
		defer w.scratch.Remove()

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err = w.prepare(ctx, 0)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		began := time.Now()
		for range 2 {
			_, err = w.prepare(t.Context(), 0)
			require.EqualError(t, err, "it is not built after 10m0s")
		}
		require.Equal(t, 10*time.Minute, time.Since(began), "and that is known the second time")
		require.Equal(t, 2, builds)
	})
}
