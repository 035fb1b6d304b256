package subject

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// watched executes a schedule beside which the guide decides nothing. The violations have the
// bad states that the execution enters.
func (h *OpenedSystem) watched(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	in, err := h.replay(ctx, s)
	if err != nil || h.guide == nil {
		return in, err
	}
	if _, bad := h.guide.Ends(); len(bad) == 0 {
		return in, nil
	}
	session, err := search.NewSession(&h.system().Target, h.options())
	if err != nil {
		return nil, err
	}
	x, err := session.Executor(true)
	if err != nil {
		return nil, err
	}
	_, violations, err := x.Execute(ctx, in.Schedule)
	if err != nil {
		return nil, err
	}
	h.enters(in, violations)
	return in, nil
}

// enters adds the violations that are bad states of the guide.
func (h *OpenedSystem) enters(in *result.Injection, violations []result.Violation) {
	for _, v := range violations {
		if v.Property == h.guide.Name() {
			in.Violations, in.Verdict = append(in.Violations, v), result.Violated
		}
	}
}

// guided executes one schedule with what the guide decides beside it, and then all of it
// without the guide.
func (h *OpenedSystem) guided(ctx context.Context, o *Opened, s rounds.Schedule) (*result.Injection, error) {
	if err := h.revive(ctx); err != nil {
		return nil, err
	}
	options := h.options()
	session, err := search.NewSession(&h.system().Target, options)
	if err != nil {
		return nil, err
	}
	x, err := session.Guided(true)
	if err != nil {
		return nil, err
	}
	e, violations, err := x.Execute(ctx, s)
	if err != nil {
		return nil, err
	}
	session.Count(0, e)
	in, err := o.replay(ctx, e.Schedule)
	if err != nil {
		return nil, err
	}
	h.enters(in, violations)
	if in.Guidance = session.Guidance(false); in.Guidance.Prevented > 0 && in.Verdict != result.Violated {
		in.Verdict = result.Inconclusive
	}
	return in, o.comment(ctx, in)
}
