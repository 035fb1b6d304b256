package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/solver"
)

// Formula returns the schedules that break something as a formula: variable n is the fault
// of the comment "c n FAULT", and the models over these variables are the schedules within
// the bounds that break it. The true variables of a minimal model are a fault set of which
// no fault can be left out.
func (b *Broken) Formula() *solver.Formula {
	g := b.Graph
	f := g.Circuit.Formula(append([]solver.Lit{b.Condition}, g.Valid...)...)
	f.Head = "schedules that break the promise: " + text.Safe(g.Bounds.String())
	faults := make([]string, g.Circuit.Inputs())
	for unit, l := range g.Inputs {
		_, _, _, input := g.Circuit.Node(l)
		faults[input] = g.Universe.Fault(unit).String()
	}
	f.Name = func(input int) string {
		if faults[input] == "" {
			return "an assumption"
		}
		return strings.ReplaceAll(text.Safe(faults[input]), "\n", " ")
	}
	return f
}

// WriteFormula writes the formula in the DIMACS format.
func (b *Broken) WriteFormula(w io.Writer) error {
	if err := b.Formula().WriteDIMACS(w); err != nil {
		return fmt.Errorf("writing the formula: %w", err)
	}
	return nil
}
