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
	beyondGates = 2_000   // of the circuit of one round
	boundsGates = 100_000 // of that of all rounds within the bounds, whose facts are those of the state
)

// Beyond asks beside Check whether a promise is shown for any number of rounds with little work: a violation
// in every round; pre and post as many rounds after the quiet begins as eot is after eff. It begins at once.
// The result is that for an answer of Check: nil without the verdict Holds, and where the question makes no
// sense.
func (m *Model) Beyond(ctx context.Context) func(*result.Answer) (*result.Unbounded, error) {
	type outcome struct {
		u   *result.Unbounded
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	first := make(chan outcome, 1)
	go func() {
		u, err := m.sketch(ctx, beyondCalls)
		first <- outcome{u, err}
	}()
	return func(a *result.Answer) (*result.Unbounded, error) {
		defer cancel()
		if a == nil || a.Verdict != result.Holds || a.Vacuity != "" {
			return nil, nil
		}
		o := <-first
		if calls := a.Stats.SolverCalls / beyondShare; o.u != nil && o.u.Calls >= beyondCalls && calls > beyondCalls {
			o.u, o.err = m.sketch(ctx, calls)
		}
		return o.u, o.err
	}
}

// sketch looks for an invariant with few calls; nil if there is nothing to ask.
func (m *Model) sketch(ctx context.Context, calls int) (*result.Unbounded, error) {
	small := *m
	small.options.MaxGates = min(boundsGates, small.options.MaxGates)
	u, err := small.beyond(ctx)
	if u == nil || err != nil {
		return nil, err
	}
	err = u.invariantWithin(calls)
	var untimed *provenance.UntimedError
	var facts *limits.LimitError
	switch {
	case errors.As(err, &untimed):
		u.found.Reason = untimed.Error()
	case errors.As(err, &facts), errors.As(err, new(*solver.LimitError)):
		u.found.Reason = "one round is too large to look for a proof in passing; " + u.flag() + " does"
	case ctx.Err() != nil, errors.As(err, new(*solver.ReachLimitError)):
		u.found.Reason = "no proof is found in passing; " + u.flag() + " looks for longer"
	case err != nil:
		return nil, err
	}
	return u.found, nil
}

// beyond is the question about more rounds than the bounds have; nil if it makes no sense.
func (m *Model) beyond(ctx context.Context) (*unbounded, error) {
	w, err := m.promised()
	switch b := m.bounds; {
	case err != nil:
		return nil, err
	case w.good || w.witnessed || m.options.Decider != nil || m.options.Certifier != nil:
		return nil, nil
	case !w.prePost:
		return m.unbounded(ctx)
	case b.EFF == 0 || b.EFF > b.EOT:
		return nil, nil
	default:
		w := &within{rounds: b.EOT - b.EFF}
		u, err := w.ask(ctx, m)
		if err == nil {
			u.found.Within = w.found
		}
		return u, err
	}
}

// flag is the flag that asks the question alone.
func (u *unbounded) flag() string {
	if u.within != nil {
		return "--within least"
	}
	return "--any-rounds"
}

// invariantWithin looks for an invariant with at most so many calls.
func (u *unbounded) invariantWithin(calls int) error {
	g, err := u.evaluate()
	if err != nil {
		return err
	}
	o := u.asked()
	o.MaxGates = min(beyondGates, o.MaxGates)
	step, err := provenance.EvaluateStep(u.ctx, u.program, u.bounds, o, g.Carried())
	if err != nil {
		return err
	}
	bad := u.bad(step)
	u.found.State = step.Facts()
	t := step.Transitions(step.Graph.Circuit.Ors(bad, step.Overflow, step.Undefined))
	r, err := t.Reach(u.ctx, calls)
	u.found.Calls = r.Calls
	switch {
	case err != nil:
		return err
	case !r.Never:
		u.found.Reason = "more rounds, or losses in more of them, may break it; " + u.flag() + " looks further"
		return nil
	}
	if err := t.CheckInvariant(u.ctx, r.Invariant); err != nil {
		return err
	}
	u.found.Verdict, u.found.Until, u.found.Clauses = result.Holds, step.Until(), len(r.Invariant)
	return nil
}
