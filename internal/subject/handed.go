package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Handed returns the answer of a worker to whom the question is handed, without opening a
// system for it; nil if it is to be asked here: workers have no errors to tell, and nobody
// is believed who names a schedule that breaks nothing. What is to be executed again is
// opened by open.
func (s *Subject) Handed(ctx context.Context, open func() (*Opened, error)) (*result.Answer, error) {
	h := handing{Subject: s, pack: s.packSystem, open: open}
	return h.answer(ctx)
}

// handed does the same with what is open.
func (o *Opened) handed(ctx context.Context) (*result.Answer, error) {
	h := handing{Subject: o.subject, pack: o.Pack, open: func() (*Opened, error) { return o, nil }, bounds: o.Bounds()}
	return h.answer(ctx)
}

// handing is a question that is handed to workers.
type handing struct {
	*Subject
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
		return inconclusive(h.bounds.Normal(), &result.Limit{Kind: refusal.SetAside, Reason: aside.Error()}), nil
	case ctx.Err() != nil:
		return inconclusive(h.bounds.Normal(), refusal.Ended(ctx)), nil
	default:
		return nil, err
	}
}

// errHere says that a unit is for the caller: it could not be handed out, it came to no
// answer, or that is not believed.
var errHere = errors.New("to be done in this process")

// setAsideError says that nobody could do a unit.
type setAsideError struct{ why string } // as [work.Result.SetAside]

func (e *setAsideError) Error() string { return e.why }

// hand hands a unit out, and lets believe look at the answer: what it says is not true, or
// why that cannot be found out. The error may be errHere, a setAsideError, or the end of the
// context; any other one says that nobody can do any unit.
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

// onTheWay is how long an answer may take to come back and be confirmed after the time is
// up: a worker says then what is known.
const onTheWay = 500 * time.Millisecond

// patient returns a context that ends so long after the time of another one is up, and at
// once when that is cancelled.
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

// believed reads an answer, and says what is wrong with it: what it says happens is executed
// again.
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

// limit is how long the question may take whoever is handed it: no longer than the
// context lives.
func (s *Subject) limit(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	switch left := time.Until(end); {
	case !ok:
		return s.Limit
	case s.Limit == 0 || left < s.Limit:
		return max(left, time.Nanosecond)
	default:
		return s.Limit
	}
}

// read reads an answer.
func read(text json.RawMessage) (*result.Answer, error) {
	a := &result.Answer{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	return a, Sound(a)
}

// confirms executes the schedules of an answer again, and reports what is wrong with it.
func (o *Opened) confirms(ctx context.Context, a *result.Answer) error {
	if !same(a.Scope, result.ScopeOf(o.Bounds())) {
		return fmt.Errorf("its answer is about %s", a.Scope.Text)
	}
	for i := range a.Counterexamples {
		if err := o.breaks(ctx, &a.Counterexamples[i]); err != nil {
			return err
		}
	}
	return nil
}

// breaks executes a counterexample, and reports what is not as it says.
func (o *Opened) breaks(ctx context.Context, c *result.Counterexample) error {
	in, err := o.Replay(ctx, c.Schedule)
	switch {
	case err != nil:
		return fmt.Errorf("it names the schedule %q, which cannot be executed: %w", c.Schedule, err)
	case in.Verdict != result.Violated:
		return fmt.Errorf("it names the schedule %q, which breaks nothing", c.Schedule)
	case c.Size != c.Schedule.Size():
		return fmt.Errorf("it says that the schedule %q has size %d", c.Schedule, c.Size)
	case in.Repeats != nil || c.Repeats != nil: // another execution may differ
		return nil
	case !slices.Equal(brokenBy(in.Violations), brokenBy(c.Violations)):
		return fmt.Errorf("under the schedule %q something else is broken than it says: %s", c.Schedule, in.Violations[0])
	case !within(c.Execution, in.Execution):
		return fmt.Errorf("under the schedule %q something else happens than it says", c.Schedule)
	}
	return nil
}

// broken is what of a violation an execution shows: not the words for it, nor why it came
// about.
type broken struct {
	property string
	fact     string
	missing  bool
}

func brokenBy(all result.List[result.Violation]) []broken {
	var list []broken
	for _, v := range all {
		list = append(list, broken{v.Property, v.Fact.String(), v.Missing})
	}
	return list
}

// within tells whether all that happens in an execution happens in another one.
func within(part, whole *recording.Execution) bool {
	if part == nil || whole == nil {
		return part == nil
	}
	facts, messages := map[string]bool{}, map[sentMessage]bool{}
	for _, f := range whole.Facts {
		facts[f.String()] = true
	}
	for _, m := range whole.Messages {
		messages[sentMessageOf(m)] = true
	}
	return same(part.Bounds, whole.Bounds) &&
		!slices.ContainsFunc(part.Facts, func(f recording.Fact) bool { return !facts[f.String()] }) &&
		!slices.ContainsFunc(part.Messages, func(m recording.Message) bool { return !messages[sentMessageOf(m)] })
}

// sentMessage is a message that can be compared.
type sentMessage struct {
	text, to    string
	arrival     int
	again, lost bool
	cause       rounds.Fault
}

func sentMessageOf(m recording.Message) sentMessage {
	return sentMessage{m.String(), m.To, m.Arrival, m.Again, m.Lost, m.Cause}
}

// same tells whether two values are the same as JSON.
func same[T any](a, b T) bool { return encoded(a) == encoded(b) }

func encoded(v any) string {
	data, err := text.MarshalJSON(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
