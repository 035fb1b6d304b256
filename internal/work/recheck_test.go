package work_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/stretchr/testify/require"
)

// even is a judge to whom an answer is true if it is even.
type even struct{ asked *atomic.Int64 }

func (e even) Again(_ context.Context, _ *work.Unit, _ func(string) ([]byte, error), answer json.RawMessage) (string, error) {
	e.asked.Add(1)
	if answer[len(answer)-1]%2 == 0 {
		return "", nil
	}
	return "it is odd", nil
}

// rechecking asks this part of the answers again.
func rechecking(rate float64) (func(*work.Options), *atomic.Int64) {
	asked := &atomic.Int64{}
	return func(o *work.Options) { o.Rate, o.Judge = rate, even{asked} }, asked
}

// Answers are asked again at the rate that is wanted; what ended before it was one is not.
func TestRecheckRate(t *testing.T) {
	for _, test := range []struct{ rate, low, high float64 }{{0, 0, 0}, {1, 400, 400}, {0.5, 120, 280}} {
		change, asked := rechecking(test.rate)
		c := begun(t, "lying", change)
		for n := range 400 {
			_, err := c.Do(t.Context(), question(n%50*2), 0, nothing)
			require.NoError(t, err)
		}
		_, err := c.Do(t.Context(), question(101), time.Second, nothing) // which takes longer
		require.NoError(t, err)
		require.NoError(t, c.Settle(t.Context()))
		require.GreaterOrEqual(t, float64(asked.Load()), test.low)
		require.LessOrEqual(t, float64(asked.Load()), test.high)
		require.Contains(t, c.Computed(), "liar (401 units); ")
		require.NoError(t, c.Close())
	}
}

// once is a judge to whom nothing looks true the first time.
type once struct{ asked *atomic.Int64 }

func (o once) Again(context.Context, *work.Unit, func(string) ([]byte, error), json.RawMessage) (string, error) {
	if o.asked.Add(1)%2 == 1 {
		return "it is odd", nil
	}
	return "", nil
}

// hearing are options by which what is said is heard.
func hearing() (func(*work.Options), func() []string) {
	var mutex sync.Mutex
	var said []string
	return func(o *work.Options) {
			o.Warn = func(line string) { mutex.Lock(); defer mutex.Unlock(); said = append(said, line) }
		}, func() []string {
			mutex.Lock()
			defer mutex.Unlock()
			return slices.Clone(said)
		}
}

const accused = "ldfi-cluster: exit status 1: distrusts liar"

// An answer that is not true, when it was asked twice more, is an error that names who gave
// it, and for what; no further unit is handed out, and the other side is told whom not to
// believe.
func TestLie(t *testing.T) {
	change, asked := rechecking(1)
	c := begun(t, "lying", change)
	u := question(7)
	_, err := c.Do(t.Context(), u, 0, nothing)
	require.NoError(t, err) // it is not waited for
	err = c.Settle(t.Context())
	require.ErrorAs(t, err, new(*work.LieError))
	require.ErrorContains(t, err, "the worker liar gives a wrong result: for the unit search "+u.Address()[:12]+" this machine gets another one: it is odd\n")
	require.EqualValues(t, 2, asked.Load())
	_, again := c.Do(t.Context(), question(8), 0, nothing)
	require.Equal(t, err, again)
	require.EqualError(t, c.Close(), accused)
}

// A machine that comes to one answer, and then to another one, accuses nobody.
func TestTwoAnswers(t *testing.T) {
	hear, said := hearing()
	judge := once{new(atomic.Int64)}
	c := begun(t, "lying", hear, func(o *work.Options) { o.Rate, o.Judge = 1, judge })
	u := question(7)
	_, err := c.Do(t.Context(), u, 0, nothing)
	require.NoError(t, err)
	require.NoError(t, c.Settle(t.Context()))
	require.Contains(t, said(), "the answer to the unit search "+u.Address()[:12]+", by liar, looked wrong to this machine (it is odd), and right when it was asked again: look at the memory of this machine")
	_, err = c.Do(t.Context(), question(8), 0, nothing)
	require.NoError(t, err)
	require.NoError(t, c.Settle(t.Context()))
	require.Equal(t, "liar (2 units); 2 of 2 answers rechecked", c.Computed())
	require.NoError(t, c.Close())
}

