package search_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/stretchr/testify/require"
)

// What other executions violate is left alone until the first is decided: if that stands,
// for good.
func TestNobodyIsLookedAtBesideTheFirst(t *testing.T) {
	turns := search.NewTurns()
	looked := make(chan int, 10)
	decide := make(chan bool)
	take := func(n int) <-chan bool {
		done := make(chan bool, 1)
		go func() {
			stands, err := turns.Take(n, func() (bool, error) {
				looked <- n
				return <-decide, nil
			})
			done <- stands && err == nil
		}()
		return done
	}
	third := take(3)
	require.Equal(t, 3, <-looked)
	fifth, fourth := take(5), take(4)
	second := take(2) // it is before the one that is looked at, so it does not wait
	require.Equal(t, 2, <-looked)
	require.Empty(t, looked)
	decide <- true
	decide <- true
	require.True(t, <-second)
	<-third // whichever of both was told first
	require.False(t, <-fourth)
	require.False(t, <-fifth)
	require.Empty(t, looked)
}

// Each that was late lets one more be looked at, and further executions be made meanwhile.
func TestWhatIsLateIsTrusted(t *testing.T) {
	turns := search.NewTurns()
	late := func() (bool, error) { return false, nil }
	failed := func() (bool, error) { return false, errors.New("ended") }
	inside := func(n int, do func()) {
		_, err := turns.Take(n, func() (bool, error) {
			do()
			return false, nil
		})
		require.NoError(t, err)
	}
	_, err := turns.Take(0, failed)
	require.Error(t, err)
	for n := range 3 {
		_, err := turns.Take(n, late)
		require.NoError(t, err)
	}
	inside(10, func() {
		turns.Wait(10 + 3*4) // does not wait
		inside(11, func() { inside(12, func() { inside(13, func() {}) }) })
	})

	fresh := search.NewTurns()
	var mutex sync.Mutex
	var order []string
	note := func(what string) {
		mutex.Lock()
		defer mutex.Unlock()
		order = append(order, what)
	}
	begun, ready := make(chan bool), make(chan bool)
	var all sync.WaitGroup
	all.Go(func() {
		_, _ = fresh.Take(1, func() (bool, error) {
			close(begun)
			<-ready
			note("looked at")
			return false, nil
		})
	})
	<-begun
	all.Go(func() {
		fresh.Wait(2)
		note("executed")
	})
	close(ready)
	all.Wait()
	require.Equal(t, []string{"looked at", "executed"}, slices.Clip(order))
}
