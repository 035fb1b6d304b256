package vet

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Symmetry is which processes a program within bounds does not tell apart.
type Symmetry struct {
	// Orbits are the sets of processes, by their indexes in the bounds, any two of which
	// can swap their names. Each is sorted and has two or more.
	Orbits [][]int

	bounds  rounds.Bounds
	columns *columns
	values  []specs.Value       // of the processes
	number  map[specs.Value]int // of a process, by its value
	place   map[string]int      // of a process, by its name
}

// SymmetryOf returns the symmetry of a program within bounds, which know its choices.
func SymmetryOf(p *dedalus.Program, b rounds.Bounds) *Symmetry {
	s := &Symmetry{bounds: b, number: make(map[specs.Value]int, len(b.Processes)), place: make(map[string]int, len(b.Processes))}
	for i, name := range b.Processes {
		s.place[name] = i
	}
	if b.Points != nil || b.Disks {
		return s // of systems
	}
	for i, name := range b.Processes {
		v := p.ProcessValue(name)
		s.values = append(s.values, v)
		s.number[v] = i
	}
	if s.columns = newColumns(p, b, s.number); !s.columns.generic() {
		return s
	}
	t := newText(s, p)
	var classes [][]int
	for q := range b.Processes {
		same := func(class []int) bool { return t.alike(class[0], q) && t.unchanged(s.Swap(class[0], q)) }
		if i := slices.IndexFunc(classes, same); i >= 0 {
			classes[i] = append(classes[i], q)
		} else {
			classes = append(classes, []int{q})
		}
	}
	for _, class := range classes {
		if len(class) > 1 {
			s.Orbits = append(s.Orbits, class)
		}
	}
	return s
}

// Swap returns the swap of the names of two processes, given by their indexes in the
// bounds.
func (s *Symmetry) Swap(p, q int) Swap {
	to := make([]int, len(s.bounds.Processes))
	for i := range to {
		to[i] = i
	}
	to[p], to[q] = q, p
	return Swap{Renaming{s, to}, p, q}
}

// Renaming gives process i the name of process to[i], which is of the same orbit.
func (s *Symmetry) Renaming(to []int) Renaming { return Renaming{s, to} }

// Place returns the place of the process that a value stands for in a column of a
// relation, and false if it stands for none.
func (s *Symmetry) Place(relation string, column int, v specs.Value) (int, bool) {
	p, ok := s.number[v]
	return p, ok && s.columns != nil && s.columns.hasProcesses(relation, column)
}

// named returns the processes that a fact names, each once.
func (s *Symmetry) named(f fact) (processes []int) {
	for i, v := range f.args {
		if p, ok := s.number[v]; ok && s.columns.hasProcesses(f.relation, i) && !slices.Contains(processes, p) {
			processes = append(processes, p)
		}
	}
	return processes
}

// Shape returns a text that two facts have in common if and only if one becomes the other
// when processes of the same orbits swap their names.
func (s *Symmetry) Shape(relation string, args []specs.Value, round int) string {
	f := fact{relation, round, slices.Clone(args)}
	names := s.named(f)
	for i, v := range args {
		p, ok := s.number[v]
		if !ok || !s.columns.hasProcesses(relation, i) {
			continue
		}
		orbit := slices.IndexFunc(s.Orbits, func(orbit []int) bool { return slices.Contains(orbit, p) })
		if orbit >= 0 {
			f.args[i] = specs.String(fmt.Sprintf("%d of orbit %d", slices.Index(names, p), orbit))
		}
	}
	return f.key()
}
