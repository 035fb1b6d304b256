package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Safety asks about violation alone for any number of rounds, if pre and post break before it does: that something bad
// never happens may be true though something good does not come in time. It is nil for another answer than one of
// AnyRounds or Within, and if violation is what breaks.
func (m *Model) Safety(ctx context.Context, a *result.Answer) (*result.Safety, error) {
	w, err := m.promised()
	if err != nil {
		return nil, err
	}
	of := func(v result.Violation) bool { return v.Fact.Relation == violationRelation }
	if a.Rounds == nil || a.Verdict != result.Violated || !w.prePost || !w.violation || slices.ContainsFunc(a.First().Violations, of) {
		return nil, nil
	}
	ends := func(relation string) bool { return relation == preRelation || relation == postRelation }
	p := *m.program
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules), func(r *syntax.Rule) bool { return ends(r.Head.Relation) })
	p.Facts = slices.DeleteFunc(slices.Clone(p.Facts), func(f *syntax.Fact) bool { return ends(f.Relation) })
	for i, r := range p.Rules {
		own := *r
		own.Index = i
		p.Rules[i] = &own
	}
	b := m.bounds
	b.Within = ""
	alone, err := New(&p, b, m.options)
	if err != nil {
		return nil, err
	}
	about, err := alone.AnyRounds(ctx)
	if err != nil {
		return nil, err
	}
	s := &result.Safety{Verdict: about.Verdict, Rounds: *about.Rounds}
	if first := about.First(); first != nil {
		s.Schedule = &first.Schedule
	}
	return s, nil
}
