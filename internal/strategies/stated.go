package strategies

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// progress is an outcome whose needs are stated by the rules needs and needs_some.
type progress struct {
	name    string
	circuit *faultCircuit
	enough  solver.Lit
}

// state records the progress that rules state in the execution without faults. It belongs
// to the phase of the last delivery that it needs.
func (g *guide) state(w *witness, c *faultCircuit, e *recording.Execution) error {
	if w.rules == nil || len(g.phases) == 0 {
		return nil
	}
	if err := w.rules.Run(e); err != nil {
		return err
	}
	needs, err := w.needs(c)
	if err != nil {
		return err
	}
	for _, n := range needs {
		last := int64(0)
		for relation, columns := range map[string]int{datalog.Needs: 3, datalog.NeedsSome: 5} {
			for _, row := range w.rules.Rows(relation) {
				if slices.Equal(row[:len(row)-columns], n.outcome) {
					last = max(last, round(row))
				}
			}
		}
		for _, p := range g.phases {
			if int64(p.First) <= last && last <= int64(p.Last) {
				p.stated = append(p.stated, progress{w.text("", n.outcome), c, n.enough})
			}
		}
	}
	return nil
}

func round(row []specs.Value) int64 { return row[len(row)-1].Int() }

// stated returns the progress that rules state, as functions of the isolations of the
// phase.
func (c *proposal) stated() (all []solver.Lit, names []string) {
	for _, s := range c.phase.stated {
		inputs := slices.Repeat([]solver.Lit{solver.False}, s.circuit.Inputs())
		for unit := range s.circuit.units {
			own, known := c.universe.Index(s.circuit.universe.Fault(unit))
			if l, here := c.input[own]; known && here {
				inputs[unit] = l
			}
		}
		all = append(all, c.Graft(s.circuit.Circuit, inputs, s.enough)...)
		names = append(names, s.name)
	}
	return all, names
}
