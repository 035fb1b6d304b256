package subject

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// workers do units in this process, some later than others.
type workers struct {
	t      testing.TB
	system *system.System
	ask    search.Options
	late   func() time.Duration                          // how long an answer takes to come back; nil: no time
	change func(search.Part, *Draws, *work.Result) error // of what comes back; nil: nothing

	mutex   sync.Mutex
	done    []search.Part
	undone  []search.Part // were not needed any more
	doubted []string
	kept    []string
}

func (w *workers) Slots() int    { return 3 }
func (w *workers) Build() string { return "b1" }

func (w *workers) Doubt(_ *work.Unit, _ *work.Result, _ func(string) ([]byte, error), why error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.doubted = append(w.doubted, why.Error())
}

func (w *workers) Here(why string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.kept = append(w.kept, why)
}

func (w *workers) Do(ctx context.Context, u *work.Unit, _ time.Duration, _ func(string) ([]byte, error)) (*work.Result, error) {
	var p search.Part
	require.NoError(w.t, json.Unmarshal(u.Ask, &p))
	var wait time.Duration
	w.mutex.Lock()
	if w.late != nil {
		wait = w.late()
	}
	w.mutex.Unlock()
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	k, err := w.part(ctx, p)
	if ctx.Err() != nil {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.undone = append(w.undone, p)
		return nil, ctx.Err()
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.done = append(w.done, p)
	r := &work.Result{Address: u.Address(), Worker: "one"}
	a := &Draws{Stretch: k, Took: time.Duration(p.End-p.First) * 3 * time.Millisecond}
	if err != nil {
		r.Failure = err.Error()
	}
	if w.change != nil {
		if err := w.change(p, a, r); err != nil {
			return nil, err
		}
	}
	if r.Failure == "" && r.Answer == nil {
		r.Answer, err = json.Marshal(a)
		require.NoError(w.t, err)
	}
	return r, nil
}

// part makes some executions, of a system that nobody else looks at.
func (w *workers) part(ctx context.Context, p search.Part) (*search.Stretch, error) {
	target, err := search.NewTarget(w.system, nil)
	require.NoError(w.t, err)
	return strategies.Part(ctx, target, w.ask, p)
}

// spread is what hands out to these workers. A first execution takes a second by its clock.
func (w *workers) spread() *spread {
	var now time.Time
	return &spread{
		Hands: w,
		Unit: func(p search.Part) (*work.Unit, error) {
			ask, err := json.Marshal(p)
			return &work.Unit{Kind: work.Draws, Build: "b1", Ask: ask}, err
		},
		Here: w.part,
		Believe: func(k *search.Stretch, p search.Part) error {
			if k.First != p.First || !k.Ended && k.End != min(p.End, k.All) || k.Ended && k.End >= p.End {
				return errors.New("that is another part")
			}
			return k.Check(w.ask.Bounds.EOT)
		},
		clock: func() time.Time { now = now.Add(time.Second); return now },
	}
}

// ask asks as it would be asked without workers, and with them.
func (w *workers) asked(ctx context.Context) (alone, together string, known *search.Stretch) {
	target, err := search.NewTarget(w.system, nil)
	require.NoError(w.t, err)
	w.ask.Bounds = target.DefaultBounds(w.ask.Bounds)
	answer := func() string {
		a, err := strategies.Run(ctx, target, w.ask)
		require.NoError(w.t, err)
		text, err := json.Marshal(a)
		require.NoError(w.t, err)
		return string(text)
	}
	alone = answer()
	known, err = w.spread().Known(ctx)
	require.NoError(w.t, err)
	target, err = search.NewTarget(w.system, nil)
	require.NoError(w.t, err)
	w.ask.Known = known
	together = answer()
	w.ask.Known = nil
	return alone, together, known
}

// jitter lets answers come back in any order.
func jitter(r *rand.Rand) func() time.Duration {
	return func() time.Duration { return time.Duration(r.IntN(3)) * time.Millisecond }
}

// Whoever makes the executions, and in whatever order they come back, the answer is the
// same. A violation takes back what lies behind it.
func TestSameAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	handed, undone := 0, 0
	for _, s := range []*system.System{replog.Buggy(), replog.Fixed(), election.Buggy(), election.Fixed()} {
		for _, strategy := range []string{"spread", "uniform", "sample", "enumerate"} {
			for range 3 {
				w := &workers{t: t, system: s, late: jitter(r), ask: search.Options{Strategy: strategy, Seed: r.Uint64(), Executions: 1 + r.IntN(400), Statistics: r.IntN(2) == 0}}
				alone, together, known := w.asked(t.Context())
				require.Equal(t, alone, together)
				require.True(t, known.Ended || known.End == known.All, "all was found out by workers")
				require.Empty(t, w.doubted)
				handed, undone = handed+len(w.done), undone+len(w.undone)
			}
		}
	}
	require.Greater(t, handed, 100)
	require.Positive(t, undone)
}

