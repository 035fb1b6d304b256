package provenance

import (
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// Beginning says whether a fault begins in a step, in whatever way and for how long.
type Beginning struct {
	Name string // as [Roundless] writes the fault
	Lit  solver.Lit
}

// Begins returns what can begin in a step, each fault once, in the order of the universe.
func (s *Step) Begins() (all []Beginning) {
	index := map[string]int{}
	for unit := range s.Graph.Universe.Len() {
		f := s.Graph.Universe.Fault(unit)
		l, ok := s.units[key(f)]
		if !ok || f.Kind == rounds.Choose {
			continue
		}
		name := Roundless(f)
		i, known := index[name]
		if !known {
			i = len(all)
			index[name] = i
			all = append(all, Beginning{name, solver.False})
		}
		all[i].Lit = s.Graph.Circuit.Or(all[i].Lit, l)
	}
	return all
}

// Roundless writes a fault without its rounds: omit a>b.
func Roundless(f rounds.Fault) string {
	text := f.String()
	return text[:strings.LastIndex(text, "@")]
}
