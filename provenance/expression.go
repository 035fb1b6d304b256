package provenance

import (
	"math"

	"github.com/lineage-driven/ldfi/specs"
)

// operand is a compiled expression: a constant, the slot of a variable, or an
// operation on two operands.
type operand struct {
	op          string // "" for a constant or a slot
	slot        int    // -1 for a constant
	constant    uint32
	left, right *operand
}

// slots calls visit for each slot that the operand reads.
func (o *operand) slots(visit func(slot int)) {
	switch {
	case o.op != "":
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
	case o.op != "":
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
	if o.op == "" {
		id, _ := o.id(v, env)
		return v.list[id], true
	}
	left, ok := o.left.value(v, env)
	if !ok {
		return specs.Value{}, false
	}
	right, ok := o.right.value(v, env)
	if !ok {
		return specs.Value{}, false
	}
	return Calculate(o.op, left, right)
}

// Calculate returns the value of a sum, difference, product, quotient or
// remainder. Arithmetic on strings, division by zero and overflow have no value,
// and comparisons are none.
func Calculate(op string, left, right specs.Value) (specs.Value, bool) {
	if !left.IsInt() || !right.IsInt() {
		return specs.Value{}, false
	}
	n, ok := arithmetic(op, left.Int(), right.Int())
	return specs.Int(n), ok
}

// arithmetic computes in 64 bits; false if the result has no value there.
func arithmetic(op string, a, b int64) (int64, bool) {
	switch op {
	case "+":
		sum := a + b
		return sum, (sum > a) == (b > 0)
	case "-":
		difference := a - b
		return difference, (difference < a) == (b > 0)
	case "*":
		if a == 0 || b == 0 {
			return 0, true
		}
		product := a * b
		return product, product/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
	case "/":
		if b == 0 || a == math.MinInt64 && b == -1 {
			return 0, false
		}
		return a / b, true
	case "%":
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
	if o.op == "" {
		return false
	}
	if o.left.op == "" && o.right.op == "" && (o.op == "==" || o.op == "!=") {
		left, _ := o.left.id(v, env)
		right, _ := o.right.id(v, env)
		return (left == right) == (o.op == "==")
	}
	left, ok := o.left.value(v, env)
	if !ok {
		return false
	}
	right, ok := o.right.value(v, env)
	if !ok {
		return false
	}
	return Compare(o.op, left, right)
}

// Compare tells whether a comparison of two values holds. A number and a string
// are different, and neither is less than the other.
func Compare(op string, left, right specs.Value) bool {
	switch op {
	case "==":
		return left == right
	case "!=":
		return left != right
	}
	if left.IsInt() != right.IsInt() {
		return false
	}
	order := left.Compare(right)
	switch op {
	case "<":
		return order < 0
	case ">":
		return order > 0
	case "<=":
		return order <= 0
	case ">=":
		return order >= 0
	default:
		return false
	}
}