// Who asked finds out by itself that a counterexample is none, and has another answer. Then
// the worker is not believed any more; but if an answer of it was believed before, it is
// too late for that. It is accused before others only if the answer, asked again, is not true.
func TestDoubt(t *testing.T) {
	change, _ := rechecking(0)
	refused := &work.RefusedError{Reason: "liar, which did it, has given wrong results"}
	doubted := func(n int, limit time.Duration, believed ...int) (*work.Coordinator, func() []string) {
		hear, said := hearing()
		c := begun(t, "lying", change, hear)
		for _, n := range believed {
			_, err := c.Do(t.Context(), question(n), 0, nothing)
			require.NoError(t, err)
		}
		r, err := c.Do(t.Context(), question(n), limit, nothing)
		require.NoError(t, err)
		c.Doubt(question(n), r, nothing, context.Canceled)
		return c, said
	}

	c, said := doubted(101, 0)
	require.NoError(t, c.Settle(t.Context()))
	require.Contains(t, said(), "the worker liar gave a wrong result, and its results are not used any more: context canceled")
	_, err := c.Do(t.Context(), question(2), 0, nothing)
	require.Equal(t, refused, err)
	require.EqualError(t, c.Close(), accused)

	c, _ = doubted(101, 0, 2)
	require.ErrorAs(t, c.Settle(t.Context()), new(*work.LieError))
	require.EqualError(t, c.Close(), accused)

	c, said = doubted(100, 0, 2)
	require.NoError(t, c.Settle(t.Context()))
	require.Contains(t, said()[len(said())-1], "by liar, looked wrong to this machine (context canceled), and right when it was asked again")
	_, err = c.Do(t.Context(), question(2), 0, nothing)
	require.NoError(t, err, "it is believed again")
	require.NoError(t, c.Close())

	c, said = doubted(101, time.Second) // of which nobody else would come to the same
	require.Contains(t, said(), "the worker liar gave a wrong result, and its results are not used any more: context canceled")
	_, err = c.Do(t.Context(), question(2), 0, nothing)
	require.Equal(t, refused, err)
	require.NoError(t, c.Settle(t.Context()))
	require.NoError(t, c.Close())
}

// Of a worker that somebody else has accused some answers are asked again, at every rate: who
// was right shows by them.
func TestAccused(t *testing.T) {
	change, asked := rechecking(0)
	c := begun(t, "accused", change)
	for n := range 30 {
		_, err := c.Do(t.Context(), question(2*n), 0, nothing)
		require.NoError(t, err)
	}
	require.NoError(t, c.Settle(t.Context()))
	require.EqualValues(t, 20, asked.Load())
	require.NoError(t, c.Close())

	c = begun(t, "accused", change)
	_, err := c.Do(t.Context(), question(1), 0, nothing)
	require.NoError(t, err)
	require.ErrorAs(t, c.Settle(t.Context()), new(*work.LieError))
	require.EqualError(t, c.Close(), accused)
}

// Who computed what is known at the end, and what nobody could.
func TestComputed(t *testing.T) {
	change, _ := rechecking(1)
	c := begun(t, "failing", change)
	failed := question(0)
	for _, u := range []*work.Unit{failed, question(2), question(4), question(6), question(8)} {
		_, err := c.Do(t.Context(), u, 0, nothing)
		require.NoError(t, err)
	}
	c.Here("its program is on this machine")
	require.NoError(t, c.Settle(t.Context()))
	require.Equal(t, "one (2 units), two (1 unit), one (1 unit, kept from before), here (1: its program is on this machine); 4 of 4 answers rechecked", c.Computed())
	require.Len(t, c.Failed(), 1)
	require.Equal(t, failed, c.Failed()[0].Unit)
	require.Equal(t, "out of memory", c.Failed()[0].Result.Log)
	require.NoError(t, c.Close())
}

// What the user should know of who is there is said.
func TestWarnings(t *testing.T) {
	said := make(chan string, 10)
	c := begun(t, "strangers", func(o *work.Options) { o.Warn = func(line string) { said <- line } })
	require.Equal(t, "the worker old is ldfi , and gets nothing to do: this is v1", <-said)
	_ = c.Close()
}
