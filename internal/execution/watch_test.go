package execution_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What goes on is left alone, however long it takes; what stands still is told;
// and so is where single calls stand, unless that is just changing.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &execution.CallWatch{Exact: true}
		done := make(chan struct{})
		going := &execution.CallCourse{}
		w.Begin(going)
		go func() {
			for round := range 40 {
				going.Round(round)
				time.Sleep(2 * time.Millisecond)
			}
			w.End(going, nil)
			close(done)
		}()
		require.Nil(t, w.Wait(done, 40*time.Millisecond))

		standing := &execution.CallCourse{}
		w.Begin(standing)
		schedule := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "a", Round: 2}}}
		standing.Start(schedule)
		standing.Round(3)
		standing.Call("b", "Send")
		never := make(chan struct{})
		place := w.Wait(never, 10*time.Millisecond)
		require.Equal(t, "crash a@2", place.Schedule.String())
		require.Equal(t, 3, place.Round)
		require.Equal(t, "b", place.Process)
		require.Equal(t, "Send", place.Call)
		w.End(standing, nil)

		aside := &execution.CallCourse{} // it calls what watches itself
		aside.Aside(true)
		w.Begin(aside)
		ends := make(chan struct{})
		time.AfterFunc(time.Hour, func() { close(ends) })
		require.Nil(t, w.Wait(ends, 10*time.Millisecond))
		aside.Aside(false)
		require.NotNil(t, w.Wait(never, 10*time.Millisecond))
		w.End(aside, nil)

		single := &execution.CallCourse{Single: true}
		w.Begin(single)
		looks := 0
		w.Follow(func() (rounds.Schedule, bool) { looks++; return schedule, looks > 3 })
		place = w.Wait(never, 10*time.Millisecond)
		require.Equal(t, "crash a@2", place.Schedule.String())
		require.Equal(t, 4, looks)
		require.Nil(t, w.Left())
		w.End(single, &execution.CallPlace{Process: "b"})
		require.Equal(t, "b", w.Left().Process)
		require.Equal(t, "crash a@2", w.Left().Schedule.String())
	})
}
