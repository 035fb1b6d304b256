package ldfi

import (
	"context"
	"errors"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// Hypotheses lists the minimal fault sets within the bounds that break the promise and
// meet the assumptions: at most Options.Max sets, none with more faults than
// Options.Size, ordered by cost and then by the number of faults. It counts the others.
// An assumption is a pattern over faults as [rounds.ParsePattern] reads it ("crash
// a@2", "omit *>c"), or a fact ("post(c, \"hello\")@6"; without "@6" in any round). For
// each assumption in require, something that matches it must be there; nothing that
// matches one in forbid may be there. A set is minimal if no part of it breaks the
// promise and meets the assumptions; faults that only the assumptions need are its
// Unneeded. If there is no set, the Conflict of the answer explains why. Errors and
// limits are those of Check.
func (m *Model) Hypotheses(ctx context.Context, require, forbid []string) (*result.Answer, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	start := time.Now()
	assumed, err := assumptionsOf(m.program, m.bounds, require, forbid)
	if err != nil {
		return nil, err
	}
	a := m.unanswered()
	growth, err := m.suppose(ctx, a, assumed)
	if a.Limit = limitOf(ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	if a.Limit != nil && a.Count == nil {
		a.Count = &result.Count{Sets: len(a.Counterexamples), Why: "the search was stopped"}
	}
	m.conclude(a, growth)
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	return a, nil
}

// suppose finds the fault sets that meet assumptions, or why there are none. It returns the
// sizes of the relations.
func (m *Model) suppose(ctx context.Context, a *result.Answer, assumed []*assumption) ([]recording.Growth, error) {
	weighing := *m
	weighing.size, weighing.costs = m.options.Size, m.options.Cost
	q, err := newQuestion(ctx, &weighing)
	if err != nil {
		return nil, err
	}
	q.assume(assumed)
	q.supposing, q.lists, q.causes = true, true, map[string][]effect{}
	err = q.answer(ctx, a)
	if err == nil {
		a.Count, err = q.count(ctx, a)
	}
	err = errors.Join(err, q.group(context.WithoutCancel(ctx), a))
	a.Stats = q.stats()
	return q.cost.growth, err
}

// nothing explains why no schedule that meets assumptions breaks the promise. As for
// vacuity, it evaluates all schedules if the views are not those of all.
func (q *question) nothing(ctx context.Context, a *result.Answer, all views) error {
	err := q.nothingIn(ctx, a, all)
	if !errors.Is(err, errPartial) {
		return err
	}
	v, err := q.whole(ctx, effort{}, &circuitProgress{}, nil)
	if err != nil {
		return err
	}
	return q.nothingIn(ctx, a, one(v))
}

func (q *question) nothingIn(ctx context.Context, a *result.Answer, all views) (err error) {
	if a.Conflict, err = q.conflict(ctx, all); err != nil {
		return err
	}
	met, err := all.meet(ctx, func(v *view) []solver.Lit { return v.conditions })
	switch {
	case err != nil:
		return err
	case !met:
		a.Vacuity = "no schedule within the bounds meets the assumptions, so nothing is asked"
		return nil
	}
	a.Vacuity, err = q.vacuity(ctx, nil, all)
	return err
}
