package strategies

import (
	"context"
	"math/big"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// drawn is how schedules are drawn.
type drawn struct {
	draw func(schedules.Chance) rounds.Schedule

	// least is a probability that each schedule within the bounds has at least.
	least *big.Rat
}

// strategy returns a strategy that draws every schedule independently.
func strategy(name string, of func(rounds.Bounds) drawn) *search.Strategy {
	needs := search.Needs{Phases: name == "spread" || name == "uniform"}
	begin := func(s *search.Session) *drawing {
		d := &drawing{Session: s, drawn: of(s.Bounds), of: of, text: "drawing schedules"}
		d.schedule, s.Redraw = d.random, d.redraw
		return d
	}
	return &search.Strategy{Name: name, Needs: needs, Draws: true,
		Search: func(ctx context.Context, s *search.Session) (*result.Answer, error) {
			d := begin(s)
			a, err := d.search(ctx)
			if err == nil && a.Verdict == result.Inconclusive && (s.Guide == nil || !unfaulted(s.Bounds)) {
				promise(ctx, s, a.Search, d.least)
			}
			return a, err
		},
		Part: func(ctx context.Context, s *search.Session, p search.Part) (*search.Stretch, error) {
			return begin(s).part(ctx, p)
		},
	}
}

// drawing is a search that executes one schedule after the other. Execution i depends on
// the seed and i alone, and the first execution that violates a property is reported, so
// that the number of workers makes no difference.
type drawing struct {
	*search.Session
	drawn
	of       func(rounds.Bounds) drawn
	schedule func(i int64) rounds.Schedule // without the settings of the session
	skip     func(first int64)             // called when no schedule before first is needed any more; nil: no call is needed

	text string // the current work

	next atomic.Int64
	done atomic.Int64
	best atomic.Int64 // the first execution that ended the search

	reported atomic.Int64 // when it was said how many executions there were

	turns *search.Turns

	mutex    sync.Mutex
	found    rounds.Schedule      // of best
	seen     *recording.Execution // of best
	violates []result.Violation   // of best
	err      error                // of best
}

// search executes schedules until one violates a property.
func (d *drawing) search(ctx context.Context) (*result.Answer, error) {
	budget, first := d.Options.Executions, 0
	if k := d.Known; k != nil {
		if err := d.Learn(k); err != nil {
			return nil, err
		}
		first = k.End
	}
	if err := d.execute(ctx, first, budget); err != nil {
		return nil, err
	}
	switch best := int(d.best.Load()); {
	case d.err != nil:
		return nil, d.err
	case best < budget:
		d.Seen, d.Violates = d.seen, d.violates
		d.Forget(best)
		a := d.Answer(best + 1)
		return a, d.Violated(ctx, a, d.found)
	}
	a := d.Answer(int(d.done.Load()))
	search.Stop(a, result.LimitExecutions, "none of %d executions violates %s", a.Search.Executions, d.Something())
	if ctx.Err() != nil {
		none := a.Limit.Reason
		a.Limit = d.Ended(ctx)
		a.Limit.Reason += ": " + none
	}
	return a, nil
}

// part makes some of the executions, until one ends the search.
func (d *drawing) part(ctx context.Context, p search.Part) (*search.Stretch, error) {
	if err := p.Check(d.Options.Executions); err != nil {
		return nil, err
	}
	p.End = min(p.End, d.Options.Executions)
	if err := d.execute(ctx, p.First, p.End); err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // some were not finished
		return nil, ctx.Err()
	}
	best := int(d.best.Load())
	k := d.Stretch(p.First, best)
	k.Ended = best < p.End
	return k, nil
}

// execute makes the executions from first to end, until one ends the search.
func (d *drawing) execute(ctx context.Context, first, end int) error {
	d.next.Store(int64(first))
	d.done.Store(int64(first))
	d.best.Store(int64(end))
	d.reported.Store(time.Now().UnixNano())
	d.turns = search.NewTurns()
	if d.skip != nil {
		d.skip(int64(first))
	}
	var workers sync.WaitGroup
	for range min(d.Workers, end-first) {
		x, err := d.Guided(d.Statistics)
		if err != nil {
			return err
		}
		workers.Go(func() { d.work(ctx, x) })
	}
	workers.Wait()
	return nil
}

