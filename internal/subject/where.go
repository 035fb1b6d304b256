package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// A search is made in one of three ways:
//
//   - elsewhere: a worker answers the whole question ([Common.Hands]);
//   - in parts: workers make executions of the search of a system, which follow from a seed
//     and their numbers alone, and the search here skips the executions that are known not
//     to end it ([System.Parts]);
//   - here: this process makes the whole search.
//
// If others cannot do a search, it is made here, and the hands are told why. In each way
// the answer is that of a search in one process, and this process has executed every
// violation.

// Search looks for a schedule within the bounds that breaks the promise. When
// the context ends before that is known, the answer is inconclusive. An error
// says that the question has no answer (so do bounds that are [Opened.Idle]), or
// an internal error. Who was handed the question may have answered it.
func (o *Opened) Search(ctx context.Context) (*result.Answer, error) {
	a, _, err := o.answer(ctx)
	return a, err
}

// answer returns the answer. The result theirs tells that it is the answer of a worker, or
// may depend on answers of workers.
func (o *Opened) answer(ctx context.Context) (a *result.Answer, theirs bool, err error) {
	if err := o.Idle(); err != nil {
		return nil, false, err
	}
	if a, err = o.elsewhere(ctx); a != nil || err != nil {
		theirs = true
	} else {
		a, err = o.here(ctx)
		s := o.subject.AsSystem()
		theirs = s != nil && s.Parts != nil
	}
	if a != nil {
		o.suspect(ctx, a)
	}
	return a, theirs, err
}

// here searches in this process; a system perhaps in parts, see [OpenedSystem.known].
func (o *Opened) here(ctx context.Context) (*result.Answer, error) {
	start := time.Now()
	if limit := o.subject.Shared().Limit; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	a, err := limits.Await(ctx, limits.QuestionGrace, func() (*result.Answer, error) { return o.search(ctx) })
	if left := (*limits.LeftError)(nil); errors.As(err, &left) {
		a, err = inconclusive(o.Bounds(), result.Ended(ctx)), nil
	}
	if err != nil {
		return nil, err
	}
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	return a, nil
}

// elsewhere returns the answer of a worker to the question; nil if the question is to be
// asked here: workers report no errors, and a worker is not believed if its schedule breaks
// nothing.
func (o *Opened) elsewhere(ctx context.Context) (*result.Answer, error) {
	h := handing{Common: o.subject.Shared(), pack: o.Pack, open: func() (*Opened, error) { return o, nil }, bounds: o.Bounds()}
	return h.answer(ctx)
}

// Elsewhere returns the answer of a worker, or nil, without starting the host. It calls
// open to execute schedules of the answer again.
func (s *System) Elsewhere(ctx context.Context, open func() (*Opened, error)) (*result.Answer, error) {
	h := handing{Common: &s.Common, pack: s.pack, open: open}
	return h.answer(ctx)
}

// HereError says why a question can only be asked in this process.
type HereError struct{ Why string }

func (e *HereError) Error() string { return e.Why }

var errProofHere = &HereError{"a proof for any number of rounds is looked for, and checked, on this machine"}

var errGuideHere = &HereError{"its guide is followed on this machine"}

// stays reports why a protocol can only be asked here.
func (s *Protocol) stays() error {
	switch {
	case s.Solver != "":
		return &HereError{"its SAT solver is a program of this machine"}
	case s.AnyRounds:
		return errProofHere
	case s.Certifier != nil, s.Certify != nil:
		return &HereError{"its proof is written on this machine"}
	case s.Trace != nil:
		return &HereError{"its turns are shown"}
	case s.Guide != "":
		return errGuideHere
	}
	return nil
}

// stays reports why a system can only be asked here; [System.pack] may find more reasons.
func (s *System) stays() error {
	switch {
	case s.Trace != nil:
		return &HereError{"its turns are shown"}
	case s.Guide != "":
		return errGuideHere
	case len(s.Past) > 0:
		return &HereError{"known violations of the system are skipped here"}
	}
	return nil
}

// handing is a question that is handed to workers.
type handing struct {
	*Common
	pack   func(context.Context) (*Parcel, error)
	open   func() (*Opened, error)
	bounds rounds.Bounds // if they are known
}

