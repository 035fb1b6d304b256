package strategies

import (
	"context"
	"math/big"
	"math/rand/v2"
	"sync"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Ahead continues schedules that reached a waypoint of the guide with faults that are drawn
// behind it. Every eighth schedule is drawn from all.
var Ahead = &search.Strategy{
	Name:   "ahead",
	Draws:  true,
	Guided: true,
	Search: ahead,
}

// The schedules of a batch depend on the executions before it only, so that the number of
// workers makes no difference. Of each waypoint so many schedules are kept.
const (
	batch      = 32
	keptOfEach = 64
)

// milestone is a schedule up to a round in which a waypoint was reached.
type milestone struct {
	schedule rounds.Schedule
	round    int
}

// explorer is a search that continues schedules.
type explorer struct {
	*search.Session
	spread drawn
	kept   [][]milestone // by waypoint, from the first
}

func ahead(ctx context.Context, s *search.Session) (*result.Answer, error) {
	x := &explorer{Session: s, spread: drawSpread(s.Bounds), kept: make([][]milestone, s.Guide.Waypoints())}
	executors := make([]search.Executor, min(s.Workers, batch))
	for i := range executors {
		var err error
		if executors[i], err = s.Guided(s.Statistics); err != nil {
			return nil, err
		}
	}
	made := 0
	for made < s.Options.Executions && ctx.Err() == nil {
		found, err := x.batch(ctx, executors, made, min(batch, s.Options.Executions-made))
		if err != nil || found != nil {
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return nil, err
			}
			s.Seen, s.Violates = found.recording, found.violations
			s.Forget(found.number)
			a := s.Answer(found.number + 1)
			return a, s.Violated(ctx, a, found.recording.Schedule)
		}
		made = min(made+batch, s.Options.Executions)
		s.Progress(result.Progress{Executions: made, Text: "going on from waypoints"})
	}
	a := s.Answer(made)
	search.Stop(a, result.LimitExecutions, "none of %d executions violates %s", made, s.Something())
	if ctx.Err() != nil {
		a.Limit = s.Ended(ctx)
	}
	promise(ctx, s, a.Search, new(big.Rat).Mul(x.spread.least, big.NewRat(1, unguidedOneIn)))
	return a, nil
}

// trial is one execution.
type trial struct {
	number     int
	schedule   rounds.Schedule // without what the guide decides
	recording  *recording.Execution
	violations []result.Violation
	err        error
}

// batch makes the executions from first on. It returns the first one that violates a property.
func (x *explorer) batch(ctx context.Context, executors []search.Executor, first, n int) (*trial, error) {
	trials := make([]trial, n)
	for i := range trials {
		random := rand.New(rand.NewPCG(x.Seed, uint64(first+i)))
		trials[i] = trial{number: first + i, schedule: x.With(x.draw(random, first+i))}
	}
	var workers sync.WaitGroup
	for w, executor := range executors {
		workers.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += len(executors) {
				t := &trials[i]
				t.recording, t.violations, t.err = executor.Execute(x.For(ctx, search.ToFind, t.number), t.schedule)
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i := range trials {
		t := &trials[i]
		if t.err != nil {
			return nil, t.err
		}
		x.Count(t.number, t.recording)
		if len(t.violations) > 0 {
			if broken, err := x.Stands(ctx, t.number, t.recording, t.violations); err != nil || broken {
				return t, err
			}
		}
		x.keep(t)
	}
	return nil, nil
}

// keep keeps what led to the waypoints that an execution reached.
func (x *explorer) keep(t *trial) {
	for i, round := range x.Waypoints(t.number) {
		p := milestone{until(t.schedule, round), round}
		if len(x.kept[i]) < keptOfEach {
			x.kept[i] = append(x.kept[i], p)
		} else {
			x.kept[i][t.number%keptOfEach] = p
		}
	}
}

// until returns the faults of a schedule that begin at most in a round.
func until(s rounds.Schedule, round int) rounds.Schedule {
	cut := rounds.Schedule{Settings: s.Settings}
	for _, f := range s.Faults {
		if f.Round <= round {
			cut.Faults = append(cut.Faults, f)
		}
	}
	return cut
}

// draw draws the schedule of an execution.
func (x *explorer) draw(random *rand.Rand, number int) rounds.Schedule {
	s := x.spread.draw(schedules.Dice{Rand: random})
	s.Settings.Seed = rounds.Set(uint64(random.Uint32()))
	if x.GoroutineOrders {
		s.Settings.Goroutines = rounds.Set(uint64(random.Uint32()))
	}
	last := len(x.kept) - 1
	for last >= 0 && len(x.kept[last]) == 0 {
		last--
	}
	if number%unguidedOneIn == unguidedOneIn-1 || last < 0 {
		return s
	}
	if random.IntN(4) == 0 {
		last = random.IntN(last + 1) // not only from the farthest
	}
	from := x.kept[last][random.IntN(len(x.kept[last]))]
	return x.continued(random, from, s)
}

// continued returns the schedule up to a waypoint, with the later faults of another. If the
// bounds do not allow all of these, some are left out.
func (x *explorer) continued(random *rand.Rand, from milestone, other rounds.Schedule) rounds.Schedule {
	s := rounds.Schedule{Settings: from.schedule.Settings, Faults: append([]rounds.Fault(nil), from.schedule.Faults...)}
	if !s.Settings.Reseed.Given && from.round < x.Bounds.EOT {
		s.Settings.Reseed, s.Settings.ReseedFrom = rounds.Set(uint64(random.Uint32())), from.round+1
	}
	var later []rounds.Fault
	for _, f := range other.Faults {
		if f.Round > from.round {
			later = append(later, f)
		}
	}
	for {
		both := rounds.Schedule{Settings: s.Settings, Faults: append(s.Faults[:len(s.Faults):len(s.Faults)], later...)}
		if len(later) == 0 || schedules.WithinSystem(both, x.Bounds) == nil {
			return both
		}
		i := random.IntN(len(later))
		later = append(later[:i], later[i+1:]...)
	}
}