// work executes schedules until an earlier one has ended the search.
func (d *drawing) work(ctx context.Context, x search.Executor) {
	for ctx.Err() == nil {
		i := d.next.Add(1) - 1
		if d.turns.Wait(int(i)); i >= d.best.Load() || ctx.Err() != nil {
			return
		}
		s, ctx := d.With(d.schedule(i)), d.For(ctx, search.ToFind, int(i))
		e, violations, err := x.Execute(ctx, s)
		if ctx.Err() != nil {
			return
		}
		d.Count(int(i), e)
		d.report(int(d.done.Add(1)))
		broken := false
		if len(violations) > 0 {
			broken, err = d.turns.Take(int(i), func() (bool, error) {
				broken, err := d.Stands(ctx, int(i), e, violations)
				if ctx.Err() == nil && (err != nil || broken) {
					d.end(i, s, e, violations, err)
				}
				return broken, err
			})
			if ctx.Err() != nil {
				return
			}
		}
		if err != nil || broken {
			d.end(i, s, e, violations, err)
		}
	}
}

// random draws the schedule of an execution.
func (d *drawing) random(i int64) rounds.Schedule {
	random := rand.New(rand.NewPCG(d.Seed, uint64(i)))
	s := d.draw(schedules.Dice{Rand: random})
	d.settings(&s, random)
	return s
}

// settings draws the seed of a schedule and, if it has one, the order of goroutines.
func (d *drawing) settings(s *rounds.Schedule, random *rand.Rand) {
	s.Settings.Seed = rounds.Set(uint64(random.Uint32()))
	if d.GoroutineOrders {
		s.Settings.Goroutines = rounds.Set(uint64(random.Uint32()))
	}
}

// report says now and then how many executions there were.
func (d *drawing) report(n int) {
	now, last := time.Now().UnixNano(), d.reported.Load()
	if n%100 != 0 && now-last < int64(time.Second) || !d.reported.CompareAndSwap(last, now) {
		return
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.Progress(result.Progress{Executions: n, Text: d.text})
}

// end says that an execution ends the search, unless an earlier one does.
func (d *drawing) end(i int64, s rounds.Schedule, e *recording.Execution, violations []result.Violation, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if i < d.best.Load() {
		d.best.Store(i)
		if d.Guide != nil && e != nil {
			s = e.Schedule // with what was decided
		}
		d.found, d.seen, d.violates, d.err = s, e, violations, err
	}
}

// redraw returns a function that draws schedules with at most the given number of faults,
// each from the seed and its number alone: it draws within bounds that allow that many faults
// of each kind, and removes some faults if there are too many.
func (d *drawing) redraw(faults int) func(number uint64) rounds.Schedule {
	fewer, fewest := d.of(capped(d.Bounds, faults)), schedules.New(d.Bounds)
	return func(number uint64) rounds.Schedule {
		random := rand.New(rand.NewPCG(d.Seed, number))
		s := fewer.draw(schedules.Dice{Rand: random})
		d.settings(&s, random)
		for s.Size() > faults {
			s = schedules.WithoutTurn(s, random.IntN(s.Size()))
		}
		return d.With(fewest.Thin(random, s))
	}
}

// capped returns bounds that allow at most the given number of faults of each kind.
func capped(b rounds.Bounds, faults int) rounds.Bounds {
	for _, budget := range []*int{&b.Crashes, &b.Isolations, &b.Omissions, &b.Restarts, &b.Pauses, &b.Partitions, &b.FastClocks, &b.SlowClocks, &b.Jumps, &b.FailedSyncs, &b.Terminations, &b.Cuts, &b.Delays, &b.Duplicates, &b.Orders} {
		if *budget == rounds.Unlimited || *budget > faults {
			*budget = faults
		}
	}
	b.Implied = false
	return b
}

// Uniform draws each schedule within the bounds with the same probability.
var Uniform = strategy("uniform", drawUniform)

func drawUniform(b rounds.Bounds) drawn {
	return drawn{schedules.New(b).Uniform().Draw, oneIn(schedules.Count(b))}
}

func oneIn(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(big.NewInt(1), n) }
