package explain

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// dead says that a violation needs a fact of a process that has crashed, and which atom
// excuses it; nothing if the promise reads crashes, or the program says that these facts
// count.
func (x *Explainer) dead(q Question) string {
	facts, relations := []recording.Fact{q.Fact}, []string{q.Relation}
	if len(q.While) > 0 { // it is missing
		facts = q.While
	}
	for _, w := range q.While {
		relations = append(relations, w.Relation)
	}
	if !slices.ContainsFunc(x.Schedule.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Crash }) || x.crashesCount(relations) {
		return ""
	}
	for _, fact := range facts {
		e := x.explainFaults(x.patternOf(fact.Relation, fact.Args, fact.Round), Limits{})
		if text := x.deadIn(e.Roots[0].Node, map[*Node]bool{}); e.Holds && text != "" {
			return text
		}
	}
	return ""
}

// crashesCount tells whether the rules for some relations look at crashes, or the program
// says that facts of crashed processes count.
func (x *Explainer) crashesCount(relations []string) bool {
	for _, s := range x.Graph.Program.Settings {
		if s.Key == "crashed" {
			return true
		}
	}
	for _, r := range x.Graph.Program.Slice(relations...).Rules {
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation == syntax.Crash {
				return true
			}
		}
	}
	return false
}

// deadIn searches the causes of a fact, through facts of the same round by rules of the
// specification.
func (x *Explainer) deadIn(n *Node, seen map[*Node]bool) string {
	if n == nil || seen[n] || len(n.Steps) == 0 || n.Steps[0].Rule == nil || n.Steps[0].Rule.Kind != syntax.Deductive {
		return ""
	}
	seen[n] = true
	s := n.Steps[0]
	specified := syntax.Specification(x.Graph.Program.Rules)
	if !specified[s.Rule.Head.Relation] {
		return ""
	}
	for _, t := range s.Rule.Body {
		if t.Atom == nil || t.Negated || len(t.Atom.Args) == 0 {
			continue
		}
		of, round := s.value(t.Atom.Args[0]), s.First
		if t.At > 0 {
			round = t.At
		}
		p, known := x.processes[of]
		part := s.part(t.Atom.Relation, of)
		if part == nil || !known {
			continue
		}
		if by, down := x.Environment.DownBy(p, round); down && !specified[t.Atom.Relation] {
			return fmt.Sprintf("%s is a fact of %s, which has crashed (%s): notin crash(_, %s, _) in the rule at %s excuses it",
				part.Atom, of.Text(), by, t.Atom.Args[0], place(s.Rule.Position))
		}
		if text := x.deadIn(part.Node, seen); text != "" {
			return text
		}
	}
	return ""
}

// value is the value of a column of a body in a step; the zero value if it is not known.
func (s *Step) value(e syntax.Expr) specs.Value {
	switch e := e.(type) {
	case *syntax.Constant:
		return e.Value
	case *syntax.Variable:
		for _, b := range s.Bindings {
			if b.Name == e.Name {
				return b.Value.Value
			}
		}
	}
	return specs.Value{}
}

// part is the part of a step with a fact of a relation at a place, nil if there is none.
func (s *Step) part(relation string, of specs.Value) *Part {
	for _, p := range s.Parts {
		if p.Atom != nil && !p.Negated && p.Atom.Relation == relation && len(p.Atom.Columns) > 0 && p.Atom.Columns[0].Value == of {
			return p
		}
	}
	return nil
}
