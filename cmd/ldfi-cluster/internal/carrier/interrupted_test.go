package carrier_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/stretchr/testify/require"
)

// stuck begins units and does not end them before their context does.
type stuck struct{ begun, ended atomic.Int64 }

func (s *stuck) do(ctx context.Context, _ *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
	s.begun.Add(1)
	<-ctx.Done()
	s.ended.Add(1)
	return nil, ctx.Err()
}

// wait waits until something holds.
func wait(t *testing.T, within time.Duration, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, within, 10*time.Millisecond, what)
}

// waiting is how many units are in the store.
func (p *place) waiting() int {
	s, err := store.Open(p.t.Context(), p.connect())
	require.NoError(p.t, err)
	n, err := s.Waiting(p.t.Context())
	require.NoError(p.t, err)
	return int(n)
}

// The unit of a worker that dies is given to another one within ten seconds.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	p, s := newPlace(t), &stuck{}
	_, vanish := p.hire("mortal", 1, s.do)
	a := p.ask()
	a.unit(1)
	wait(t, 5*time.Second, "the unit is begun", func() bool { return s.begun.Load() == 1 })
	p.hire("heir", 1, echo)
	vanish()
	r := a.next(10 * time.Second)
	require.Equal(t, "heir", r.Result.Worker)
	require.JSONEq(t, `{"n":1}`, string(r.Result.Answer))
	a.end()
}

// A worker that is told to end gives back its units at once.
func TestWorkerEnds(t *testing.T) {
	t.Parallel()
	p, s := newPlace(t), &stuck{}
	end, _ := p.hire("tired", 1, s.do)
	a := p.ask()
	a.unit(1)
	wait(t, 5*time.Second, "the unit is begun", func() bool { return s.begun.Load() == 1 })
	p.hire("heir", 1, echo)
	end()
	require.EqualValues(t, 1, s.ended.Load())
	require.Equal(t, "heir", a.next(2*time.Second).Result.Worker)
	wait(t, 3*time.Second, "nobody knows the worker any more", func() bool { return len(a.workers.Load().Workers) == 1 })
	a.end()
}

// What nobody needs any more is ended where it is done, and not begun where it waits.
func TestCancel(t *testing.T) {
	t.Parallel()
	p, s := newPlace(t), &stuck{}
	p.hire("one", 1, s.do)
	a := p.ask()
	a.unit(1)
	wait(t, 5*time.Second, "the unit is begun", func() bool { return s.begun.Load() == 1 })
	a.unit(2)
	wait(t, 5*time.Second, "both are there", func() bool { return p.waiting() == 2 })
	a.order(work.Order{Cancel: 2})
	wait(t, 5*time.Second, "one is gone", func() bool { return p.waiting() == 1 })
	require.EqualValues(t, 0, s.ended.Load())
	a.order(work.Order{Cancel: 1})
	wait(t, 2*time.Second, "the other one is ended", func() bool { return s.ended.Load() == 1 })
	wait(t, 2*time.Second, "and gone", func() bool { return p.waiting() == 0 })
	time.Sleep(300 * time.Millisecond)
	require.EqualValues(t, 1, s.begun.Load())
	a.end()
}

// A unit that was ordered twice goes on as long as one of the two needs it.
func TestCancelOneOfTwo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := p.ask()
	a.unit(1)
	a.order(work.Order{Unit: question(1), Number: 2})
	a.order(work.Order{Cancel: 1})
	p.hire("one", 1, echo)
	r := a.next(5 * time.Second)
	require.EqualValues(t, 2, r.Number)
	a.end()
}

// When there are no more orders, or the coordinator is told to end, nothing goes on.
func TestNothingGoesOn(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*asker){
		"orders end": (*asker).end,
		"told to":    func(a *asker) { a.stop(); require.NoError(a.t, <-a.ended) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, s := newPlace(t), &stuck{}
			p.hire("one", 2, s.do)
			a := p.ask()
			for n := range int64(100) {
				a.unit(n + 1)
			}
			wait(t, 5*time.Second, "units are begun", func() bool { return s.begun.Load() == 2 })
			begun := time.Now()
			end(a)
			require.Less(t, time.Since(begun), 700*time.Millisecond)
			wait(t, time.Second, "they are ended", func() bool { return s.ended.Load() == 2 })
			wait(t, time.Second, "nothing is left", func() bool { return p.waiting() == 0 })
			time.Sleep(300 * time.Millisecond)
			require.EqualValues(t, 2, s.begun.Load())
		})
	}
}

