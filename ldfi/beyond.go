package ldfi

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// The work that a line about any number of rounds may take: a share of the calls of the SAT solver
// that the verdict took, and at least some.
const (
	beyondShare = 20
	beyondCalls = 1000
	beyondGates = 10_000 // of the circuit of one round
)

// Beyond says whether a violation that no schedule within the bounds has is excluded for any number of
// rounds too, as far as that is found with little work; nil if the question makes no sense: without
// the verdict Holds, or of a promise that is judged at the last round.
func (m *Model) Beyond(ctx context.Context, a *result.Answer) (*result.Unbounded, error) {
	w, err := m.promised()
	if err != nil {
		return nil, err
	}
	if a.Verdict != result.Holds || a.Vacuity != "" || w.prePost || w.good || !w.violation {
		return nil, nil
	}
	u, err := m.unbounded(ctx)
	if err != nil {
		return nil, err
	}
	err = u.sketch(max(beyondCalls, a.Stats.SolverCalls/beyondShare))
	var untimed *provenance.UntimedError
	if errors.As(err, &untimed) {
		u.found.Reason, err = untimed.Error(), nil
	}
	return u.found, err
}

// sketch looks for an invariant with few calls.
func (u *unbounded) sketch(calls int) error {
	step, err := u.step()
	if small := (*limits.LimitError)(nil); errors.As(err, &small) || errors.As(err, new(*solver.LimitError)) {
		u.found.Reason = "one round has too many facts"
		return nil
	}
	if err != nil {
		return err
	}
	if step.Graph.Circuit.Gates() > beyondGates {
		u.found.Reason = "one round is too large to look for a proof in passing; --any-rounds does"
		return nil
	}
	bad := u.bad(step)
	u.found.State = step.Facts()
	t := step.Transitions(step.Graph.Circuit.Ors(bad, step.Overflow, step.Undefined))
	r, err := t.Reach(u.ctx, calls)
	switch {
	case errors.As(err, new(*solver.ReachLimitError)), u.ctx.Err() != nil:
		u.found.Reason = "no proof is found with little work; --any-rounds looks for longer"
	case err != nil:
		return err
	case !r.Never:
		u.found.Reason = "more rounds, or losses in more of them, may break it; --any-rounds says which"
	default:
		if err := t.CheckInvariant(u.ctx, r.Invariant); err != nil {
			return err
		}
		u.found.Verdict, u.found.Until, u.found.Clauses = result.Holds, step.Until(), len(r.Invariant)
	}
	return nil
}
