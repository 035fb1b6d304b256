package bubble_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/stretchr/testify/require"
)

// The clock of a bubble goes on while it is told to, and stands still between calls.
func TestClockStandsStillBetweenCalls(t *testing.T) {
	b := bubble.Start(bubble.Options{Owner: "a"})
	require.Equal(t, "a", b.Owner())
	var ticks atomic.Int64
	stop := make(chan struct{})
	var start time.Time
	b.Do(func() {
		start = time.Now()
		stop = make(chan struct{})
		go func() {
			ticker := time.NewTicker(10 * time.Millisecond)
			defer ticker.Stop()
			for {
				select {
				case <-ticker.C:
					ticks.Add(1)
				case <-stop:
					return
				}
			}
		}()
		synctest.Wait()
	})
	for round := 1; round <= 5; round++ {
		time.Sleep(2 * time.Millisecond)
		var now time.Time
		b.Do(func() { time.Sleep(20 * time.Millisecond); synctest.Wait(); now = time.Now() })
		require.EqualValues(t, 2*round, ticks.Load())
		require.Equal(t, time.Duration(round)*20*time.Millisecond, now.Sub(start))
	}
	b.Do(func() { close(stop) })
	require.Empty(t, b.End())
	require.Empty(t, b.End(), "it can be ended twice")
}

// A goroutine that is left in a bubble is named, with what it does.
func TestGoroutinesThatAreLeft(t *testing.T) {
	other := bubble.Start(bubble.Options{})
	b := bubble.Start(bubble.Options{})
	b.Do(func() { go waitForever(make(chan int)); synctest.Wait() })
	left := b.End()
	require.Len(t, left, 1)
	require.Contains(t, left[0].String(), "chan receive (durable) in bubble_test.waitForever at bubble/bubble_test.go:")
	require.Empty(t, other.End())
}

func waitForever(c chan int) { <-c }
