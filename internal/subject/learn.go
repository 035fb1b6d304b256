package subject

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/rounds"
)

// Learned is the program that was learned of a system.
type Learned struct {
	*learned.Learned
	*learned.Program
}

// Learn learns the behaviour of the processes of a system, within its bounds. When the
// context ends, it returns the part learned so far.
func (h *OpenedSystem) Learn(ctx context.Context) (*Learned, error) {
	if len(h.Bounds().Kinds) > 0 {
		return nil, &rounds.OverrideError{Key: "kinds", Message: noKindsLearned + ": leave it out"}
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*Learned, error) { return h.learn(ctx) })
}

// noKindsLearned is why faults of kinds of messages do not go with learned programs.
const noKindsLearned = "a learned program sends all that a process sends another in a round as one message"

func (h *OpenedSystem) learn(ctx context.Context) (*Learned, error) {
	l, err := h.system().Learn(ctx, h.options())
	for range tries {
		var lost *finding
		if lost, err = h.found(ctx, err); lost != nil {
			return nil, fmt.Errorf("%s under the schedule %q: ldfi cannot learn from such an execution; fix that first", lost.violation, lost.schedule)
		}
		if err != nil || l != nil {
			break
		}
		l, err = h.system().Learn(ctx, h.options())
	}
	if err != nil {
		return nil, err
	}
	p, err := l.Write(learned.Source{Command: h.question.Command, System: h.Name, Fixed: h.Fixed, Bounds: h.Bounds(), Properties: h.Properties})
	if err != nil {
		return nil, err
	}
	return &Learned{l, p}, nil
}
