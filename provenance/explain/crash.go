package explain

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// explainCrash answers a question about the built-in relation, which follows from the
// schedule even if the program does not read it.
func (x *Explainer) explainCrash(p Pattern, e *Explanation, limits Limits) {
	for _, observer := range x.Graph.Bounds.Processes {
		for _, f := range x.Schedule.Faults {
			if f.Kind != rounds.Crash {
				continue
			}
			args := []specs.Value{x.process(observer), x.process(f.Process), specs.Int(int64(f.Round))}
			switch known := x.patternOf(syntax.Crash, args, p.First); {
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

// builtBooted tells whether a relation is the built-in one of restarted processes.
func (x *Explainer) builtBooted(relation string) bool {
	b := x.Graph.Bounds
	return relation == syntax.Booted && b.Crashes != 0 && b.Restarts != 0
}

// process is the value that stands for a process.
func (x *Explainer) process(name string) specs.Value { return x.Graph.Program.ProcessValue(name) }

const (
	scheduled    = "the schedule says so"
	notScheduled = "the schedule does not say so"
)
