package ldfi

import (
	"context"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
)

// How many schedules are executed one by one where all at once are too many.
const (
	huntSingles = 256 // of one fault
	huntRandom  = 256
)

// hunt executes the schedules of one fault and some random ones, until one of
// them breaks the promise. It returns nil if none does.
func (t *trial) hunt(ctx context.Context) (*Counterexample, error) {
	if len(t.faultless) > 0 {
		return t.hit(ctx, nil)
	}
	u := rounds.NewUniverse(t.bounds)
	for unit := range min(u.Len(), huntSingles) {
		s := rounds.Schedule{u.Fault(unit)}
		if c, err := t.hit(ctx, s); c != nil || err != nil {
			return c, err
		}
	}
	random := rand.New(rand.NewPCG(probeSeed, 0))
	for range huntRandom {
		s := u.Random(random)
		if c, err := t.hit(ctx, s); c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// lift tries a schedule that breaks the promise over fewer rounds on all of
// them. Isolations that were cut by the last round go on to the end of their
// phase.
func (t *trial) lift(ctx context.Context, s rounds.Schedule) (*Counterexample, error) {
	u := rounds.NewUniverse(t.bounds)
	lifted := make(rounds.Schedule, len(s))
	for i, f := range s {
		for known := false; !known && f.Until <= t.bounds.EOT; f.Until++ {
			_, known = u.Index(f)
			lifted[i] = f
		}
	}
	if lifted.Within(t.bounds) != nil {
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
	for i := 0; i < len(s); {
		less := append(append(rounds.Schedule{}, s[:i]...), s[i+1:]...)
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
	c := &Counterexample{Schedule: s, Size: len(s), Minimal: len(s) == 0, Confirmed: true, Violations: broken}
	c.Execution, err = t.executor.record(ctx, s)
	return c, err
}
