package ldfi

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
)

// How many schedules are executed one by one where all at once are too many.
const (
	huntSingles = 256 // of one fault
	huntRandom  = 256
)

// hunter executes schedules over all rounds one by one, in search of one that
// breaks the promise. A nil hunter finds nothing.
type hunter struct {
	*trial
	schedules []rounds.Schedule // still to be executed
	batch     int               // how many at a time
}

// newHunter prepares to execute the run without faults, the schedules of one
// fault and some random ones.
func newHunter(ctx context.Context, c *check) (*hunter, error) {
	t, err := newTrial(ctx, c.program, c.bounds, c.options)
	if err != nil {
		return nil, err
	}
	u := universe.New(c.bounds)
	schedules := []rounds.Schedule{{}}
	for unit := range min(u.Len(), huntSingles) {
		schedules = append(schedules, rounds.Schedule{Faults: []rounds.Fault{u.Fault(unit)}})
	}
	random := rand.New(rand.NewPCG(probeSeed, 0))
	for range huntRandom {
		schedules = append(schedules, u.Random(random))
	}
	return &hunter{t, schedules, len(schedules)/c.bounds.EOT + 1}, nil
}

// next executes what is to be executed after a smaller number of rounds is
// decided: its counterexample, if there is one, and some schedules.
func (h *hunter) next(ctx context.Context, decided Horizon) (*Counterexample, error) {
	if h == nil {
		return nil, nil
	}
	if decided.Verdict == Violated {
		if c, err := h.lift(ctx, decided.Schedule); c != nil || err != nil {
			return c, err
		}
	}
	return h.execute(ctx, h.batch)
}

// rest executes all schedules that are left, unless an error forbids it.
func (h *hunter) rest(ctx context.Context, err error) (*Counterexample, error) {
	var internal *InternalError
	if h == nil || errors.As(err, &internal) {
		return nil, err
	}
	return h.execute(ctx, len(h.schedules))
}

// execute executes so many of the schedules.
func (h *hunter) execute(ctx context.Context, count int) (*Counterexample, error) {
	for range min(count, len(h.schedules)) {
		s := h.schedules[0]
		h.schedules = h.schedules[1:]
		if c, err := h.hit(ctx, s); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// lift tries a schedule that breaks the promise over fewer rounds on all of
// them. Isolations that were cut by the last round go on to the end of their
// phase.
func (t *trial) lift(ctx context.Context, s rounds.Schedule) (*Counterexample, error) {
	u := universe.New(t.bounds)
	lifted := rounds.Schedule{Faults: make([]rounds.Fault, s.Size())}
	for i, f := range s.Faults {
		for known := false; !known && f.Until <= t.bounds.EOT; f.Until++ {
			_, known = u.Index(f)
			lifted.Faults[i] = f
		}
	}
	if universe.Within(lifted, t.bounds) != nil {
		return nil, nil
	}
	return t.hit(ctx, lifted.Normal())
}

// hit executes a schedule and, if it breaks the promise, leaves out faults
// until none can be left out.
func (t *trial) hit(ctx context.Context, s rounds.Schedule) (*Counterexample, error) {
	broken, err := t.executor.broken(ctx, s)
	if err != nil || len(broken) == 0 {
		return nil, err
	}
	for i := 0; i < s.Size(); {
		less := rounds.Schedule{Faults: slices.Delete(slices.Clone(s.Faults), i, i+1)}
		still, err := t.executor.broken(ctx, less)
		if err != nil {
			return nil, err
		}
		if len(still) == 0 {
			i++
			continue
		}
		s, broken, i = less, still, 0
	}
	c := &Counterexample{Schedule: s, Size: s.Size(), Minimal: s.Size() == 0, Confirmed: true, Violations: broken}
	c.Execution, err = t.executor.record(ctx, s)
	return c, err
}
