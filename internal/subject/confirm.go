package subject

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// read reads an answer.
func read(text json.RawMessage) (*result.Answer, error) {
	a := &result.Answer{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("its answer cannot be read: %w", err)
	}
	return a, Sound(a)
}

// confirms executes the schedules of an answer again, and reports differences from the
// answer.
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

// breaks executes the schedule of a counterexample, and reports differences from the
// counterexample.
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

// broken is the part of a violation that an execution shows: not its wording, and not its
// causes.
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

// within tells whether all facts and messages of the execution part are in the execution
// whole.
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

// same tells whether a and b are equal as JSON.
func same[T any](a, b T) bool { return encoded(a) == encoded(b) }

func encoded(v any) string {
	data, err := text.MarshalJSON(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
