package subject

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Parting are the faults under which two versions differ: one version breaks the promise,
// and the other one keeps it.
type Parting struct {
	Breaks, Keeps *Opened

	// Answer is about the version that breaks. Its first fault set is one under which the
	// other version keeps the promise. Answer is nil if there is no such fault set.
	Answer *result.Answer
	Set    *result.Counterexample

	Both  int // the number of fault sets tried that break both versions
	Unfit int // the number of fault sets tried that the other version does not know
}

// mostParting limits the fault sets of a version that are tried on the other version.
const mostParting = 100

// Parting looks for the smallest set of faults that breaks o and not other, or else one
// that breaks other and not o. If there is none, the result has the answer about o, or the
// answer about other if only other can be broken.
func (o *Opened) Parting(ctx context.Context, other *Opened) (*Parting, error) {
	if err := o.comparable(other); err != nil {
		return nil, err
	}
	var p *Parting
	for _, next := range []*Parting{{Breaks: o, Keeps: other}, {Breaks: other, Keeps: o}} {
		if err := next.look(ctx); err != nil {
			return nil, err
		}
		if next.Set != nil {
			return next, nil
		}
		if p == nil || p.Answer.First() == nil && next.Answer.Verdict != result.Holds {
			p = next
		}
	}
	return p, nil
}

// look tries the fault sets of the version that breaks on the other version: the smallest
// one, and then others.
func (p *Parting) look(ctx context.Context) (err error) {
	if p.Answer, err = p.Breaks.Search(ctx); err != nil || p.Answer.First() == nil {
		return err
	}
	if err := p.among(ctx, p.Answer); err != nil || p.Set != nil {
		return err
	}
	many := p.Breaks.subject.Copy()
	many.Shared().Max, many.Shared().Bare = mostParting, true
	opened, err := many.Open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	all, err := opened.Hypotheses(ctx, nil, nil)
	if err != nil {
		return err
	}
	p.Both, p.Unfit = 0, 0
	return p.among(ctx, all)
}

// among looks for the first fault set of an answer under which the other version keeps the
// promise. Fault sets that the other version does not know are skipped.
func (p *Parting) among(ctx context.Context, a *result.Answer) error {
	for i, c := range a.Counterexamples {
		in, err := p.Keeps.Replay(ctx, c.Schedule)
		misfit := (*MisfitError)(nil)
		switch {
		case errors.As(err, &misfit):
			p.Unfit++
		case err != nil:
			return err
		case in.Verdict == result.Holds:
			p.Set = &a.Counterexamples[i]
			return nil
		default:
			p.Both++
		}
	}
	return nil
}
