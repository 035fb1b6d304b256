package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
)

// Learn asks the host to learn the behaviour of the processes of the system within the
// bounds of the options or, if those allow no fault, within its default bounds.
func (s *System) Learn(ctx context.Context, o search.Options) (*learned.Learned, error) {
	o.Bounds, o.Strategy = s.Whole(o.Bounds), "learn"
	if err := s.remote.checkKinds(o.Bounds); err != nil {
		return nil, err
	}
	if len(s.remote.strategies) == 0 {
		return nil, refusal("the host only executes schedules, and shows no states of processes that could be learned")
	}
	a, err := s.remote.ask(ctx, messages.Request{Do: messages.DoLearn, System: s.Name, Options: o}, 0, s.believeProgress(&o))
	if err != nil {
		return nil, err
	}
	if a.Answer == nil || a.Table == nil {
		return nil, errors.New("the host answered a learn without its answer, or without the table")
	}
	err = s.believeAnswer(a.Answer, &o, ctx.Err() != nil)
	if err == nil {
		err = a.Table.Check(s.Processes, o.Bounds.EOT)
	}
	if err != nil {
		return nil, fmt.Errorf("the answer of the host to the learn: %w", err)
	}
	sayWhy(ctx, a.Answer)
	if c := a.Answer.First(); c != nil { // nothing was promised but that no process panics
		return nil, refusal(fmt.Sprintf("%s under the schedule %q: ldfi cannot learn from such an execution; fix that first", c.Violations[0].Text, c.Schedule))
	}
	a.Table.Sort()
	return &learned.Learned{Table: a.Table, Answer: a.Answer}, nil
}

// Refused tells whether an error is the refusal of a request by a host, and not a failure.
func Refused(err error) bool { return errors.As(err, new(refusal)) }
