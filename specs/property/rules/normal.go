package rules

import (
	"fmt"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/builtin"
	"github.com/lineage-driven/ldfi/internal/datalog"
)

// normaliser rewrites rules so that Mangle's engine cannot go wrong with them.
// Known to give wrong answers without a word in version 0.4.0 are:
//
//   - a negated atom with _ or another variable without a value, which it drops:
//     what is negated is projected to the other columns first;
//   - rules with group_by, some of which share a table: each has a relation of its
//     own for its rows, and one for its results;
//   - a variable that occurs twice in one atom, which is not compared: the second
//     one gets a name of its own and an equation;
//   - recursion in which two facts of a body are new at once: see [engine].
type normaliser struct {
	clauses []ast.Clause
	fresh   int
	body    []ast.Term // of the rule at hand
}

// normal returns rules for Mangle.
func normal(clauses []*ordered) []ast.Clause {
	n := &normaliser{}
	for _, c := range clauses {
		n.clause(c)
	}
	return n.clauses
}

func (n *normaliser) variable() ast.Variable {
	n.fresh++
	return ast.Variable{Symbol: fmt.Sprintf("Fresh%d", n.fresh)}
}

func (n *normaliser) relation(kind string, args []ast.BaseTerm) ast.Atom {
	n.fresh++
	return newAtom(fmt.Sprintf("%s?%d", kind, n.fresh), args)
}

func newAtom(name string, args []ast.BaseTerm) ast.Atom {
	return ast.Atom{Predicate: ast.PredicateSym{Symbol: name, Arity: len(args)}, Args: args}
}

func (n *normaliser) clause(c *ordered) {
	n.body = []ast.Term{newAtom(datalog.Always, nil)}
	for _, st := range c.steps {
		n.step(st)
	}
	if c.fold != nil {
		n.fold(c)
	}
	for _, l := range c.lets {
		n.equation(ast.Variable{Symbol: l.variable}, l.fn)
	}
	head := newAtom(c.Head.Predicate.Symbol, n.simple(c.Head.Args))
	n.emit(head, n.body, nil)
}

func (n *normaliser) emit(head ast.Atom, body []ast.Term, transform *ast.Transform) {
	n.clauses = append(n.clauses, ast.Clause{Head: head, Premises: body, Transform: transform})
}

func (n *normaliser) equation(v ast.Variable, value ast.BaseTerm) {
	n.body = append(n.body, ast.Eq{Left: v, Right: value})
}

// simple returns terms without functions, by equations.
func (n *normaliser) simple(terms []ast.BaseTerm) []ast.BaseTerm {
	out := make([]ast.BaseTerm, len(terms))
	for i, t := range terms {
		out[i] = n.simplify(t)
	}
	return out
}

func (n *normaliser) simplify(t ast.BaseTerm) ast.BaseTerm {
	switch t := t.(type) {
	case ast.ApplyFn:
		v := n.variable()
		n.equation(v, t)
		return v
	case ast.Constant:
		return canonical(t)
	}
	return t
}

// canonical returns a byte string that is text as a string, as the facts have
// it.
func canonical(c ast.Constant) ast.Constant {
	if v, ok := valueOf(c); ok {
		return constantOf(v)
	}
	return c
}

// step adds a premise.
func (n *normaliser) step(st step) {
	switch p := st.Term.(type) {
	case ast.Eq:
		left, right := p.Left, p.Right
		if st.binds != "" && !left.Equals(ast.Variable{Symbol: st.binds}) {
			left, right = right, left
		}
		if st.binds == "" {
			left, right = n.simplify(left), n.simplify(right)
		}
		n.body = append(n.body, ast.Eq{Left: left, Right: right})
	case ast.Ineq:
		n.body = append(n.body, ast.Ineq{Left: n.simplify(p.Left), Right: n.simplify(p.Right)})
	case ast.NegAtom:
		n.negated(p.Atom)
	case ast.Atom:
		if p.Predicate.IsBuiltin() {
			n.builtin(p)
		} else {
			n.positive(p)
		}
	}
}

// builtin adds a built-in predicate.
func (n *normaliser) builtin(a ast.Atom) {
	args := make([]ast.BaseTerm, len(a.Args))
	for i, mode := range builtin.Predicates[a.Predicate] {
		if args[i] = a.Args[i]; mode == ast.ArgModeInput {
			args[i] = n.simplify(a.Args[i])
		}
	}
	n.body = append(n.body, ast.Atom{Predicate: a.Predicate, Args: args})
}

// positive adds an atom; everything in it but constants and the first of each
// variable gets a variable of its own.
func (n *normaliser) positive(a ast.Atom) {
	args := make([]ast.BaseTerm, len(a.Args))
	seen := map[ast.Variable]bool{}
	var equations []ast.Term
	for i, arg := range a.Args {
		switch t := arg.(type) {
		case ast.Constant:
			args[i] = canonical(t)
		case ast.Variable:
			args[i] = t
			if t.Symbol == "_" {
				args[i] = n.variable()
			} else if seen[t] {
				args[i] = n.variable()
				equations = append(equations, ast.Eq{Left: args[i], Right: t})
			}
			seen[t] = true
		default:
			v, computed := n.variable(), n.variable()
			args[i] = v
			equations = append(equations, ast.Eq{Left: computed, Right: t}, ast.Eq{Left: v, Right: computed})
		}
	}
	n.body = append(append(n.body, newAtom(a.Predicate.Symbol, args)), equations...)
}

// negated adds the absence of an atom, by its projection to what has a value.
func (n *normaliser) negated(a ast.Atom) {
	var columns, kept, args []ast.BaseTerm
	for _, arg := range a.Args {
		column := n.variable()
		columns = append(columns, column)
		if v, ok := arg.(ast.Variable); ok && v.Symbol == "_" {
			continue
		}
		kept = append(kept, column)
		args = append(args, n.simplify(arg))
	}
	projection := n.relation("not", kept)
	n.emit(projection, []ast.Term{newAtom(datalog.Always, nil), newAtom(a.Predicate.Symbol, columns)}, nil)
	n.body = append(n.body, ast.NegAtom{Atom: newAtom(projection.Predicate.Symbol, args)})
}

// fold ends the rule at hand with the rows that it aggregates, aggregates them,
// and begins a rule that reads the results.
func (n *normaliser) fold(c *ordered) {
	var named, results []ast.BaseTerm
	for _, v := range c.named {
		named = append(named, ast.Variable{Symbol: v})
	}
	do := c.Transform.Statements[0]
	for _, v := range c.fold.group {
		results = append(results, ast.Variable{Symbol: v})
	}
	transform := &ast.Transform{Statements: []ast.TransformStmt{do}}
	var lets []let
	for _, l := range c.fold.lets {
		if !builtin.IsReducerFunction(l.fn.Function) {
			lets = append(lets, l)
			continue
		}
		v := ast.Variable{Symbol: l.variable}
		transform.Statements = append(transform.Statements, ast.TransformStmt{Var: &v, Fn: l.fn})
		results = append(results, v)
	}
	rows, folded := n.relation("rows", named), n.relation("folded", results)
	n.emit(rows, n.body, nil)
	n.emit(folded, []ast.Term{rows}, transform)
	n.body = []ast.Term{newAtom(datalog.Always, nil), folded}
	for _, l := range lets {
		n.equation(ast.Variable{Symbol: l.variable}, l.fn)
	}
}
