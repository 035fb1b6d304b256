package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Why explains why the facts that match query hold under the schedule s, or why none
// does. The query is a fact as [dedalus.ParseQuery] reads it; without a round it is
// about the last round in which a matching fact holds. The schedule may have more
// faults than the bounds allow; it must name the processes and rounds of the bounds.
// Limits and a cancelled context are errors here.
func (m *Model) Why(ctx context.Context, query string, s rounds.Schedule) (*explain.Explanation, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	q, err := dedalus.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	if err := known(m.program, q.Relation); err != nil {
		return nil, err
	}
	if err := s.Check(m.bounds); err != nil {
		return nil, err
	}
	if err := schedules.Assumed(s, m.bounds); err != nil {
		return nil, err
	}
	only := []string{q.Relation}
	if len(m.program.Slice(only...).Relations()) == 0 {
		only = nil // nothing defines the relation, but rules read it
	}
	w, _, err := m.world(ctx, s, only...)
	if err != nil {
		return nil, err
	}
	return explain.New(w).Explain(q, explain.Limits{Levels: m.options.Depth})
}

// known checks that the program has a relation, the built-in one included.
func known(p *dedalus.Program, relation string) error {
	names := []string{"crash"}
	for _, r := range p.Relations() {
		names = append(names, r.Name)
	}
	if slices.Contains(names, relation) {
		return nil
	}
	return fmt.Errorf("the program has no relation %q%s", relation, text.DidYouMean(relation, names))
}
