package lockstep

import (
	"fmt"
	"math"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// expression is an operand of a compiled rule: a slot, a constant, or an
// operation on two others.
type expression struct {
	op          operator
	slot        int // for variable
	constant    id  // for constant
	left, right *expression
}

type operator int

const (
	constant operator = iota
	variable
	times
	divide
	modulo
	plus
	minus
	less
	greater
	lessOrEqual
	greaterOrEqual
	equal
	unequal
	startsWith
	endsWith
	contains
)

// operatorOf returns the operator that a text is, [constant] if it is none.
func operatorOf(text string) operator {
	switch text {
	case "*":
		return times
	case "/":
		return divide
	case "%":
		return modulo
	case "+":
		return plus
	case "-":
		return minus
	case "<":
		return less
	case ">":
		return greater
	case "<=":
		return lessOrEqual
	case ">=":
		return greaterOrEqual
	case "==":
		return equal
	case "!=":
		return unequal
	case syntax.StartsWith:
		return startsWith
	case syntax.EndsWith:
		return endsWith
	case syntax.Contains:
		return contains
	}
	return constant
}

// comparison tells whether the operator makes a test and not a value.
func (op operator) comparison() bool { return op >= less }

// computes tells whether evaluating the expression can fail to give a value.
func (e *expression) computes() bool {
	switch {
	case e.op == constant || e.op == variable:
		return false
	case e.op.comparison():
		return e.left.computes() || e.right.computes()
	default:
		return true
	}
}

// eval returns the value of an expression that is no comparison, and false if
// it has none.
func (m *Machine) eval(e *expression) (id, bool) {
	switch e.op {
	case constant:
		return e.constant, true
	case variable:
		return m.slots[e.slot], true
	}
	a, ok := m.operand(e.left)
	if !ok {
		return none, false
	}
	b, ok := m.operand(e.right)
	if !ok {
		return none, false
	}
	n, ok := arithmetic(e.op, a, b)
	if !ok {
		m.noValue()
		return none, false
	}
	return m.values.integer(n), true
}

// operand returns the integer that an expression has for its value.
func (m *Machine) operand(e *expression) (int64, bool) {
	x, ok := m.eval(e)
	if !ok {
		return 0, false
	}
	n, ok := m.values.number(x)
	if !ok {
		m.noValue()
	}
	return n, ok
}

// arithmetic computes in int64. It returns false where the result does not fit
// or does not exist.
func arithmetic(op operator, a, b int64) (int64, bool) {
	switch op {
	case plus:
		c := a + b
		return c, (c > a) == (b > 0)
	case minus:
		c := a - b
		return c, (c < a) == (b > 0)
	case times:
		if a == 0 || b == 0 {
			return 0, true
		}
		c := a * b
		return c, c/b == a && (a != -1 || b != math.MinInt64) && (b != -1 || a != math.MinInt64)
	case divide:
		if b == 0 || a == math.MinInt64 && b == -1 {
			return 0, false
		}
		return a / b, true
	case modulo:
		switch b {
		case 0:
			return 0, false
		case -1:
			return 0, true
		default:
			return a % b, true
		}
	default:
		return 0, false
	}
}

// holds tells whether a comparison holds. One of an operand without a value
// does not.
func (m *Machine) holds(e *expression) bool {
	a, ok := m.eval(e.left)
	if !ok {
		return false
	}
	b, ok := m.eval(e.right)
	if !ok {
		return false
	}
	switch e.op {
	case equal:
		return a == b
	case unequal:
		return a != b
	case startsWith, endsWith, contains:
		return textual(e.op, m.values.value(a), m.values.value(b))
	}
	if a&b&1 == 1 {
		return ordered(e.op, int(a)-int(b))
	}
	v, w := m.values.value(a), m.values.value(b)
	return v.IsInt() == w.IsInt() && ordered(e.op, v.Compare(w))
}

// textual tells whether a text begins or ends with another one, or has it in it. Integers
// are no texts.
func textual(op operator, v, part specs.Value) bool {
	if v.IsInt() || part.IsInt() {
		return false
	}
	switch op {
	case startsWith:
		return strings.HasPrefix(v.Text(), part.Text())
	case endsWith:
		return strings.HasSuffix(v.Text(), part.Text())
	default:
		return strings.Contains(v.Text(), part.Text())
	}
}

// ordered tells whether two values whose order has the sign of c compare as the
// operator says.
func ordered(op operator, c int) bool {
	switch op {
	case less:
		return c < 0
	case greater:
		return c > 0
	case lessOrEqual:
		return c <= 0
	case greaterOrEqual:
		return c >= 0
	default:
		return false
	}
}

// compile translates an expression whose variables all have slots.
func (c *compiler) compile(e syntax.Expr, slots map[string]int) *expression {
	switch e := e.(type) {
	case *syntax.Constant:
		return &expression{op: constant, constant: c.intern(e.Value)}
	case *syntax.Variable:
		return &expression{op: variable, slot: c.slot(e, slots)}
	case *syntax.Binary:
		op := operatorOf(e.Op)
		switch {
		case op == constant:
			c.fail(fmt.Errorf("%s: operator %q is not known", e.Position, e.Op))
		case op.comparison():
			c.fail(fmt.Errorf("%s: the comparison %s is no value; use it as a term of the body", e.Position, e))
		}
		return c.binary(op, e, slots)
	default:
		c.fail(fmt.Errorf("%s: %s cannot stand here", e.Pos(), e))
		return &expression{}
	}
}

// slot returns the slot of a variable.
func (c *compiler) slot(v *syntax.Variable, slots map[string]int) int {
	slot, ok := slots[v.Name]
	if !ok {
		c.fail(fmt.Errorf("%s: variable %s is bound by no positive atom of the body", v.Position, v.Name))
	}
	return slot
}

// compileTest translates a comparison whose variables all have slots.
func (c *compiler) compileTest(e syntax.Expr, slots map[string]int) *expression {
	b, ok := e.(*syntax.Binary)
	if !ok || !operatorOf(b.Op).comparison() {
		c.fail(fmt.Errorf("%s: %s is no comparison", e.Pos(), e))
		return &expression{}
	}
	return c.binary(operatorOf(b.Op), b, slots)
}

func (c *compiler) binary(op operator, e *syntax.Binary, slots map[string]int) *expression {
	return &expression{op: op, left: c.compile(e.Left, slots), right: c.compile(e.Right, slots)}
}
