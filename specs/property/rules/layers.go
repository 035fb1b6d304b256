package rules

import (
	"github.com/google/mangle/ast"
	"github.com/lineage-driven/ldfi/internal/syntax"
)

// layers returns what clauses derive: in each layer those predicates that depend
// on each other, behind the layers that they read.
func layers(clauses []ast.Clause) [][]ast.PredicateSym {
	var heads []ast.PredicateSym
	read := map[ast.PredicateSym][]ast.PredicateSym{}
	for _, c := range clauses {
		head := c.Head.Predicate
		if _, known := read[head]; !known {
			heads = append(heads, head)
		}
		read[head] = append(read[head], premises(c)...)
	}
	return syntax.Components(heads, func(head ast.PredicateSym) []ast.PredicateSym { return read[head] })
}

// premises returns the predicates that a clause reads.
func premises(c ast.Clause) []ast.PredicateSym {
	var all []ast.PredicateSym
	for _, premise := range c.Premises {
		p, _ := reads(premise)
		all = append(all, p)
	}
	return all
}

// reads returns the predicate that a premise reads, if it reads any, and whether
// it asks for its absence.
func reads(premise ast.Term) (p ast.PredicateSym, negated bool) {
	switch t := premise.(type) {
	case ast.Atom:
		if !t.Predicate.IsBuiltin() {
			return t.Predicate, false
		}
	case ast.NegAtom:
		return t.Atom.Predicate, true
	}
	return p, false
}
