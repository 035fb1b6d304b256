package subject

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Repairs suggests what to add to a protocol so that its promise survives the faults
// that an answer about it names. Each suggestion is checked.
func (o *Opened) Repairs(ctx context.Context, a *result.Answer) (*result.Repairs, error) {
	p, ok := o.asked.(*protocol)
	if !ok {
		return nil, errors.New("repairs are suggested for protocols, whose rules are known")
	}
	first := a.First()
	switch {
	case first == nil:
		return &result.Repairs{Note: fmt.Sprintf("there is nothing to repair: the verdict is %s", a.Verdict)}, nil
	case !first.Minimal:
		return &result.Repairs{Note: "nothing was tried: it is not known that the fault set is a smallest one, so nothing can be compared with it"}, nil
	}
	options, err := o.subject.optionsOf(p.goals)
	if err != nil {
		return nil, err
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.Repairs, error) {
		return advise.Suggest(ctx, p.program, p.limits, options, first)
	})
}
