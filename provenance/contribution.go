package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// contribution is a value that an aggregate in some column of a firing's head
// summarises.
type contribution struct {
	firing *Firing
	column int
	value  dedalus.Value
}

// contributions returns the values that an aggregating firing needs to give
// this fact: for a minimum or maximum the value itself, otherwise all values
// that there are. They are in the order of the rows.
func (w *World) contributions(f *Fact, firing *Firing) []contribution {
	var all []contribution
	for column, e := range firing.Rule().Head.Args {
		aggregate, ok := e.(*dedalus.Aggregate)
		if !ok {
			continue
		}
		seen := map[contribution]bool{}
		extreme := aggregate.Func == "min" || aggregate.Func == "max"
		for _, row := range firing.Rows() {
			c := contribution{firing, column, row.value(aggregate.Variable.Name)}
			if w.Fires(row) && (!extreme || c.value == f.Arg(column)) && !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// value returns the value of a variable of the firing's rule.
func (f *Firing) value(variable string) dedalus.Value {
	i := slices.Index(f.rule.variables, variable)
	if i < 0 {
		return dedalus.Value{}
	}
	return f.rule.graph.values.list[f.env[i]]
}
