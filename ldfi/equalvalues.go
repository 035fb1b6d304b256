package ldfi

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// equalValues warns of sums and averages in which two rows have the same value without
// faults: it counts once, which is easily overlooked.
func equalValues(g *provenance.Graph) ([]specs.Warning, error) {
	w, err := g.Under(rounds.Schedule{})
	if err != nil {
		return nil, err
	}
	var all []specs.Warning
	for _, r := range g.Program.Rules {
		for _, e := range r.Head.Args {
			a, ok := e.(*syntax.Aggregate)
			if !ok || a.Func != "sum" && a.Func != "avg" {
				continue
			}
			rows := r.OverRows(a)
			if rows == nil || !equalRows(w, r, a) {
				continue
			}
			all = append(all, warning(g.Program, r, fmt.Sprintf("%s counts equal values of %s once, and there are some without faults; %s counts every row", a, a.Variable.Name, rows)))
		}
	}
	return all, nil
}

// equalRows tells whether two rows of a group contribute the same to an aggregate.
func equalRows(w *provenance.World, r *syntax.Rule, a *syntax.Aggregate) bool {
	for round := 1; round <= w.Graph.Bounds.EOT; round++ {
		for _, f := range w.Graph.Facts(r.Head.Relation, round) {
			for _, firing := range f.Firings() {
				if firing.Rule() == r && w.Fires(firing) && equalAmong(w, firing.Rows(), a) {
					return true
				}
			}
		}
	}
	return false
}

func equalAmong(w *provenance.World, rows []*provenance.Firing, a *syntax.Aggregate) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		if !w.Fires(row) {
			continue
		}
		key := row.Value(a.Variable.Name).String()
		for _, v := range a.Per {
			key += "," + row.Value(v.Name).String()
		}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}
