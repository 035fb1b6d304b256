package provenance

import "github.com/lineage-driven/ldfi/specs"

// absence returns the absence that a negated atom of the firing's rule requires. It only
// reads, so several goroutines may call it at once.
func (f *Firing) absence(a *atom) *Absence {
	values := f.rule.graph.values.list
	absence := &Absence{
		Atom:  a.source,
		Round: a.round(int(f.round)),
		Args:  make([]specs.Value, len(a.columns)),
		Free:  make([]bool, len(a.columns)),
	}
	for i, col := range a.columns {
		if col.value == nil {
			absence.Free[i] = true
			continue
		}
		absence.Args[i], _ = col.value.value(f.rule.graph.values, f.env)
	}
	n := a.node(int(f.round))
	if n == nil {
		return absence
	}
	for _, fact := range n.facts {
		matches := a.repeats(fact)
		for i, id := range fact.tuple {
			matches = matches && (absence.Free[i] || values[id] == absence.Args[i])
		}
		if matches {
			absence.Facts = append(absence.Facts, fact)
		}
	}
	return absence
}
