package vet

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Renaming gives processes other names, each a name of its orbit, and no two the same.
type Renaming struct {
	symmetry *Symmetry
	to       []int // by place: the place that it has then
}

// Swap is the renaming by which two processes change their names.
type Swap struct {
	Renaming
	p, q int
}

// process returns the place that a process has then.
func (w Renaming) process(p int) int { return w.to[p] }

// value returns the renamed value of a column of processes.
func (w Renaming) value(v specs.Value) specs.Value {
	if p, ok := w.symmetry.number[v]; ok {
		return w.symmetry.values[w.process(p)]
	}
	return v
}

// Args returns the arguments that a fact of a relation has then.
func (w Renaming) Args(relation string, args []specs.Value) []specs.Value {
	renamed := make([]specs.Value, len(args))
	for i, v := range args {
		if renamed[i] = v; w.symmetry.columns.hasProcesses(relation, i) {
			renamed[i] = w.value(v)
		}
	}
	return renamed
}

// Fault returns the fault under the names that there are then.
func (w Renaming) Fault(f rounds.Fault) rounds.Fault {
	switch f.Process, f.To = w.name(f.Process), w.name(f.To); f.Kind {
	case rounds.Choose:
		relation, args := f.Fact()
		f.Detail = syntax.FactText(relation, w.Args(relation, args))
	case rounds.Partition:
		f.Detail = w.sides(f.Detail)
	}
	return f
}

func (w Renaming) name(name string) string {
	if p, ok := w.symmetry.place[name]; ok {
		return w.symmetry.bounds.Processes[w.to[p]]
	}
	return name
}

// sides renames the processes on both sides of a partition.
func (w Renaming) sides(detail string) string {
	one, other, _ := strings.Cut(detail, "|")
	return w.names(one) + "|" + w.names(other)
}

func (w Renaming) names(side string) string {
	names := strings.Split(side, ",")
	for i, name := range names {
		names[i] = w.name(name)
	}
	return strings.Join(names, ",")
}
