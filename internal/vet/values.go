package vet

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// column is a column of a relation.
type column struct {
	relation string
	index    int
}

// Values returns the possible values of a column of a relation, sorted, under all faults;
// false if they are not known, for example because they are computed. Some of them may
// never occur.
func Values(p *dedalus.Program, processes []string, relation string, index int) ([]specs.Value, bool) {
	v := &values{program: p, processes: processes, seen: map[column]bool{}}
	if !v.add(column{relation, index}) {
		return nil, false
	}
	slices.SortFunc(v.found, specs.Value.Compare)
	return slices.Compact(v.found), true
}

type values struct {
	program   *dedalus.Program
	processes []string
	seen      map[column]bool
	found     []specs.Value
}

// add adds the possible values of a column, false if they are not known.
func (v *values) add(c column) bool {
	if v.seen[c] {
		return true
	}
	v.seen[c] = true
	if c.relation == syntax.Crash || c.relation == syntax.Booted {
		return false
	}
	for _, f := range v.program.Facts {
		if f.Relation == c.relation && c.index < len(f.Args) {
			v.found = append(v.found, f.Args[c.index])
		}
	}
	for _, made := range v.program.Choices {
		if made.Relation == c.relation {
			return false
		}
	}
	for _, r := range v.program.Rules {
		if r.Head.Relation == c.relation && c.index < len(r.Head.Args) && !v.rule(r, r.Head.Args[c.index]) {
			return false
		}
	}
	return true
}

// rule adds the values that a rule can give a column.
func (v *values) rule(r *syntax.Rule, e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Constant:
		v.found = append(v.found, e.Value)
		return true
	case *syntax.Variable:
		for _, t := range r.Body {
			if t.Atom == nil || t.Negated {
				continue
			}
			for i, arg := range t.Atom.Args {
				if other, ok := arg.(*syntax.Variable); ok && other.Name == e.Name {
					return v.add(column{t.Atom.Relation, i})
				}
			}
		}
		for _, name := range v.processes { // a message to all of them
			v.found = append(v.found, v.program.ProcessValue(name))
		}
		return r.Destination() != nil && r.Destination().Name == e.Name
	default:
		return false
	}
}
