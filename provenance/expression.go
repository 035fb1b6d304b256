package provenance

import (
	"cmp"
	"math"

	"github.com/lineage-driven/ldfi/specs"
)

// operand is a compiled expression: a constant, the slot of a variable, or an
// operation on two operands.
type operand struct {
	op          operator
	slot        int // -1 for a constant
	constant    uint32
	left, right *operand
}

// operator combines two operands.
type operator uint8

const (
	leaf operator = iota // a constant or a slot
	plus
	minus
	times
	divided
	modulo
	less
	greater
	atMost
	atLeast
	equal
	unequal
)

// operatorOf returns the operator that a text is, [leaf] if it is none.
func operatorOf(text string) operator {
	switch text {
	case "+":
		return plus
	case "-":
		return minus
	case "*":
		return times
	case "/":
		return divided
	case "%":
		return modulo
	case "<":
		return less
	case ">":
		return greater
	case "<=":
		return atMost
	case ">=":
		return atLeast
	case "==":
		return equal
	case "!=":
		return unequal
	}
	return leaf
}

// slots calls visit for each slot that the operand reads.
func (o *operand) slots(visit func(slot int)) {
	switch {
	case o.op != leaf:
		o.left.slots(visit)
		o.right.slots(visit)
	case o.slot >= 0:
		visit(o.slot)
	}
}

// id returns the number of the operand's value under a binding; false if it has
// no value.
func (o *operand) id(v *values, env []uint32) (uint32, bool) {
	switch {
	case o.op != leaf:
		value, ok := o.value(v, env)
		if !ok {
			return 0, false
		}
		return v.id(value), true
	case o.slot >= 0:
		return env[o.slot], true
	default:
		return o.constant, true
	}
}

// value returns the operand's value under a binding. Arithmetic on strings,
// division by zero and overflow have no value, and comparisons are none.
func (o *operand) value(v *values, env []uint32) (specs.Value, bool) {
	if o.op == leaf {
		id, _ := o.id(v, env)
		return v.list[id], true
	}
	n, ok := o.integer(v, env)
	return specs.Int(n), ok
}

// integer returns the operand's value under a binding if that is an integer.
func (o *operand) integer(v *values, env []uint32) (int64, bool) {
	if o.op == leaf {
		id, _ := o.id(v, env)
		value := &v.list[id]
		return value.Int(), value.IsInt()
	}
	a, ok := o.left.integer(v, env)
	if !ok {
		return 0, false
	}
	b, ok := o.right.integer(v, env)
	if !ok {
		return 0, false
	}
	return o.op.arithmetic(a, b)
}

// Calculate returns the value of a sum, difference, product, quotient or
// remainder. Arithmetic on strings, division by zero and overflow have no value,
// and comparisons are none.
func Calculate(op string, left, right specs.Value) (specs.Value, bool) {
	if !left.IsInt() || !right.IsInt() {
		return specs.Value{}, false
	}
	n, ok := operatorOf(op).arithmetic(left.Int(), right.Int())
	return specs.Int(n), ok
}

// arithmetic computes in 64 bits; false if the result has no value there.
func (op operator) arithmetic(a, b int64) (int64, bool) {
	switch op {
	case plus:
		sum := a + b
		return sum, (sum > a) == (b > 0)
	case minus:
		difference := a - b
		return difference, (difference < a) == (b > 0)
	case times:
		if a == 0 || b == 0 {
			return 0, true
		}
		product := a * b
		return product, product/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
	case divided:
		if b == 0 || a == math.MinInt64 && b == -1 {
			return 0, false
		}
		return a / b, true
	case modulo:
		if b == 0 {
			return 0, false
		}
		return a % b, true
	default:
		return 0, false
	}
}

// holds tells whether the operand is a comparison that holds under a binding.
func (o *operand) holds(v *values, env []uint32) bool {
	if o.op == leaf {
		return false
	}
	if o.left.op == leaf && o.right.op == leaf && (o.op == equal || o.op == unequal) {
		left, _ := o.left.id(v, env)
		right, _ := o.right.id(v, env)
		return (left == right) == (o.op == equal)
	}
	if a, ok := o.left.integer(v, env); ok {
		if b, ok := o.right.integer(v, env); ok {
			return o.op.orders(cmp.Compare(a, b))
		}
	}
	left, ok := o.left.value(v, env)
	if !ok {
		return false
	}
	right, ok := o.right.value(v, env)
	return ok && o.op.compare(left, right)
}

// Compare tells whether a comparison of two values holds. A number and a string are
// different, and neither is less than the other.
func Compare(op string, left, right specs.Value) bool { return operatorOf(op).compare(left, right) }

func (op operator) compare(left, right specs.Value) bool {
	if left.IsInt() != right.IsInt() {
		return op == unequal
	}
	return op.orders(left.Compare(right))
}

// orders tells whether a comparison holds for two values, the first of which is less than
// the second, equal or greater if order is less than 0, 0 or greater.
func (op operator) orders(order int) bool {
	switch op {
	case less:
		return order < 0
	case greater:
		return order > 0
	case atMost:
		return order <= 0
	case atLeast:
		return order >= 0
	case equal:
		return order == 0
	case unequal:
		return order != 0
	default:
		return false
	}
}
