package strategies

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Ahead continues schedules that reached a waypoint of the guide with faults that are drawn
// from its round on. Package tabular chooses the schedules: those that led to a state which was
// visited least. Every eighth schedule is drawn from all.
//
// A state is what each process has reported last or, where nothing is reported, which messages
// arrived in the round.
var Ahead = &search.Strategy{
	Name:   "ahead",
	Draws:  true,
	Guided: true,
	Search: ahead,
}

// The schedules of a batch depend on the executions before it only, so that the number of
// workers makes no difference. Of so many schedules that go on from a milestone one is picked,
// by the kinds of its faults.
const (
	batch  = 32
	drafts = 4
)

// milestone is a schedule up to a round in which a waypoint was reached.
type milestone struct {
	schedule rounds.Schedule
	round    int
}

// explorer is a search that continues schedules.
type explorer struct {
	*search.Session
	spread  drawn
	archive *tabular.Archive[milestone]
	kinds   *tabular.Kinds  // of faults
	seen    map[string]bool // states
}

func ahead(ctx context.Context, s *search.Session) (*result.Answer, error) {
	x := &explorer{
		Session: s, spread: drawSpread(s.Bounds),
		archive: tabular.NewArchive[milestone](s.Guide.Waypoints()), kinds: tabular.NewKinds(), seen: map[string]bool{},
	}
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
	from       int             // the round from which it goes on from another; 0: from none
	recording  *recording.Execution
	violations []result.Violation
	err        error
}

// batch makes the executions from first on. It returns the first one that violates a property.
func (x *explorer) batch(ctx context.Context, executors []search.Executor, first, n int) (*trial, error) {
	trials := make([]trial, n)
	for i := range trials {
		random := rand.New(rand.NewPCG(x.Seed, uint64(first+i)))
		s, from := x.draw(random, first+i)
		trials[i] = trial{number: first + i, schedule: x.With(s), from: from}
	}
	return executed(ctx, x.Session, executors, trials, func(t *trial) error { x.keep(t); return nil })
}

// executed makes executions at the same time, and judges them in their order. It returns the first one that violates a
// property, and tells each of the others.
func executed(ctx context.Context, s *search.Session, executors []search.Executor, trials []trial, each func(*trial) error) (*trial, error) {
	var workers sync.WaitGroup
	for w, executor := range executors {
		workers.Go(func() {
			for i := w; i < len(trials) && ctx.Err() == nil; i += len(executors) {
				t := &trials[i]
				t.recording, t.violations, t.err = executor.Execute(s.For(ctx, search.ToFind, t.number), t.schedule)
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
		s.Count(t.number, t.recording)
		if len(t.violations) > 0 {
			if broken, err := s.Stands(ctx, t.number, t.recording, t.violations); err != nil || broken {
				return t, err
			}
		}
		if err := each(t); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// keep keeps what led to the waypoints that an execution reached, and to the states behind the
// last of them.
func (x *explorer) keep(t *trial) {
	if t.recording == nil {
		return
	}
	states := reported(t.recording, x.Bounds.EOT)
	fresh := make([]bool, len(states))
	for i, state := range states {
		fresh[i], x.seen[state] = !x.seen[state], true
	}
	if t.from > 0 {
		for _, f := range t.schedule.Faults {
			if f.Round >= t.from && f.Round <= len(fresh) {
				x.kinds.Note(f.Kind.String(), fresh[f.Round-1])
			}
		}
	}
	reached := x.Waypoints(t.number)
	for i, round := range reached {
		if i < x.Guide.Waypoints()-1 {
			if round > t.from { // else it was made again, and is kept
				x.archive.Reach(i+1, round, milestone{until(t.schedule, round), round})
			}
			continue
		}
		for round = max(round, t.from); round < x.Bounds.EOT; round++ { // what was made again is no visit
			x.archive.Visit(states[round-1], round, func() milestone { return milestone{until(t.schedule, round), round} })
		}
	}
}

// reported returns the state at the end of each round.
func reported(e *recording.Execution, last int) (states []string) {
	arrived := make([][]string, last+1)
	if len(e.Facts) == 0 {
		for i := range e.Messages {
			m := &e.Messages[i]
			if at := max(m.Arrival, m.Round); !m.Lost && at <= last {
				arrived[at] = append(arrived[at], m.From+">"+m.To+"/"+m.Relation)
			}
		}
	}
	present := map[string]string{} // by process and relation
	facts := e.Facts
	for round := 1; round <= last; round++ {
		for ; len(facts) > 0 && facts[0].Round <= round; facts = facts[1:] {
			f := facts[0]
			if len(f.Args) > 0 {
				f.Round = 0 // since when does not matter
				present[fmt.Sprintf("%q", f.Args[0].Text())+f.Relation] = f.String()
			}
		}
		parts := append(slices.Sorted(maps.Values(present)), arrived[round]...)
		sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
		states = append(states, string(sum[:16]))
	}
	return states
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

// draw draws the schedule of an execution, and says from which round on it goes on from
// another; 0 if it begins anew.
func (x *explorer) draw(random *rand.Rand, number int) (s rounds.Schedule, since int) {
	s = x.spread.draw(schedules.Dice{Rand: random})
	s.Settings.Seed = rounds.Set(uint64(random.Uint32()))
	if x.GoroutineOrders {
		s.Settings.Goroutines = rounds.Set(uint64(random.Uint32()))
	}
	if number%unguidedOneIn == unguidedOneIn-1 {
		return s, 0
	}
	from, ok := x.archive.Choose(random)
	if !ok {
		return s, 0
	}
	options := []rounds.Schedule{x.continued(random, from, s)}
	for len(options) < drafts {
		options = append(options, x.continued(random, from, x.spread.draw(schedules.Dice{Rand: random})))
	}
	kinds := make([][]string, len(options))
	for i, s := range options {
		for _, f := range s.Faults {
			if f.Round >= from.round {
				kinds[i] = append(kinds[i], f.Kind.String())
			}
		}
	}
	for {
		if i := random.IntN(len(options)); x.kinds.Accept(random, kinds, i) {
			return options[i], from.round
		}
	}
}

// continued returns the schedule up to a waypoint, with the later faults of another.
func (x *explorer) continued(random *rand.Rand, from milestone, other rounds.Schedule) rounds.Schedule {
	if s := &from.schedule.Settings; !s.Reseed.Given && from.round < x.Bounds.EOT {
		s.Reseed, s.ReseedFrom = rounds.Set(uint64(random.Uint32())), from.round+1
	}
	return from.with(random, other, x.Bounds)
}

// with adds the later faults of another schedule. If the bounds do not allow all of these, some are left out.
func (from milestone) with(random *rand.Rand, other rounds.Schedule, b rounds.Bounds) rounds.Schedule {
	s := from.schedule
	var later []rounds.Fault
	for _, f := range other.Faults {
		if f.Round >= from.round {
			later = append(later, f)
		}
	}
	for {
		both := rounds.Schedule{Settings: s.Settings, Faults: append(s.Faults[:len(s.Faults):len(s.Faults)], later...)}
		if len(later) == 0 || schedules.WithinSystem(both, b) == nil {
			return both
		}
		i := random.IntN(len(later))
		later = append(later[:i], later[i+1:]...)
	}
}
