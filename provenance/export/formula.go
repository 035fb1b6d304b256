package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/printable"
	"github.com/lineage-driven/ldfi/solver"
)

// WriteFormula writes the schedules that break something as a formula in the DIMACS
// format: variable n is the fault of the comment "c n FAULT", and the models over
// these variables are the schedules within the bounds that break it. Those
// variables that are true in a minimal model are a fault set of which nothing can
// be left out.
func (b *Broken) WriteFormula(w io.Writer) error {
	g := b.Graph
	if _, err := fmt.Fprintf(w, "c schedules that break the promise: %s\n", printable.Line(g.Bounds.String())); err != nil {
		return fmt.Errorf("writing the formula: %w", err)
	}
	faults := make([]string, g.Circuit.Inputs())
	for unit, l := range g.Inputs {
		_, _, _, input := g.Circuit.Node(l)
		faults[input] = g.Universe.Fault(unit).String()
	}
	name := func(input int) string {
		if faults[input] == "" {
			return "an assumption"
		}
		return strings.ReplaceAll(printable.Line(faults[input]), "\n", " ")
	}
	if err := g.Circuit.WriteDIMACS(w, append([]solver.Lit{b.Condition}, g.Valid...), name); err != nil {
		return fmt.Errorf("writing the formula: %w", err)
	}
	return nil
}