func (h *handing) answer(ctx context.Context) (*result.Answer, error) {
	if h.Hands == nil {
		return nil, nil
	}
	p, err := h.pack(ctx)
	if here := (*HereError)(nil); errors.As(err, &here) {
		h.Hands.Here(here.Why)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u, err := p.Unit(h.Hands.Build())
	if err != nil {
		return nil, err
	}
	limit := h.limit(ctx)
	waiting, end := patient(ctx)
	defer end()
	var a *result.Answer
	err = hand(waiting, h.Hands, u, limit, p.Content, func(answer json.RawMessage) (lie, err error) {
		a, lie, err = h.believed(waiting, answer)
		return lie, err
	})
	aside := (*setAsideError)(nil)
	switch {
	case err == nil:
		return a, nil
	case errors.Is(err, errHere):
		return nil, nil
	case errors.As(err, &aside):
		return inconclusive(h.bounds.Normal(), &result.Limit{Kind: limits.SetAside, Reason: aside.Error()}), nil
	case ctx.Err() != nil:
		return inconclusive(h.bounds.Normal(), result.Ended(ctx)), nil
	default:
		return nil, err
	}
}

// limit is the time limit of the question for a worker: no longer than the context lives.
func (h *handing) limit(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	switch left := time.Until(end); {
	case !ok:
		return h.Limit
	case h.Limit == 0 || left < h.Limit:
		return max(left, time.Nanosecond)
	default:
		return h.Limit
	}
}

// onTheWay is the time that an answer may take to come back and be confirmed after the
// limit: a worker answers at the limit.
const onTheWay = 500 * time.Millisecond

// patient returns a context that ends onTheWay after the deadline of ctx, and at once when
// ctx is cancelled.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			time.AfterFunc(onTheWay, cancel)
			return
		}
		cancel()
	})
	return late, func() { stop(); cancel() }
}

// believed reads an answer, and executes its schedules again (confirm.go). The error lie
// says that the answer is not true.
func (h *handing) believed(ctx context.Context, answer json.RawMessage) (a *result.Answer, lie, err error) {
	a, lie = read(answer)
	if lie != nil || len(a.Counterexamples) == 0 && len(h.bounds.Processes) == 0 {
		return a, lie, nil
	}
	o, err := h.open()
	if err != nil {
		return nil, nil, err
	}
	if lie = o.confirms(ctx, a); lie != nil && o.Inexact() != "" { // another execution may differ
		return nil, nil, errHere
	}
	return a, lie, nil
}

// errHere says that a unit is for the caller: it could not be handed out, it came to no
// answer, or that is not believed.
var errHere = errors.New("to be done in this process")

// setAsideError says that no worker could do a unit.
type setAsideError struct{ why string } // as [work.Result.SetAside]

func (e *setAsideError) Error() string { return e.why }

// hand hands out a unit, and checks the answer by believe: its first error says that the
// answer is not true, its second one why that is unknown. The error of hand may be errHere,
// a setAsideError, or the end of the context; any other error says that no worker can do
// any unit.
func hand(ctx context.Context, hands work.Hands, u *work.Unit, limit time.Duration, file func(string) ([]byte, error), believe func(json.RawMessage) (lie, err error)) error {
	r, err := hands.Do(ctx, u, limit, file)
	switch {
	case errors.As(err, new(*work.RefusedError)):
		return errHere
	case err != nil:
		return err
	case r.SetAside() != "":
		return &setAsideError{r.SetAside()}
	case r.Failure != "": // the question may have no answer, or the worker an error of its own
		return errHere
	}
	lie, err := believe(r.Answer)
	switch {
	case lie == nil || err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	hands.Doubt(u, r, file, lie)
	return errHere
}

// known returns results of the first executions of the search of a system that workers have
// made, so that they need not be made here; nil if there are none. If it returns an answer,
// no more can be known.
func (h *OpenedSystem) known(ctx context.Context) (*search.Stretch, *result.Answer, error) {
	hands := h.question.Parts
	if hands == nil {
		return nil, nil, nil
	}
	s, err := h.inParts(ctx, hands)
	if here := (*HereError)(nil); errors.As(err, &here) {
		hands.Here(here.Why)
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	known, err := s.Known(ctx)
	aside := (*setAsideError)(nil)
	switch {
	case errors.As(err, &aside) && (known == nil || !known.Ended):
		a := inconclusive(h.Bounds(), &result.Limit{Kind: limits.SetAside, Reason: err.Error()})
		return nil, a, nil
	case err != nil && ctx.Err() == nil:
		return nil, nil, err
	}
	return known, nil, nil
}

// inParts returns the spread that hands out the executions of the search; a [HereError]
// says why they cannot be handed out.
func (h *OpenedSystem) inParts(ctx context.Context, hands work.Hands) (*spread, error) {
	o := h.options()
	if o.Steps != nil {
		return nil, &HereError{"its turns are shown"}
	}
	if why := h.System.Parts(o); why != "" {
		return nil, &HereError{why}
	}
	p, err := h.question.pack(ctx)
	if err != nil {
		return nil, err
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
	}, nil
}

// toAnswer is the time that a host has to answer if the limit was over before the question:
// it makes no more executions, and returns its results.
const toAnswer = 50 * time.Millisecond

// answering returns a context in which the host can be asked for an answer, even if ctx is
// over. Its end has the same cause as that of ctx.
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
