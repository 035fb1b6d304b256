package strategies

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Nothing is a property that no execution violates: a search with it ends when no unknown
// step can be reached.
func Nothing() property.Property {
	return property.Property{Name: "nothing is promised", Rules: datalog.Dedalus("nothing", "violation(P) :- nothing?(P);")}
}

// LearnAll learns the behaviour of the processes within the bounds of a session, whose
// property has to be [Nothing]. The answer holds if no step is unknown.
func LearnAll(ctx context.Context, s *search.Session) (*learned.Learned, error) {
	if err := learnable(s); err != nil {
		return nil, err
	}
	l, err := newLearner(s)
	if err != nil {
		return nil, err
	}
	a, err := l.answer(ctx)
	if err != nil {
		return nil, err
	}
	t := l.table.known()
	t.Settings = l.With(l.table.schedule).Settings
	return &learned.Learned{Table: t, Answer: a}, nil
}

// learnable reports parts of a session that a table has no rows for, but that facts could
// express.
func learnable(s *search.Session) error {
	b := s.Bounds
	if b.Choices != 0 || b.Restarts != 0 || b.Pauses != 0 || b.Delays != 0 || b.Duplicates != 0 || b.Orders != 0 || b.Crashes != 0 && len(b.Points) > 0 {
		return errors.New("a learned program has no choices of requests, restarts, pauses, delays, duplicates, orders and crashes within a round: leave them out of the bounds")
	}
	if err := b.CheckProgram(); err != nil && len(b.Points) == 0 {
		return fmt.Errorf("writing what was learned as a program: %w", err)
	}
	return nil
}

// known returns the table by numbers.
func (t *table) known() *learned.Table {
	out := &learned.Table{Processes: t.processes, Facts: t.reports.facts}
	for p, names := range t.names {
		out.States, out.Starts = append(out.States, names.all()), append(out.Starts, int(t.starts[p]))
	}
	for _, list := range t.payloads.lists {
		var messages []learned.Message
		for _, payload := range list {
			messages = append(messages, learned.Message{Kind: execution.PayloadKind(payload), Text: execution.PayloadText(payload)})
		}
		out.Messages = append(out.Messages, messages)
	}
	sets := t.reported()
	for _, set := range sets {
		out.Sets = append(out.Sets, ints(t.reports.lists[set]))
	}
	for k, r := range t.rows {
		out.Sends = append(out.Sends, learned.Send{Process: int(k.process), Round: int(k.round), State: int(k.state), To: ints(r.sending.to)})
	}
	for what, step := range t.transitions {
		of := ints(unpack(what))
		out.Steps = append(out.Steps, learned.Step{Process: of[0], Round: of[1], State: of[2], From: of[3:], Next: int(step.next), Set: place(sets, step.reports)})
	}
	out.Sort()
	return out
}

// reported returns the sets of facts that some process reports in a round, that of
// none first.
func (t *table) reported() []int32 {
	sets := []int32{0}
	for _, step := range t.transitions {
		sets = append(sets, step.reports)
	}
	slices.Sort(sets)
	return slices.Compact(sets)
}

func ints(all []int32) []int {
	out := make([]int, len(all))
	for i, n := range all {
		out[i] = int(n)
	}
	return out
}

// place returns the index of a number in a sorted list.
func place(sorted []int32, n int32) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i
}
