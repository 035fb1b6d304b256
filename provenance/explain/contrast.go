package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// summarised returns the rows by which an aggregating firing, which fires, gives a
// fact: one for each value that it needs.
func (x *Explainer) summarised(f *provenance.Fact, firing *provenance.Firing) []*provenance.Firing {
	x.settle(f)
	var rows []*provenance.Firing
	for _, c := range x.contributions(f, firing) {
		if row := x.row(c); row != nil && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// gained returns rows that a firing summarises in this world and that change the fact of
// others, a firing of the same rule and group in another world: one for each value that
// others does not summarise. The worlds may be of two programs.
func (x *Explainer) gained(f *provenance.Fact, firing, others *provenance.Firing, other *Explainer) []*provenance.Firing {
	var gained []*provenance.Firing
	for column, e := range firing.Rule().Head.Args {
		aggregate, ok := e.(*syntax.Aggregate)
		if !ok {
			continue
		}
		has := map[contribution]bool{}
		for _, row := range others.Rows() {
			if other.Fires(row) {
				has[contributed(others, column, row)] = true
			}
		}
		for _, row := range firing.Rows() {
			c := contributed(firing, column, row)
			if x.Fires(row) && !has[c] && changes(aggregate.Func, c.value, f.Arg(column)) {
				has[c] = true
				gained = append(gained, row)
			}
		}
	}
	return gained
}

// contributed is the contribution of a row, whichever firing summarises it.
func contributed(firing *provenance.Firing, column int, row *provenance.Firing) contribution {
	c := contributes(firing, column, row)
	c.firing = nil
	return c
}

// sameGroup tells whether two facts, which may be of two programs, are of one group of an
// aggregating rule: they have the same values in the columns that it does not summarise.
func sameGroup(r *syntax.Rule, f, g *provenance.Fact) bool {
	a, b := f.Args(), g.Args()
	if len(a) != len(b) || len(a) != len(r.Head.Args) {
		return false
	}
	for i, e := range r.Head.Args {
		if _, summarised := e.(*syntax.Aggregate); !summarised && a[i] != b[i] {
			return false
		}
	}
	return true
}

// Obstacles returns what keeps the rule r of this world's program from giving the fact f,
// which may be of another program, in the instance that comes closest: facts that hold and
// must not, and missing facts whose values are all known. It returns none for rules that
// summarise, and for rules that can never give f.
func (x *Explainer) Obstacles(r *syntax.Rule, f *provenance.Fact) (present []*provenance.Fact, absent []recording.Fact) {
	summarises := slices.ContainsFunc(r.Head.Args, func(e syntax.Expr) bool { _, ok := e.(*syntax.Aggregate); return ok })
	round := f.Round()
	if r.Kind != syntax.Deductive {
		round--
	}
	if summarises || len(r.Head.Args) != len(f.Args()) || round < 1 {
		return nil, nil
	}
	c := x.closest(r, x.factPattern(f), round)
	if c == nil {
		return nil, nil
	}
	for _, part := range c.parts {
		switch {
		case part.Met || part.Atom == nil:
		case part.Negated && part.fact != nil:
			present = append(present, part.fact)
		case !part.Negated:
			if missing, ok := part.Atom.ground(); ok {
				absent = append(absent, missing)
			}
		}
	}
	return present, absent
}

// ground returns the only fact that meets a pattern, false if there may be several.
func (p Pattern) ground() (recording.Fact, bool) {
	f := recording.Fact{Relation: p.Relation, Round: p.First}
	for _, c := range p.Columns {
		f.Args = append(f.Args, c.Value)
		if c.Open {
			return f, false
		}
	}
	return f, p.First == p.Last
}

// Matching returns the facts of this world that match a, an absence in a firing of another
// world.
func (x *Explainer) Matching(a *provenance.Absence) []*provenance.Fact {
	p := x.absencePattern(a)
	return slices.DeleteFunc(slices.Clone(x.holding(p.Relation, a.Round)), func(f *provenance.Fact) bool { return !p.matches(f.Args()) })
}
