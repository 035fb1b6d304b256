package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// SentPart is a question about a system as a unit of draws has it: of its search some
// executions are to be made.
type SentPart struct {
	Sent
	Part search.Part `json:"part"`
}

// Draws is the answer to a unit of draws.
type Draws struct {
	Stretch *search.Stretch `json:"stretch"`
	Took    time.Duration   `json:"took"` // how long the executions took, in nanoseconds
}

// readDraws reads such an answer.
func readDraws(text json.RawMessage) (*Draws, error) {
	a := &Draws{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	if a.Stretch == nil || a.Took < 0 {
		return nil, fmt.Errorf("its answer does not say what the executions came to")
	}
	return a, nil
}

// Draw makes some executions of the search of a system, see [remote.System.Part].
func (o *Opened) Draw(ctx context.Context, p search.Part) (*Draws, error) {
	h, ok := o.asked.(*hosted)
	if !ok {
		return nil, errors.New("a protocol has no executions that could be made in parts")
	}
	start := time.Now()
	k, err := h.system().Part(ctx, h.options(), p)
	return &Draws{k, time.Since(start)}, err
}

// known returns what others found out about the first executions of the search, so that
// they need not be made; nil: nothing. An answer says that more cannot be known.
func (h *hosted) known(ctx context.Context) (*search.Stretch, *result.Answer, error) {
	hands := h.subject.Parts
	if hands == nil {
		return nil, nil, nil
	}
	s, why, err := h.spread(ctx, hands)
	if s == nil {
		if why != "" {
			hands.Here(why)
		}
		return nil, nil, err
	}
	known, err := s.Known(ctx)
	aside := (*setAsideError)(nil)
	switch {
	case errors.As(err, &aside) && (known == nil || !known.Ended):
		a := inconclusive(h.Bounds(), &result.Limit{Kind: refusal.SetAside, Reason: err.Error()})
		return nil, a, nil
	case err != nil && ctx.Err() == nil:
		return nil, nil, err
	}
	return known, nil, nil
}

// spread returns what hands out the executions of the search, or why they cannot be.
func (h *hosted) spread(ctx context.Context, hands work.Hands) (s *spread, why string, err error) {
	o := h.options()
	if o.Steps != nil {
		return nil, "its turns are shown", nil
	}
	if why := h.System.Parts(o); why != "" {
		return nil, why, nil
	}
	p, err := h.subject.packSystem(ctx)
	if here := (*HereError)(nil); errors.As(err, &here) {
		return nil, here.Why, nil
	}
	if err != nil {
		return nil, "", err
	}
	return &spread{
		Hands: hands,
		Unit:  func(part search.Part) (*work.Unit, error) { return p.part(hands.Build(), part) },
		File:  p.Content,
		Here: func(ctx context.Context, part search.Part) (*search.Stretch, error) {
			return h.system().Part(ctx, o, part)
		},
		Believe: func(k *search.Stretch, part search.Part) error { return h.system().BelieveStretch(k, o, part) },
		Tell:    func(executions int) { h.tell(fmt.Sprintf("%d executions, with workers", executions)) },
	}, "", nil
}

// part returns the unit that makes some executions.
func (p *Parcel) part(build string, part search.Part) (*work.Unit, error) {
	u, err := p.Unit(build)
	if err != nil {
		return nil, err
	}
	u.Kind = work.Draws
	if u.Ask, err = json.Marshal(SentPart{p.Sent, part}); err != nil {
		return nil, fmt.Errorf("writing a question: %w", err)
	}
	return u, nil
}

// toAnswer is how long a host has to answer when the time was up before it was asked: it
// makes no more executions, and says what is known.
const toAnswer = 50 * time.Millisecond

// answering returns a context in which the host can be asked for an answer, even if the
// time is up. It ends as the other one did.
func answering(ctx context.Context, known *search.Stretch) (context.Context, context.CancelFunc) {
	over := ctx.Err()
	if over == nil || known == nil {
		return ctx, func() {}
	}
	late := context.WithoutCancel(ctx)
	if errors.Is(over, context.DeadlineExceeded) {
		return context.WithTimeout(late, toAnswer)
	}
	late, cancel := context.WithCancel(late)
	time.AfterFunc(toAnswer, cancel)
	return late, cancel
}
