package explore

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// mostTried limits the schedules that are executed to find out which faults to undo.
const mostTried = 500

// Undoing is which faults of a schedule to undo so that a fact comes back, or goes.
type Undoing struct {
	Back    bool              // the fact comes back; otherwise it goes
	Ways    []rounds.Schedule // the fewest faults to undo, in each way; each was executed
	Left    []rounds.Schedule // for each way the remaining faults
	Stopped bool              // fewer faults may do: only the whole was found out
}

// Undoing asks which faults of a schedule to undo so that a fact is the same as without
// faults: none if it is already.
func (e *Exploration) Undoing(ctx context.Context, fact string, s rounds.Schedule) (*Undoing, error) {
	q, err := dedalus.ParseQuery(fact)
	if err != nil {
		return nil, err
	}
	without, err := e.has(ctx, q, rounds.Schedule{Settings: s.Settings})
	if err != nil {
		return nil, err
	}
	with, err := e.has(ctx, q, s)
	if err != nil || with == without {
		return nil, err
	}
	u := &Undoing{Back: without}
	tried := 0
	for size := 1; size < len(s.Faults) && len(u.Ways) == 0 && !u.Stopped; size++ {
		for _, gone := range choices(s.Faults, size) {
			if tried++; tried > mostTried {
				u.Stopped = true
				break
			}
			if err := e.undo(ctx, q, s, gone, u); err != nil {
				return nil, err
			}
		}
	}
	if u.Stopped || len(u.Ways) == 0 {
		u.Ways, u.Left = []rounds.Schedule{s}, []rounds.Schedule{{Settings: s.Settings}}
	}
	return u, nil
}

// undo adds the way to undo the faults gone, if the fact changes. A restart goes with its
// crash.
func (e *Exploration) undo(ctx context.Context, q syntax.Query, s rounds.Schedule, gone []rounds.Fault, u *Undoing) error {
	left := without(s, func(f rounds.Fault) bool { return slices.Contains(gone, f) })
	way := rounds.Schedule{Faults: slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool { return slices.Contains(left.Faults, f) })}
	if e.asked.Fits(left) != nil || slices.ContainsFunc(u.Ways, func(w rounds.Schedule) bool { return w.String() == way.String() }) {
		return nil
	}
	holds, err := e.has(ctx, q, left)
	if err == nil && holds == u.Back {
		u.Ways, u.Left = append(u.Ways, way), append(u.Left, left)
	}
	return err
}

// choices returns all ways to choose size faults, in their order.
func choices(faults []rounds.Fault, size int) [][]rounds.Fault {
	if size == 0 {
		return [][]rounds.Fault{nil}
	}
	var all [][]rounds.Fault
	for i, f := range faults {
		for _, others := range choices(faults[i+1:], size-1) {
			if all = append(all, append([]rounds.Fault{f}, others...)); len(all) > mostTried {
				return all
			}
		}
	}
	return all
}

// has tells whether a fact, or one of a pattern, holds under a schedule.
func (e *Exploration) has(ctx context.Context, q syntax.Query, s rounds.Schedule) (bool, error) {
	in, err := e.trials.Execute(ctx, e.asked.Spare(s))
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(in.Execution.Facts, func(f recording.Fact) bool {
		return (q.Round == 0 || q.Round == f.Round) && e.matches(f, &syntax.Query{Relation: q.Relation, Args: q.Args})
	}), nil
}
