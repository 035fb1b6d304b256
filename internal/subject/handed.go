package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/plainjson"
	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// handed returns the answer of a worker to whom the question was handed, nil if it is to
// be asked here: workers have no errors to tell, and nobody is believed who names a
// schedule that breaks nothing.
func (o *Opened) handed(ctx context.Context) (*result.Answer, error) {
	hands := o.subject.Hands
	if hands == nil {
		return nil, nil
	}
	p, err := o.Pack()
	if here := (*HereError)(nil); errors.As(err, &here) {
		hands.Here(here.Why)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u, err := p.Unit(hands.Build())
	if err != nil {
		return nil, err
	}
	r, err := hands.Do(ctx, u, o.subject.limit(ctx), p.Content)
	switch {
	case errors.As(err, new(*unit.RefusedError)):
		return nil, nil
	case err != nil && ctx.Err() != nil:
		return inconclusive(o.Bounds(), refusal.Ended(ctx)), nil
	case err != nil:
		return nil, err
	case r.Failure != "" && r.Tries > 0:
		return inconclusive(o.Bounds(), &result.Limit{Kind: refusal.SetAside, Reason: fmt.Sprintf("set aside after %s: %s", tried(r.Tries), r.Failure)}), nil
	case r.Failure != "":
		return nil, nil
	}
	a, err := o.believed(ctx, r.Answer)
	if err != nil && ctx.Err() == nil && o.Inexact() == "" {
		hands.Doubt(r, err)
	}
	return a, nil
}

// tried says how often something was.
func tried(n int) string {
	if n == 1 {
		return "one try"
	}
	return fmt.Sprintf("%d tries", n)
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

// believed reads an answer, and executes its schedules again. An error says what is wrong
// with it.
func (o *Opened) believed(ctx context.Context, text json.RawMessage) (*result.Answer, error) {
	a := &result.Answer{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	if err := Sound(a); err != nil {
		return nil, err
	}
	if !same(a.Scope, result.ScopeOf(o.Bounds())) {
		return nil, fmt.Errorf("its answer is about %s", a.Scope.Text)
	}
	for i := range a.Counterexamples {
		if err := o.breaks(ctx, &a.Counterexamples[i]); err != nil {
			return nil, err
		}
	}
	return a, nil
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
	case !same(in.Violations, c.Violations):
		return fmt.Errorf("under the schedule %q something else is broken than it says: %s", c.Schedule, in.Violations[0])
	case !within(c.Execution, in.Execution):
		return fmt.Errorf("under the schedule %q something else happens than it says", c.Schedule)
	}
	return nil
}

// within tells whether all that happens in an execution happens in another one.
func within(part, whole *recording.Execution) bool {
	if part == nil || whole == nil {
		return part == nil
	}
	facts, messages := map[string]bool{}, map[string]bool{}
	for _, f := range whole.Facts {
		facts[text(f)] = true
	}
	for _, m := range whole.Messages {
		messages[text(m)] = true
	}
	return same(part.Bounds, whole.Bounds) &&
		!slices.ContainsFunc(part.Facts, func(f recording.Fact) bool { return !facts[text(f)] }) &&
		!slices.ContainsFunc(part.Messages, func(m recording.Message) bool { return !messages[text(m)] })
}

// same tells whether two values are the same as JSON.
func same[T any](a, b T) bool { return text(a) == text(b) }

func text(v any) string {
	data, err := plainjson.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
