package provenance

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// explainCrash answers a question about the built-in relation, which is as the
// schedule says whether or not the program reads it.
func (w *World) explainCrash(p Pattern, e *Explanation, limits Limits) {
	for _, observer := range w.graph.Bounds.Processes {
		for _, f := range w.schedule {
			if f.Kind != rounds.Crash {
				continue
			}
			args := []specs.Value{w.process(observer), w.process(f.Process), specs.Int(int64(f.Round))}
			switch known := patternOf(builtin, args, p.First); {
			case !p.matches(args):
			case len(e.Roots) < limits.Roots:
				e.Roots = append(e.Roots, &Part{Met: true, Atom: &known, Node: &Node{Pattern: known, Holds: true, Note: scheduled}})
			default:
				e.More++
			}
		}
	}
	e.Holds = len(e.Roots) > 0
	if !e.Holds {
		e.Roots = []*Part{{Met: true, Negated: true, Atom: &p, Node: &Node{Pattern: p, Note: notScheduled}}}
	}
}

// process is the value that stands for a process.
func (w *World) process(name string) specs.Value { return w.graph.Program.ProcessValue(name) }

const (
	scheduled    = "the schedule says so"
	notScheduled = "the schedule does not say so"
)