// What workers refuse, fail at, garble or lie about is made here, and lies are told.
func TestHostileWorkers(t *testing.T) {
	for name, c := range map[string]struct {
		change func(search.Part, *Draws, *work.Result) error
		says   string // of whom is doubted
	}{
		"refused": {func(search.Part, *Draws, *work.Result) error { return &work.RefusedError{Reason: "the store is full"} }, ""},
		"no answer": {func(_ search.Part, _ *Draws, r *work.Result) error {
			r.Failure = "it cannot be asked"
			return nil
		}, ""},
		"garbled": {func(_ search.Part, _ *Draws, r *work.Result) error {
			r.Answer = json.RawMessage(`{"stretch":7}`)
			return nil
		}, "cannot be read"},
		"empty": {func(_ search.Part, _ *Draws, r *work.Result) error {
			r.Answer = json.RawMessage(`{}`)
			return nil
		}, "does not say"},
		"another part": {func(_ search.Part, a *Draws, _ *work.Result) error {
			a.Stretch.First++
			return nil
		}, "another part"},
		"a violation that is none": {func(p search.Part, a *Draws, _ *work.Result) error {
			if !a.Stretch.Ended {
				a.Stretch.Ended, a.Stretch.End = true, p.First
			}
			return nil
		}, "violates nothing, though it says so"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range []*system.System{replog.Buggy(), replog.Fixed()} {
				w := &workers{t: t, system: s, change: c.change, ask: search.Options{Strategy: "uniform", Seed: 9, Executions: 70}}
				alone, together, known := w.asked(t.Context())
				require.Equal(t, alone, together)
				require.True(t, known.Ended || known.End == known.All)
				if c.says == "" {
					require.Empty(t, w.doubted)
				} else if !known.Ended {
					require.NotEmpty(t, w.doubted)
					require.Contains(t, w.doubted[0], c.says)
				}
			}
		})
	}
}

// Executions that nobody could make end what is known, unless the search ends before.
func TestSetAside(t *testing.T) {
	w := &workers{t: t, system: replog.Fixed(), ask: search.Options{Strategy: "uniform", Executions: 300}}
	w.ask.Bounds = bounds(t, w.system)
	w.change = func(p search.Part, _ *Draws, r *work.Result) error {
		if p.First >= 16 {
			r.Failure, r.Tries = "it needs too much memory", 3
		}
		return nil
	}
	known, err := w.spread().Known(t.Context())
	require.EqualError(t, err, "executions 16 to 31 were set aside after 3 tries: it needs too much memory")
	require.Equal(t, 16, known.End)

	w.change = func(_ search.Part, _ *Draws, r *work.Result) error { return errors.New("there is no server") }
	_, err = w.spread().Known(t.Context())
	require.EqualError(t, err, "there is no server")
}

func bounds(t *testing.T, s *system.System) rounds.Bounds {
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	return target.DefaultBounds(rounds.Bounds{})
}

// When the time is up, what is known is told.
func TestEnded(t *testing.T) {
	w := &workers{t: t, system: replog.Fixed(), ask: search.Options{Strategy: "uniform", Executions: 100_000}}
	w.ask.Bounds = bounds(t, w.system)
	ctx, cancel := context.WithCancel(t.Context())
	w.change = func(p search.Part, _ *Draws, _ *work.Result) error {
		if p.First > 100 {
			cancel()
		}
		return nil
	}
	known, err := w.spread().Known(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Positive(t, known.End)
	require.Less(t, known.End, 100_000)
}

// What cannot be made in parts, and what takes no time, is not handed out.
func TestNotHandedOut(t *testing.T) {
	w := &workers{t: t, system: replog.Fixed(), ask: search.Options{Strategy: "learn"}}
	known, err := w.spread().Known(t.Context())
	require.NoError(t, err)
	require.Nil(t, known)
	require.Equal(t, []string{"strategy learn cannot search in parts: what it executes depends on what was executed before"}, w.kept)

	w = &workers{t: t, system: replog.Fixed(), ask: search.Options{Strategy: "uniform", Executions: 1000, Bounds: bounds(t, replog.Fixed())}}
	s := w.spread()
	s.clock = func() time.Time { return time.Time{} } // nothing takes any time
	known, err = s.Known(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1000, known.End)
	require.Empty(t, w.done)
}

// An execution that is marked as not exact ends it: what others found out says nothing.
func TestNotExact(t *testing.T) {
	w := &workers{t: t, system: replog.Fixed(), ask: search.Options{Strategy: "uniform", Executions: 100, Bounds: bounds(t, replog.Fixed())}}
	w.change = func(_ search.Part, a *Draws, _ *work.Result) error {
		a.Stretch.Inexact = "memory ran short"
		return nil
	}
	known, err := w.spread().Known(t.Context())
	require.NoError(t, err)
	require.Nil(t, known)
	require.Equal(t, []string{"executions of one schedule may differ, because memory ran short"}, w.kept)
}