// A server that is killed, and started again, costs little but the time between: what was
// being done is delivered, or done again where that takes long; what waited is done once.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	done, free := atomic.Int64{}, make(chan struct{})
	p.hire("one", 2, func(ctx context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		if done.Add(1) <= 2 {
			select {
			case <-free:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return &work.Result{Answer: u.Ask, Final: true}, nil
	})
	a := p.ask()
	for n := range int64(20) {
		a.unit(n + 1)
	}
	wait(t, 5*time.Second, "units are begun", func() bool { return done.Load() == 2 })
	p.stop()
	wait(t, 5*time.Second, "that is said", func() bool { return a.workers.Load().Lost })
	close(free)
	time.Sleep(time.Second)
	p.start()
	for _, r := range a.all(20, 20*time.Second) {
		require.NotNil(t, r.Result, r.Refused)
		require.Empty(t, r.Result.Failure)
	}
	require.GreaterOrEqual(t, done.Load(), int64(20))
	require.LessOrEqual(t, done.Load(), int64(22), "only the two that were being done are done again")
	wait(t, 5*time.Second, "the connection is there", func() bool { return !a.workers.Load().Lost })
	a.end()
}

// A server that has lost what it kept gets it again.
func TestServerForgets(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := p.ask()
	for n := range int64(5) {
		a.unit(n + 1)
	}
	wait(t, 5*time.Second, "all are there", func() bool { return p.waiting() == 5 })
	p.stop()
	p.dir = t.TempDir()
	p.start()
	p.hire("one", 2, echo)
	a.all(5, 30*time.Second)
	a.end()
}

// What comes after a server has lost all it kept is heard, though it counts from the
// beginning again.
func TestServerForgetsResults(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.hire("one", 2, echo)
	a := p.ask()
	for n := range int64(30) {
		a.unit(n + 1)
	}
	a.all(30, 10*time.Second)
	p.stop()
	p.dir = t.TempDir()
	p.start()
	for n := range int64(5) {
		a.unit(n + 31)
	}
	for range 5 {
		require.NotNil(t, a.next(12*time.Second).Result)
	}
	a.end()
}

// A coordinator that was killed, and is started again, does not ask again what was answered.
func TestCoordinatorResumes(t *testing.T) {
	t.Parallel()
	p, done := newPlace(t), atomic.Int64{}
	p.hire("one", 2, func(ctx context.Context, u *work.Unit, file func(string) ([]byte, error)) (*work.Result, error) {
		done.Add(1)
		return echo(ctx, u, file)
	})
	first := p.ask()
	for n := range int64(10) {
		first.unit(n + 1)
	}
	first.all(10, 10*time.Second)
	first.end()
	second := p.ask()
	for n := range int64(20) {
		second.unit(n + 1)
	}
	second.all(20, 10*time.Second)
	require.EqualValues(t, 20, done.Load())
	second.end()
}

// Two coordinators with the same units come to the same, and do not disturb each other.
func TestTwoCoordinators(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.hire("one", 2, func(ctx context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		time.Sleep(5 * time.Millisecond)
		return echo(ctx, u, nil)
	})
	one, two, gone := p.ask(), p.ask(), p.ask()
	for n := range int64(100) {
		one.unit(n + 1)
		two.unit(n + 1)
		gone.unit(n + 1)
	}
	gone.end()
	for n, r := range one.all(100, 20*time.Second) {
		require.Equal(t, question(n).Address(), r.Result.Address)
	}
	two.all(100, 20*time.Second)
	one.end()
	two.end()
}

// The units of a coordinator that is long gone are not begun.
func TestForgottenCoordinator(t *testing.T) {
	t.Parallel()
	p, s := newPlace(t), &stuck{}
	kept, err := store.Open(t.Context(), p.connect())
	require.NoError(t, err)
	u := question(1)
	text, err := work.WriteLine(u)
	require.NoError(t, err)
	require.NoError(t, kept.Hand(store.PlaceOf(u, u.Address(), "gone"), text, 0))
	wait(t, 5*time.Second, "the unit is there", func() bool { return p.waiting() == 1 })
	p.hire("one", 1, s.do)
	wait(t, 5*time.Second, "it is dropped", func() bool { return p.waiting() == 0 })
	require.EqualValues(t, 0, s.begun.Load())
}

// A unit that nobody is to blame for when it fails goes to somebody else, as often as that
// is needed.
func TestBrokenWorker(t *testing.T) {
	t.Parallel()
	p, tries := newPlace(t), atomic.Int64{}
	p.hire("one", 1, func(ctx context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
		if tries.Add(1) < 3 {
			return nil, errors.New("the disk is full")
		}
		return echo(ctx, u, nil)
	})
	a := p.ask()
	a.unit(1)
	require.NotNil(t, a.next(15*time.Second).Result.Answer)
	a.end()
}

// When long units follow many short ones, no slot waits while units wait elsewhere: as many
// as there are slots are done at the same time.
func TestLongAfterShort(t *testing.T) {
	t.Parallel()
	const slots = 6
	var mutex sync.Mutex
	begun, all := map[string]bool{}, make(chan struct{})
	begins := func(unit string) {
		mutex.Lock()
		defer mutex.Unlock()
		if begun[unit] {
			return
		}
		if begun[unit] = true; len(begun) == slots {
			close(all)
		}
	}
	p := newPlace(t)
	for _, name := range []string{"one", "two", "three"} {
		p.hire(name, 2, func(ctx context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
			if u.Kind == work.Draws {
				begins(string(u.Ask))
				select {
				case <-all:
				case <-ctx.Done():
				}
			}
			return echo(ctx, u, nil)
		})
	}
	a := p.ask()
	for n := range int64(100) {
		a.unit(n + 1)
	}
	a.all(100, 10*time.Second)
	for n := range int64(slots) {
		a.order(work.Order{Unit: &work.Unit{Kind: work.Draws, Build: build, Ask: fmt.Appendf(nil, "%d", n)}, Number: 101 + n})
	}
	a.all(slots, 20*time.Second) // none of which ends before the last has begun
	a.end()
}
