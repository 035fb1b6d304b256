package syntax

// Precedence returns how tightly a binary operator binds, 0 for none.
func Precedence(op string) int {
	switch op {
	case "*", "/", "%":
		return 4
	case "+", "-":
		return 3
	case "<", ">", "<=", ">=":
		return 2
	case "==", "!=":
		return 1
	}
	return 0
}

// IsComparison tells whether the operator compares; otherwise it computes.
func (e *Binary) IsComparison() bool { return Precedence(e.Op) <= 2 }
