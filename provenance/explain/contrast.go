package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
)

// What package contrast asks of the two worlds that it compares.

// Derivation returns the firing by which a fact that holds is explained: the cheapest
// one. It is nil when the program states the fact, or it is built in.
func (x *Explainer) Derivation(f *provenance.Fact) *provenance.Firing { return x.derivation(f) }

// Carries tells whether a firing does nothing but carry the fact over from the round
// before.
func Carries(f *provenance.Fact, firing *provenance.Firing) bool { return carries(f, firing) }

// Travels tells whether a firing sends a message from one process to another.
func Travels(firing *provenance.Firing) bool { return travels(firing) }

// Summarised returns the rows by which an aggregating firing, which fires, gives a
// fact: one for each value that it needs.
func (x *Explainer) Summarised(f *provenance.Fact, firing *provenance.Firing) []*provenance.Firing {
	x.settle(f)
	var rows []*provenance.Firing
	for _, c := range x.contributions(f, firing) {
		if row := x.row(c); row != nil && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Gained returns rows of an aggregating firing, of those given, that fire in this world and in
// another one change the fact that it gives there: one for each value that it does not
// summarise there.
func (x *Explainer) Gained(f *provenance.Fact, firing *provenance.Firing, rows []*provenance.Firing, other *Explainer) []*provenance.Firing {
	var gained []*provenance.Firing
	for column, e := range firing.Rule().Head.Args {
		aggregate, ok := e.(*syntax.Aggregate)
		if !ok {
			continue
		}
		has := map[contribution]bool{}
		for _, row := range firing.Rows() {
			if other.Fires(row) {
				has[contributes(firing, column, row)] = true
			}
		}
		for _, row := range rows {
			c := contributes(firing, column, row)
			if x.Fires(row) && !has[c] && changes(aggregate.Func, c.value, f.Arg(column)) {
				has[c] = true
				gained = append(gained, row)
			}
		}
	}
	return gained
}

// Matching returns the facts that hold in this world of those that an absence in a firing
// of another one is about.
func (x *Explainer) Matching(a *provenance.Absence) []*provenance.Fact {
	p := x.absencePattern(a)
	return slices.DeleteFunc(slices.Clone(x.holding(p.Relation, a.Round)), func(f *provenance.Fact) bool { return !p.matches(f.Args()) })
}
