package dedalus

import "fmt"

// Position is a place in a source file. Line and Column count from 1; Column
// counts bytes.
type Position struct {
	File   string
	Line   int
	Column int
}

// String returns file:line:column.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Program is a parsed and checked program: the files given, with everything
// that they include. It is not changed after Parse and may be shared.
type Program struct {
	Rules    []*Rule   // in source order, an included file at its include
	Facts    []*Fact   // in source order
	Settings []Setting // the key=value pairs of the "// ldfi:" comments
	Files    []string  // every file read, the first given first

	sources  map[string]*source // by file, for excerpts
	numerals map[string]numeral // what a process with an integer as its name may be
}

// Setting is one key=value pair of a "// ldfi:" comment.
type Setting struct {
	Key, Value string
	Position   Position
	Included   bool // it stands in an included file, so the files given override it
}

// Fact is a fact that the program states for one round: relation(args)@round;
type Fact struct {
	Relation string
	Args     []Value
	Round    int
	Position Position
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
	Position Position
}

// Term is one body term: a literal or a comparison. Exactly one of Atom and
// Test is set.
type Term struct {
	Negated  bool  // notin
	Atom     *Atom // a relation
	At       int   // for an atom: the round of an "@N" suffix, 0 without one
	Test     Expr  // a comparison (or any expression; it holds when its value is a true comparison)
	Position Position
}

// Atom is relation(args).
type Atom struct {
	Relation string
	Args     []Expr // in a rule's head also *Aggregate, in a body also *Wildcard
	Position Position
}

// Expr is an expression: *Constant, *Variable, *Wildcard, *Binary or *Aggregate.
type Expr interface {
	Pos() Position
	String() string // as ldfi fmt writes it
	expr()
}

// Constant is an integer or a string.
type Constant struct {
	Value    Value
	Position Position
}

// Variable is a bare word.
type Variable struct {
	Name     string
	Position Position
}

// Wildcard is "_".
type Wildcard struct {
	Position Position
}

// Binary is an arithmetic operation or a comparison. Op is one of
// * / % + - < > <= >= == !=.
type Binary struct {
	Op          string
	Left, Right Expr
	Position    Position // of the operator
}

// Aggregate is count<X>, min<X>, max<X>, sum<X> or avg<X>, in heads only.
type Aggregate struct {
	Func     string // "count", "min", "max", "sum", "avg"
	Variable *Variable
	Position Position
}

// Pos returns where the expression stands.
func (e *Constant) Pos() Position { return e.Position }

// Pos returns where the expression stands.
func (e *Variable) Pos() Position { return e.Position }

// Pos returns where the expression stands.
func (e *Wildcard) Pos() Position { return e.Position }

// Pos returns where the operator stands.
func (e *Binary) Pos() Position { return e.Position }

// Pos returns where the aggregate stands.
func (e *Aggregate) Pos() Position { return e.Position }

func (*Constant) expr()  {}
func (*Variable) expr()  {}
func (*Wildcard) expr()  {}
func (*Binary) expr()    {}
func (*Aggregate) expr() {}
