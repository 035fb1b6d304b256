package bubble_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/internal/bubble"
)

// Bubbles that leave a goroutine each do not cost the more the more there were: only
// some are looked at once they are many, and that is said.
func TestManyGoroutinesAreLeft(t *testing.T) {
	bubble.LookAgain()
	defer bubble.LookAgain()
	named, others := 0, 0
	for range 1500 {
		b := bubble.Start(bubble.Options{})
		b.Do(func() { go waitForever(make(chan int)); synctest.Wait() })
		left := b.End()
		require.Len(t, left, 1)
		if len(left[0].Stack) > 0 {
			named++
		} else {
			require.Contains(t, left[0].String(), "only some are looked at from here on")
			others++
		}
	}
	require.Positive(t, named)
	require.GreaterOrEqual(t, others, 900)
}
