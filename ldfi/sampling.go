package ldfi

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// How many schedules are executed one by one where all at once are too many.
const (
	sampleSingles = 256 // of one fault
	sampleRandom  = 256
)

// sampler executes schedules over all rounds one by one, in search of one that breaks the
// promise. A nil sampler finds nothing.
type sampler struct {
	*question
	schedules []rounds.Schedule // still to be executed
	batch     int               // how many at a time
}

// newSampler returns a sampler of the run without faults, the schedules of one fault and
// some random ones.
func newSampler(ctx context.Context, m *Model) (*sampler, error) {
	q, err := newQuestion(ctx, m)
	if err != nil {
		return nil, err
	}
	u := schedules.New(m.bounds)
	schedules := []rounds.Schedule{{}}
	for unit := range min(u.Len(), sampleSingles) {
		schedules = append(schedules, rounds.Schedule{Faults: []rounds.Fault{u.Fault(unit)}})
	}
	random := rand.New(rand.NewPCG(probeSeed, 0))
	for range sampleRandom {
		schedules = append(schedules, u.Random(random))
	}
	return &sampler{q, schedules, len(schedules)/m.bounds.EOT + 1}, nil
}

// next executes the schedules that follow the decision of a smaller number of rounds: its
// counterexample, if there is one, and some others.
func (h *sampler) next(ctx context.Context, decided result.Horizon) (*result.Counterexample, error) {
	if h == nil {
		return nil, nil
	}
	if decided.Verdict == result.Violated {
		if c, err := h.lift(ctx, decided.Schedule); c != nil || err != nil {
			return c, err
		}
	}
	return h.execute(ctx, h.batch)
}

// rest executes all schedules that are left, unless an error forbids it.
func (h *sampler) rest(ctx context.Context, err error) (*result.Counterexample, error) {
	var internal *internalError
	if h == nil || errors.As(err, &internal) {
		return nil, err
	}
	return h.execute(ctx, len(h.schedules))
}

// execute executes the next count schedules.
func (h *sampler) execute(ctx context.Context, count int) (*result.Counterexample, error) {
	for range min(count, len(h.schedules)) {
		s := h.schedules[0]
		h.schedules = h.schedules[1:]
		if c, err := h.hit(ctx, s); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// lift tries a schedule that breaks the promise over fewer rounds on all of them.
// Isolations that were cut by the last round are extended to the end of their phase.
func (q *question) lift(ctx context.Context, s rounds.Schedule) (*result.Counterexample, error) {
	u := schedules.New(q.bounds)
	lifted := rounds.Schedule{Faults: make([]rounds.Fault, len(s.Faults))}
	for i, f := range s.Faults {
		for known := false; !known && f.Until <= q.bounds.EOT; f.Until++ {
			_, known = u.Index(f)
			lifted.Faults[i] = f
		}
	}
	if schedules.Within(lifted, q.bounds) != nil {
		return nil, nil
	}
	return q.hit(ctx, lifted.Normal())
}

// hit executes a schedule and, if it breaks the promise, leaves out faults
// until none can be left out, or until the context ends. What is found by then is
// recorded whole.
func (q *question) hit(ctx context.Context, s rounds.Schedule) (*result.Counterexample, error) {
	broken, err := q.executor.broken(ctx, s)
	if err != nil || len(broken) == 0 {
		return nil, err
	}
	_, err = schedules.ShrinkFaults(s, func(fewer rounds.Schedule) (bool, error) {
		still, err := q.executor.broken(ctx, fewer)
		if len(still) > 0 {
			s, broken = fewer, still
		}
		return len(still) > 0, err
	})
	c := &result.Counterexample{Schedule: s, Size: s.Size(), Irreducible: err == nil, Confirmed: true, Violations: q.stated(broken)}
	if err == nil && (s.Size() == 0 || s.Size() == 1 && len(q.bounds.Choose) == 0) { // without any fault it was executed, and holds
		q.fewest(c)
	}
	if err := q.record(context.WithoutCancel(ctx), c); err != nil {
		return nil, err
	}
	return c, nil
}
