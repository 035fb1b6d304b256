package subject

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Parting is by which faults two versions part: one of them breaks the promise under
// them, and the other one does not.
type Parting struct {
	Breaks, Keeps *Opened

	// The answer about the version that breaks, and of its fault sets the first under
	// which the other one keeps the promise; nil if there is none.
	Answer *result.Answer
	Set    *result.Counterexample

	Both  int // how many fault sets break both versions, of those that were looked at
	Unfit int // and how many the other version does not know
}

// mostParting is how many fault sets of a version are tried on the other one.
const mostParting = 100

// Parting looks for the smallest set of faults that breaks one of two versions and not
// the other: of this one if it has any, else of the other one. Without one it returns the
// answer about this version, or about the other one if only that can be broken.
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

// look tries the fault sets that break a version on the one that may keep the promise:
// the smallest one, and then others.
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

// among looks for the first of the fault sets of an answer under which the promise is
// kept. One that the other version does not know is none.
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
