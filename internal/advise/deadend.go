package advise

import (
	"context"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// deadEnd adds to what was found, where nothing helps, which fault set stands in the way
// of most changes, and whether something helps where a kind of fault is left out.
func (s *repairSearch) deadEnd(ctx context.Context, found *result.Repairs) error {
	var err error
	if found.Resists, err = s.resists(ctx); err != nil {
		return err
	}
	found.Fewer, err = s.fewer(ctx)
	return err
}

// triedKinds counts what was tried by kind. One of several parts is of several kinds.
func (c *checker) triedKinds() (all []result.TriedKind) {
	for _, kind := range kinds {
		if n := c.kinds[kind]; n > 0 {
			all = append(all, result.TriedKind{Kind: kind, Tried: n})
		}
	}
	return all
}

// resists returns, of the schedules that are known to break what was tried, the first of
// those that break the most.
func (c *checker) resists(ctx context.Context) (most *result.Resists, err error) {
	for _, s := range c.known {
		breaks := 0
		for _, m := range c.failed {
			in, err := m.Inject(ctx, s)
			if err != nil {
				return nil, err
			}
			if in.Verdict == result.Violated {
				breaks++
			}
		}
		if breaks > 0 && (most == nil || breaks > most.Breaks) {
			most = &result.Resists{Schedule: s, Breaks: breaks}
		}
	}
	return most, nil
}

// withoutFaults returns bounds without the faults of a kind.
func withoutFaults(kind rounds.Kind, b rounds.Bounds) rounds.Bounds {
	b.SetBudget(kind, 0)
	switch kind {
	case rounds.Crash:
		b.Restarts = 0
	case rounds.Omit:
		b.Implied = false
	}
	return b
}

// fewer asks within bounds without faults of one kind, each in turn, whether the promise
// holds there, or what it takes. Bounds without any faults say nothing.
func (s *repairSearch) fewer(ctx context.Context) (all []result.Fewer, err error) {
	possible := 0
	for _, kind := range faultKinds() {
		if kind != rounds.Restart && s.bounds.Budget(kind) != 0 {
			possible++
		}
	}
	for _, kind := range faultKinds() {
		if s.bounds.Budget(kind) == 0 || possible < 2 && kind != rounds.Restart {
			continue
		}
		f := result.Fewer{Kind: kind.Setting()}
		if mends, err := s.within(ctx, withoutFaults(kind, s.bounds), &f); err != nil {
			return all, err
		} else if mends {
			all = append(all, f)
		}
	}
	return all, nil
}

// within tells whether the promise holds within other bounds, as the program is or with a
// change, which it adds to the answer.
func (s *repairSearch) within(ctx context.Context, b rounds.Bounds, f *result.Fewer) (bool, error) {
	m, err := ldfi.New(s.program, b, s.options)
	if err != nil {
		return false, nil // such bounds have no meaning for the program
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a, err := m.Hypotheses(limited, nil, nil)
	switch {
	case err != nil:
		return false, s.decidable(ctx, err)
	case a.Verdict == result.Holds:
		return a.Vacuity == "" && a.Limit == nil, nil
	case a.Verdict != result.Violated || !a.First().Minimal || a.First().Size == 0:
		return false, nil
	}
	found, _, err := suggest(ctx, s.program, b, s.options, a.First())
	if err != nil || found == nil || len(found.Suggestions) == 0 || found.Suggestions[0].Verdict != result.Holds {
		return false, err
	}
	f.Repair = &found.Suggestions[0]
	return true, nil
}
