package rules

import (
	"fmt"
	"slices"

	"github.com/google/mangle/ast"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// naive evaluates rules by their definition.
type naive struct {
	facts map[string]bool // as text
}

// universe is the values that the random rules can meet.
var universe = []specs.Value{
	specs.String("a"), specs.String("b"), specs.String("c"),
	specs.Int(0), specs.Int(1), specs.Int(2), specs.Int(3), specs.Int(4), specs.Int(5), specs.Int(6),
}

type binding map[string]specs.Value

// clause adds what a rule derives.
func (n *naive) clause(c *ordered) {
	variables := map[ast.Variable]bool{}
	for _, p := range c.Premises {
		ast.AddVars(p, variables)
	}
	var names []string
	for v := range variables {
		if v.Symbol != "_" {
			names = append(names, v.Symbol)
		}
	}
	slices.Sort(names)
	var rows []binding
	n.bindings(c, names, binding{}, &rows)
	if c.fold == nil {
		for _, b := range rows {
			n.add(c.Head, b)
		}
		return
	}
	groups := map[string][]binding{}
	for _, b := range rows {
		key := ""
		for _, v := range c.fold.group {
			key += b[v].String() + " "
		}
		groups[key] = append(groups[key], b)
	}
	for _, group := range groups {
		b := binding{}
		for _, v := range c.fold.group {
			b[v] = group[0][v]
		}
		for _, l := range c.fold.lets {
			b[l.variable] = aggregate(l.fn, group)
		}
		n.add(c.Head, b)
	}
}

// aggregate aggregates over rows, which differ from each other.
func aggregate(fn ast.ApplyFn, rows []binding) specs.Value {
	if fn.Function.Symbol == "fn:count" {
		return specs.Int(int64(len(rows)))
	}
	v := fn.Args[0].(ast.Variable).Symbol
	total := rows[0][v].Int()
	for _, b := range rows[1:] {
		switch x := b[v].Int(); fn.Function.Symbol {
		case "fn:sum":
			total += x
		case "fn:max":
			total = max(total, x)
		case "fn:min":
			total = min(total, x)
		}
	}
	return specs.Int(total)
}

// bindings collects the values of all variables for which the body holds.
func (n *naive) bindings(c *ordered, names []string, b binding, rows *[]binding) {
	if len(names) > 0 {
		for _, v := range universe {
			b[names[0]] = v
			if n.possible(c, b) {
				n.bindings(c, names[1:], b, rows)
			}
		}
		delete(b, names[0])
		return
	}
	copied := binding{}
	for k, v := range b {
		copied[k] = v
	}
	*rows = append(*rows, copied)
}

// possible tells whether every premise whose variables all have values holds.
func (n *naive) possible(c *ordered, b binding) bool {
	for _, p := range c.Premises {
		variables := map[ast.Variable]bool{}
		ast.AddVars(p, variables)
		known := true
		for v := range variables {
			_, has := b[v.Symbol]
			known = known && (has || v.Symbol == "_")
		}
		if known && !n.holds(p, b) {
			return false
		}
	}
	return true
}

func (n *naive) holds(t ast.Term, b binding) bool {
	switch t := t.(type) {
	case ast.Eq:
		return value(t.Left, b) == value(t.Right, b)
	case ast.Ineq:
		return value(t.Left, b) != value(t.Right, b)
	case ast.NegAtom:
		return !n.matches(t.Atom, b)
	case ast.Atom:
		if !t.Predicate.IsBuiltin() {
			return n.matches(t, b)
		}
		x, y := value(t.Args[0], b), value(t.Args[1], b)
		if !x.IsInt() || !y.IsInt() {
			return false
		}
		switch t.Predicate.Symbol {
		case ":lt":
			return x.Int() < y.Int()
		case ":le":
			return x.Int() <= y.Int()
		case ":gt":
			return x.Int() > y.Int()
		default:
			return x.Int() >= y.Int()
		}
	}
	panic(fmt.Sprintf("%T", t))
}

// matches tells whether there is a fact like an atom.
func (n *naive) matches(a ast.Atom, b binding) bool {
	for i, arg := range a.Args {
		if v, ok := arg.(ast.Variable); ok && v.Symbol == "_" {
			for _, x := range universe {
				args := slices.Clone(a.Args)
				args[i] = constantOf(x)
				if n.matches(ast.Atom{Predicate: a.Predicate, Args: args}, b) {
					return true
				}
			}
			return false
		}
	}
	return n.facts[written(a, b)]
}

func (n *naive) add(head ast.Atom, b binding) { n.facts[written(head, b)] = true }

func written(a ast.Atom, b binding) string {
	f := recording.Fact{Relation: a.Predicate.Symbol}
	for _, arg := range a.Args {
		f.Args = append(f.Args, value(arg, b))
	}
	return recording.Display(f, nil)
}

func value(t ast.BaseTerm, b binding) specs.Value {
	switch t := t.(type) {
	case ast.Variable:
		return b[t.Symbol]
	case ast.Constant:
		v, _ := valueOf(t)
		return v
	case ast.ApplyFn:
		x, y := value(t.Args[0], b), value(t.Args[1], b)
		switch {
		case !x.IsInt() || !y.IsInt():
			return specs.String("no value")
		case t.Function.Symbol == "fn:plus":
			return specs.Int(x.Int() + y.Int())
		default:
			return specs.Int(x.Int() - y.Int())
		}
	}
	panic(fmt.Sprintf("%T", t))
}
