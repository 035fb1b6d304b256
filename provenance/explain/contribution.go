package explain

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs"
)

// contribution is a value that an aggregate in some column of a firing's head
// summarises.
type contribution struct {
	firing *provenance.Firing
	column int
	value  specs.Value
	per    string // the values that tell it apart from the same value of other rows
}

// contributes returns the contribution of a row to the aggregate in a column.
func contributes(firing *provenance.Firing, column int, row *provenance.Firing) contribution {
	a := firing.Rule().Head.Args[column].(*syntax.Aggregate)
	c := contribution{firing: firing, column: column, value: row.Value(a.Variable.Name)}
	for _, v := range a.Per {
		c.per += row.Value(v.Name).String() + ","
	}
	return c
}

// contributions returns the values that an aggregating firing needs to give
// this fact: for a minimum or maximum the value itself, otherwise all values
// that there are. They are in the order of the rows.
func (x *Explainer) contributions(f *provenance.Fact, firing *provenance.Firing) []contribution {
	var all []contribution
	for column, e := range firing.Rule().Head.Args {
		aggregate, ok := e.(*syntax.Aggregate)
		if !ok {
			continue
		}
		seen := map[contribution]bool{}
		extreme := aggregate.Func == "min" || aggregate.Func == "max"
		for _, row := range firing.Rows() {
			c := contributes(firing, column, row)
			if x.Fires(row) && (!extreme || c.value == f.Arg(column)) && !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// missed returns the rows that an aggregating firing lacks and that would have
// changed its result: one for each value, that which comes closest.
func (x *Explainer) missed(f *provenance.Fact, firing *provenance.Firing) []*candidate {
	var all []*candidate
	best := map[contribution]int{} // where in all
	for column, e := range firing.Rule().Head.Args {
		aggregate, ok := e.(*syntax.Aggregate)
		if !ok {
			continue
		}
		has := map[contribution]bool{}
		for _, row := range firing.Rows() {
			c := contributes(firing, column, row)
			has[c] = has[c] || x.Fires(row)
		}
		for _, row := range firing.Rows() {
			c := contributes(firing, column, row)
			if has[c] || !changes(aggregate.Func, c.value, f.Arg(column)) {
				continue
			}
			a := x.candidateOf(row)
			if i, known := best[c]; !known {
				best[c] = len(all)
				all = append(all, a)
			} else if a.missing() < all[i].missing() {
				all[i] = a
			}
		}
	}
	return all
}

// changes tells whether a further value would change the result of an aggregate.
func changes(function string, value, result specs.Value) bool {
	switch function {
	case "min":
		return value.Compare(result) < 0
	case "max":
		return value.Compare(result) > 0
	default:
		return true
	}
}
