package syntax

import (
	"github.com/lineage-driven/ldfi/specs"
)

// Fact is a fact that the program states for one round: relation(args)@round;
type Fact struct {
	Relation string
	Args     []specs.Value
	Round    int
	Position specs.Position
}

// Kind says when and where the head of a rule holds.
type Kind int

// The kinds of rule.
const (
	Deductive Kind = iota // in the same round
	Next                  // in the next round, at the same place
	Async                 // in the next round, at column 0 of the head, unless the message is lost
)

// Rule is head :- body;
type Rule struct {
	Index    int // in Program.Rules
	Head     Atom
	Kind     Kind
	Body     []Term // in source order; at least one
	Position specs.Position
}

// Term is one body term: a literal or a comparison. Exactly one of Atom and
// Test is set.
type Term struct {
	Negated  bool  // notin
	Atom     *Atom // a relation
	At       int   // for an atom: the round of an "@N" suffix, 0 without one
	Test     Expr  // a comparison (or any expression; it holds when its value is a true comparison)
	Position specs.Position
}

// Atom is relation(args).
type Atom struct {
	Relation string
	Args     []Expr // in a rule's head also *Aggregate, in a body also *Wildcard
	Position specs.Position
}

// Expr is an expression: *Constant, *Variable, *Wildcard, *Binary or *Aggregate.
type Expr interface {
	Pos() specs.Position
	String() string // as ldfi fmt writes it
	expr()
}

// Constant is an integer or a string.
type Constant struct {
	Value    specs.Value
	Position specs.Position
}

// Variable is a bare word.
type Variable struct {
	Name     string
	Position specs.Position
}

// Wildcard is "_".
type Wildcard struct {
	Position specs.Position
}

// Binary is an arithmetic operation or a comparison. Op is one of
// * / % + - < > <= >= == !=.
type Binary struct {
	Op          string
	Left, Right Expr
	Position    specs.Position // of the operator
}

// Aggregate is count<X>, min<X>, max<X>, sum<X> or avg<X>, over the distinct values
// of X; or sum<X; K, L>, over those of X, K and L together. In heads only.
type Aggregate struct {
	Func     string // "count", "min", "max", "sum", "avg"
	Variable *Variable
	Per      []*Variable // K, L
	Position specs.Position
}

// Pos returns where the expression stands.
func (e *Constant) Pos() specs.Position { return e.Position }

// Pos returns where the expression stands.
func (e *Variable) Pos() specs.Position { return e.Position }

// Pos returns where the expression stands.
func (e *Wildcard) Pos() specs.Position { return e.Position }

// Pos returns where the operator stands.
func (e *Binary) Pos() specs.Position { return e.Position }

// Pos returns where the aggregate stands.
func (e *Aggregate) Pos() specs.Position { return e.Position }

func (*Constant) expr()  {}
func (*Variable) expr()  {}
func (*Wildcard) expr()  {}
func (*Binary) expr()    {}
func (*Aggregate) expr() {}

// Booted is the relation that holds at a process in the round in which it is back
// after a crash, in programs that read it and have no rules or facts for it.
const Booted = "booted"

// Crash is the relation crash(Observer, Process, Round), which is built in.
const Crash = "crash"

// Comparisons of texts. Programs cannot say them; rules of other languages that become
// programs can.
const (
	StartsWith = "starts with"
	EndsWith   = "ends with"
	Contains   = "contains"
)

// Precedence returns how tightly a binary operator binds, 0 for none.
func Precedence(op string) int {
	switch op {
	case "*", "/", "%":
		return 4
	case "+", "-":
		return 3
	case "<", ">", "<=", ">=":
		return 2
	case "==", "!=", StartsWith, EndsWith, Contains:
		return 1
	}
	return 0
}

// IsComparison tells whether the operator compares; otherwise it computes.
func (e *Binary) IsComparison() bool { return Precedence(e.Op) <= 2 }
