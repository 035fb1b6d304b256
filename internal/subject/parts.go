package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Part is a part of the question about a protocol, as a unit asks it.
type Part struct {
	Question Sent       `json:"question"`
	Case     cases.Case `json:"case"`
}

// parts hands out the parts of a question. It is an [cases.Decider].
type parts struct {
	hands  unit.Hands
	parcel *Parcel
	begun  atomic.Bool // some part was handed out
}

// Why a question about a protocol is answered without others.
const (
	noParts   = "it has no parts that others could decide"
	soonKnown = "it was answered sooner than handed out"
)

// partly decides the question about a protocol, parts of which others decide.
func (o *Opened) partly(ctx context.Context, p *protocol, hands unit.Hands) (*result.Answer, error) {
	if p.loops || o.subject.Solver != "" {
		hands.Here(noParts)
		return p.search(ctx)
	}
	parcel, err := o.Pack(ctx)
	if here := (*HereError)(nil); errors.As(err, &here) {
		hands.Here(here.Why)
		return p.search(ctx)
	}
	if err != nil {
		return nil, err
	}
	out := &parts{hands: hands, parcel: parcel}
	a, err := p.checked(ctx, p.model.With(out).Check)
	if err == nil && !out.begun.Load() {
		hands.Here(soonKnown)
	}
	return a, err
}

// Slots is how many parts are decided at a time.
func (p *parts) Slots() int { return p.hands.Slots() }

// Decide lets others decide a part. Those who say what cannot be true are not believed.
func (p *parts) Decide(ctx context.Context, c cases.Case, check func(cases.Outcome) error) (o cases.Outcome, err error) {
	u, err := p.unit(c)
	if err != nil {
		return o, err
	}
	p.begun.Store(true)
	r, err := p.hands.Do(ctx, u, 0, p.parcel.Content)
	switch {
	case errors.As(err, new(*unit.RefusedError)):
		return o, cases.ErrHere
	case err != nil:
		return o, err
	case r.SetAside() != "":
		return o, fmt.Errorf("the unit %.12s was %s", u.Address(), r.SetAside())
	case r.Failure != "": // the error of the question, or one of the worker
		return o, cases.ErrHere
	}
	if err = json.Unmarshal(r.Answer, &o); err != nil {
		err = fmt.Errorf("its answer cannot be read: %w", err)
	} else {
		err = check(o)
	}
	if err != nil && ctx.Err() == nil {
		p.hands.Doubt(u, r, p.parcel.Content, err)
	}
	if err != nil {
		return cases.Outcome{}, cases.ErrHere
	}
	return o, nil
}

// unit returns the unit that asks for a part.
func (p *parts) unit(c cases.Case) (*unit.Unit, error) {
	ask, err := json.Marshal(Part{p.parcel.Sent, c})
	if err != nil {
		return nil, fmt.Errorf("writing a part of a question: %w", err)
	}
	return &unit.Unit{Kind: unit.Cube, Build: p.hands.Build(), Files: p.parcel.Files, Ask: ask}, nil
}

// Casework prepares to decide parts of the question of a task.
func (q *Sent) Casework(ctx context.Context, t *unit.Task) (cases.Work, error) {
	o, err := q.Open(ctx, t)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	m := o.Model()
	if m == nil {
		return nil, errors.New("only the question about a protocol has parts")
	}
	return m.Casework(ctx)
}

// search answers the question, or lets others answer parts of it.
func (o *Opened) search(ctx context.Context) (*result.Answer, error) {
	if p, ok := o.asked.(*protocol); ok && o.subject.Parts != nil {
		return o.partly(ctx, p, o.subject.Parts)
	}
	return o.asked.search(ctx)
}
