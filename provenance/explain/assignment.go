package explain

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs"
)

// assignment gives some of a rule's variables a value.
type assignment map[string]specs.Value

// value returns the value of an expression; false if a variable in it has no value, or the
// expression has none.
func (env assignment) value(e syntax.Expr) (specs.Value, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		return e.Value, true
	case *syntax.Variable:
		v, ok := env[e.Name]
		return v, ok
	case *syntax.Binary:
		left, right, ok := env.sides(e)
		if !ok {
			return specs.Value{}, false
		}
		return provenance.Calculate(e.Op, left, right)
	default:
		return specs.Value{}, false
	}
}

// knows tells whether every variable of an expression has a value.
func (env assignment) knows(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Constant:
		return true
	case *syntax.Variable:
		_, ok := env[e.Name]
		return ok
	case *syntax.Binary:
		return env.knows(e.Left) && env.knows(e.Right)
	default:
		return false
	}
}

// test tells whether an expression is a comparison that holds, given that its
// variables have values.
func (env assignment) test(e syntax.Expr) bool {
	b, ok := e.(*syntax.Binary)
	if !ok {
		return false
	}
	left, right, ok := env.sides(b)
	return ok && provenance.Compare(b.Op, left, right)
}

// sides returns the values of both sides of an operation; false if one has none.
func (env assignment) sides(e *syntax.Binary) (left, right specs.Value, ok bool) {
	left, known := env.value(e.Left)
	right, ok = env.value(e.Right)
	return left, right, known && ok
}

// match extends the assignment so that an expression has a value, and returns the newly
// bound variable. An expression whose variables have no value yet matches anything.
func (env assignment) match(e syntax.Expr, v specs.Value) (bound string, ok bool) {
	switch e := e.(type) {
	case *syntax.Variable:
		if have, ok := env[e.Name]; ok {
			return "", have == v
		}
		env[e.Name] = v
		return e.Name, true
	case *syntax.Binary:
		if env.knows(e) {
			have, ok := env.value(e)
			return "", ok && have == v
		}
		return env.invert(e, v)
	case *syntax.Constant:
		return "", e.Value == v
	default:
		return "", true
	}
}

// invert solves X+c, c+X and X-c for X. It leaves other sums open.
func (env assignment) invert(e *syntax.Binary, v specs.Value) (bound string, ok bool) {
	variable, term, op := e.Left, e.Right, "-"
	switch {
	case e.Op == "+" && env.knows(e.Left):
		variable, term = e.Right, e.Left
	case e.Op == "+":
	case e.Op == "-":
		op = "+"
	default:
		return "", true
	}
	x, isVariable := variable.(*syntax.Variable)
	c, known := env.value(term)
	if !isVariable || !known {
		return "", true
	}
	value, ok := provenance.Calculate(op, v, c)
	if ok {
		env[x.Name] = value
	}
	return x.Name, ok
}

// matchAll extends the assignment so that the columns of an atom have the values
// of a fact. It returns false, and leaves the assignment alone, if they cannot.
func (env assignment) matchAll(args []syntax.Expr, values []specs.Value) (bound []string, ok bool) {
	if len(args) != len(values) {
		return nil, false
	}
	for i, e := range args {
		name, ok := env.match(e, values[i])
		if name != "" {
			bound = append(bound, name)
		}
		if !ok {
			env.undo(bound)
			return nil, false
		}
	}
	return bound, true
}

func (env assignment) undo(bound []string) {
	for _, name := range bound {
		delete(env, name)
	}
}
