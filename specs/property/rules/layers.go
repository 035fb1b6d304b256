package rules

import (
	"github.com/google/mangle/ast"
	"github.com/lineage-driven/ldfi/internal/graph"
)

// layers returns what clauses derive: in each layer those predicates that depend
// on each other, behind the layers that they read.
func layers(clauses []ast.Clause) [][]ast.PredicateSym {
	number := map[ast.PredicateSym]int32{}
	var heads []ast.PredicateSym
	for _, c := range clauses {
		if _, known := number[c.Head.Predicate]; !known {
			number[c.Head.Predicate] = int32(len(heads))
			heads = append(heads, c.Head.Predicate)
		}
	}
	var edges graph.Edges
	for _, c := range clauses {
		for _, premise := range c.Premises {
			read, _ := reads(premise)
			if to, derived := number[read]; derived {
				edges.Add(number[c.Head.Predicate], to)
			}
		}
	}
	var out [][]ast.PredicateSym
	for _, members := range edges.Successors(len(heads)).Components() {
		var layer []ast.PredicateSym
		for _, v := range members {
			layer = append(layer, heads[v])
		}
		out = append(out, layer)
	}
	return out
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
