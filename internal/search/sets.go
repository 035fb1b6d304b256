package search

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Wanted says which sets of faults are wanted.
type Wanted struct {
	// Does returns the wanted facts or violations of an execution, none if the execution
	// has none; nil: violations of properties are wanted.
	Does func(*recording.Execution) []result.Violation

	// Meets tells whether schedules with some faults are tried, and Shows whether their
	// executions count; nil: all.
	Meets func(rounds.Schedule) bool
	Shows func(*recording.Execution) bool

	Size int // the most faults; 0: any number
	Max  int // the most sets wanted
}

// Sets are wanted sets of faults, none of which contains another, fewest faults first.
type Sets struct {
	Found      []result.Counterexample
	Complete   bool // all schedules were executed that could matter
	Below      int  // all sets with fewer faults were executed
	Executions int

	// Ended are the executions that a process ended, so that what is wanted could not be
	// looked for, and First is the schedule of one of them.
	Ended int
	First rounds.Schedule
}

// Sets executes the schedules within the bounds, fewest faults first, until the budget
// is used up or enough sets were found.
func (s *Session) Sets(ctx context.Context, w Wanted) (*Sets, error) {
	out := &Sets{}
	for size, list := range schedules.New(s.Bounds).BySize() {
		if w.enough(out) {
			return out, nil
		}
		tried, all := s.wanted(ctx, list, w, out)
		found, err := s.does(ctx, tried, w, out)
		if err != nil {
			return out, err
		}
		slices.SortStableFunc(found, func(a, b result.Counterexample) int { return a.Schedule.Choices() - b.Schedule.Choices() })
		for _, c := range found {
			if !out.contains(c.Schedule) { // with fewer choices, which are no faults
				out.Found = append(out.Found, c)
			}
		}
		if !all {
			return out, nil
		}
		if out.Below = size + 1; size == w.Size && size > 0 {
			out.Complete = out.Ended == 0
			return out, nil
		}
	}
	out.Complete = !w.enough(out) && out.Ended == 0
	return out, nil
}

// enough tells whether enough sets were found.
func (w *Wanted) enough(sofar *Sets) bool { return w.Max > 0 && len(sofar.Found) >= w.Max }

// wanted returns the schedules of a list that have to be executed. It tells whether they
// are all that the list has, within the budget.
func (s *Session) wanted(ctx context.Context, list iter.Seq[rounds.Schedule], w Wanted, sofar *Sets) (tried []rounds.Schedule, all bool) {
	looked := 0
	for schedule := range list {
		if looked++; looked > manyLooked || ctx.Err() != nil {
			return tried, false
		}
		switch {
		case w.Meets != nil && !w.Meets(schedule) || sofar.contains(schedule):
		case len(tried) >= s.Options.Executions-sofar.Executions:
			return tried, false
		default:
			tried = append(tried, schedule)
		}
	}
	return tried, true
}

// manyLooked limits the schedules of one size that are tested to find those to execute.
const manyLooked = 5_000_000

// contains tells whether a schedule has all faults of a set that was found.
func (f *Sets) contains(s rounds.Schedule) bool {
	return slices.ContainsFunc(f.Found, func(c result.Counterexample) bool {
		return !slices.ContainsFunc(c.Schedule.Faults, func(fault rounds.Fault) bool { return !slices.Contains(s.Faults, fault) })
	})
}

// does executes schedules, and returns the counterexamples of the wanted ones, in their
// order.
func (s *Session) does(ctx context.Context, schedules []rounds.Schedule, w Wanted, sofar *Sets) ([]result.Counterexample, error) {
	found := make([]*result.Counterexample, len(schedules))
	errs := make([]error, len(schedules))
	ended := make([]bool, len(schedules))
	var next, executions atomic.Int64
	var workers sync.WaitGroup
	for range min(s.Workers, len(schedules)) {
		x, err := s.Executor(true)
		if err != nil {
			return nil, err
		}
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(schedules); i = int(next.Add(1)) - 1 {
				if errs[i] = ctx.Err(); errs[i] != nil {
					return
				}
				var n int
				found[i], n, errs[i] = s.doesOne(ctx, x, s.With(schedules[i]), w)
				if ended[i] = errors.Is(errs[i], errEnded); ended[i] {
					errs[i] = nil
				}
				executions.Add(int64(n))
			}
		})
	}
	workers.Wait()
	sofar.Executions += int(executions.Load())
	var all []result.Counterexample
	for i, c := range found {
		if errs[i] != nil {
			return all, errs[i]
		}
		if ended[i] {
			if sofar.Ended++; sofar.Ended == 1 {
				sofar.First = schedules[i]
			}
		}
		if c != nil {
			c.Irreducible = true
			c.Minimal = len(sofar.Found) == 0 || c.Size == sofar.Found[0].Size
			all = append(all, *c)
		}
	}
	return all, nil
}

// errEnded says that an execution came to no end that could be looked at.
var errEnded = errors.New("a process ended the execution")

// doesOne executes a schedule. It returns a counterexample if the execution is wanted, else
// nil, and the number of executions.
func (s *Session) doesOne(ctx context.Context, x Executor, schedule rounds.Schedule, w Wanted) (*result.Counterexample, int, error) {
	if w.Does == nil && w.Shows == nil {
		return s.violates(ctx, x, schedule, anything)
	}
	e, violations, err := x.Execute(ctx, schedule)
	if err != nil || w.Shows != nil && !w.Shows(e) {
		return nil, 1, err
	}
	if w.Does == nil {
		c, n, err := s.violates(ctx, x, schedule, anything)
		return c, n + 1, err
	}
	if slices.ContainsFunc(violations, func(v result.Violation) bool { n, _ := Ends(v); return n > 0 }) {
		return nil, 1, errEnded
	}
	does := w.Does(e)
	if len(does) == 0 {
		return nil, 1, nil
	}
	kept := *e
	kept.Facts, kept.Messages = slices.Clone(e.Facts), slices.Clone(e.Messages)
	return &result.Counterexample{Schedule: schedule.Normal(), Size: schedule.Size(), Confirmed: true, Violations: does, Execution: &kept}, 1, nil
}
