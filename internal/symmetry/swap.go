package symmetry

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Swap is that two processes change their names.
type Swap struct {
	symmetry *Symmetry
	p, q     int
}

// process returns the place that a process has then.
func (w Swap) process(p int) int {
	switch p {
	case w.p:
		return w.q
	case w.q:
		return w.p
	}
	return p
}

// value returns what stands for a value in a column of processes.
func (w Swap) value(v specs.Value) specs.Value {
	if p, ok := w.symmetry.number[v]; ok {
		return w.symmetry.values[w.process(p)]
	}
	return v
}

// Args returns the arguments that a fact of a relation has then.
func (w Swap) Args(relation string, args []specs.Value) []specs.Value {
	renamed := make([]specs.Value, len(args))
	for i, v := range args {
		if renamed[i] = v; w.symmetry.columns.hasProcesses(relation, i) {
			renamed[i] = w.value(v)
		}
	}
	return renamed
}

// Fault returns the fault under the names that there are then.
func (w Swap) Fault(f rounds.Fault) rounds.Fault {
	switch f.Process, f.To = w.name(f.Process), w.name(f.To); f.Kind {
	case rounds.Choose:
		relation, args := f.Fact()
		f.Detail = syntax.FactText(relation, w.Args(relation, args))
	case rounds.Partition:
		f.Detail = w.sides(f.Detail)
	}
	return f
}

func (w Swap) name(name string) string {
	switch processes := w.symmetry.bounds.Processes; name {
	case processes[w.p]:
		return processes[w.q]
	case processes[w.q]:
		return processes[w.p]
	}
	return name
}

// sides renames the processes on both sides of a partition.
func (w Swap) sides(detail string) string {
	one, other, _ := strings.Cut(detail, "|")
	return w.names(one) + "|" + w.names(other)
}

func (w Swap) names(side string) string {
	names := strings.Split(side, ",")
	for i, name := range names {
		names[i] = w.name(name)
	}
	return strings.Join(names, ",")
}
