package dedalus

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// crashArity is the number of columns of crash.
const crashArity = 3

// checker turns clauses into the rules and facts of a program, and gathers what
// is wrong with them.
type checker struct {
	program *Program
	errors  specs.Errors
	atoms   []*syntax.Atom          // of all clauses, in source order
	first   map[string]*syntax.Atom // of each relation
	args    map[*syntax.Fact][]syntax.Expr
}

// check completes a program with its clauses, and returns what is wrong.
func check(p *Program, clauses []*clause) specs.Errors {
	c := &checker{program: p, args: map[*syntax.Fact][]syntax.Expr{}}
	for _, cl := range clauses {
		switch {
		case cl.choose != nil:
			c.choose(cl.choose)
		case cl.isFact():
			c.fact(cl)
		default:
			c.rule(cl)
		}
	}
	c.arities()
	c.types()
	c.numerals()
	return c.errors
}

func (c *checker) fail(at specs.Position, format string, args ...any) {
	c.errors = append(c.errors, &specs.Error{Position: at, Message: fmt.Sprintf(format, args...)})
}

// fact adds a fact to the program.
func (c *checker) fact(cl *clause) {
	c.atoms = append(c.atoms, cl.head)
	c.builtin(cl.head)
	f := &syntax.Fact{Relation: cl.head.Relation, Round: cl.round, Position: cl.at}
	for _, e := range cl.head.Args {
		k, ok := e.(*syntax.Constant)
		if !ok {
			hint := ""
			if v, ok := e.(*syntax.Variable); ok {
				hint = asString(v.Name)
			}
			c.fail(start(e), "a fact has only constants, and %s is %s%s", syntax.Shorten("'"+e.String()+"'"), describe(e), hint)
			k = &syntax.Constant{}
		}
		f.Args = append(f.Args, k.Value)
	}
	c.args[f] = cl.head.Args
	c.program.Facts = append(c.program.Facts, f)
}

// describe says what an expression is, where it does not belong.
func describe(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Variable:
		return "a variable"
	case *syntax.Wildcard:
		return "a wildcard"
	case *syntax.Aggregate:
		return "an aggregate"
	case *syntax.Binary:
		if e.IsComparison() {
			return "a comparison"
		}
		return "a computation"
	default:
		return "a constant"
	}
}

// asString says how a word would be written to be a string.
func asString(name string) string {
	return " (a string would be " + syntax.Shorten(specs.String(name).String()) + ")"
}

// start returns where an expression begins.
func start(e syntax.Expr) specs.Position {
	for {
		b, ok := e.(*syntax.Binary)
		if !ok {
			return e.Pos()
		}
		e = b.Left
	}
}

// builtin reports a clause that defines crash.
func (c *checker) builtin(head *syntax.Atom) {
	if head.Relation == syntax.Crash {
		c.fail(head.Position, "a program cannot define %s: it is built in, and holds when the schedule crashes a process", syntax.Crash)
	}
}

// rule adds a rule to the program.
func (c *checker) rule(cl *clause) {
	r := &syntax.Rule{Index: len(c.program.Rules), Head: *cl.head, Kind: cl.kind, Body: cl.body, Position: cl.at}
	c.program.Rules = append(c.program.Rules, r)
	c.head(r)
	for i := range r.Body {
		t := &r.Body[i]
		if t.Atom == nil {
			c.test(t.Test)
			continue
		}
		c.atoms = append(c.atoms, t.Atom)
		for _, e := range t.Atom.Args {
			if a, ok := e.(*syntax.Aggregate); ok {
				c.fail(a.Position, "an aggregate belongs in the head of a rule")
				continue
			}
			c.value(e)
		}
	}
	c.bindings(r)
}

// head checks the head of a rule on its own.
func (c *checker) head(r *syntax.Rule) {
	c.atoms = append(c.atoms, &r.Head)
	c.builtin(&r.Head)
	if r.Kind == syntax.Async && len(r.Head.Args) == 0 {
		c.fail(r.Head.Position, "a message needs a destination: the head of an @async rule has it in its first column")
	}
	for _, e := range r.Head.Args {
		switch e.(type) {
		case *syntax.Wildcard:
			c.fail(e.Pos(), "a wildcard cannot stand in the head of a rule")
		case *syntax.Aggregate:
		default:
			c.value(e)
		}
	}
}

// test checks a body term that is not an atom.
func (c *checker) test(e syntax.Expr) {
	b, ok := e.(*syntax.Binary)
	if !ok || !b.IsComparison() {
		hint := ""
		if v, ok := e.(*syntax.Variable); ok {
			hint = fmt.Sprintf(" (a relation would be %s(...))", syntax.Shorten(v.Name))
		}
		c.fail(start(e), "a body has atoms and comparisons, and %s is %s%s", syntax.Shorten("'"+e.String()+"'"), describe(e), hint)
		return
	}
	c.operand(b.Left)
	c.operand(b.Right)
}

// value checks an argument: a variable, a constant, a wildcard or a
// computation.
func (c *checker) value(e syntax.Expr) {
	if b, ok := e.(*syntax.Binary); ok {
		c.computation(b)
	}
}

// computation checks that an operation has a value, and that its operands do.
func (c *checker) computation(b *syntax.Binary) {
	if b.IsComparison() {
		c.fail(b.Position, "a comparison has no value to use (write it as a term of its own in the body)")
		return
	}
	for _, e := range []syntax.Expr{b.Left, b.Right} {
		if k, ok := e.(*syntax.Constant); ok && !k.Value.IsInt() {
			c.fail(k.Position, "a string cannot be computed with")
		}
		c.operand(e)
	}
}

// operand checks an operand of a comparison or a computation.
func (c *checker) operand(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Wildcard:
		c.fail(e.Position, "a wildcard has no value to compute or compare with")
	case *syntax.Aggregate:
		c.fail(e.Position, "an aggregate stands alone in a column of a head")
	case *syntax.Binary:
		c.computation(e)
	}
}

// arities checks that each relation has one number of columns.
func (c *checker) arities() {
	c.first = map[string]*syntax.Atom{}
	for _, a := range c.atoms {
		if a.Relation == syntax.Crash {
			if len(a.Args) != crashArity {
				c.fail(a.Position, "%s has %s here, but it is built in as crash(Observer, Process, Round)", syntax.Crash, columns(len(a.Args)))
			}
			continue
		}
		f, seen := c.first[a.Relation]
		if !seen {
			c.first[a.Relation] = a
			continue
		}
		if len(f.Args) != len(a.Args) {
			c.fail(a.Position, "%s has %s here, but %s at %v", syntax.Shorten(a.Relation), columns(len(a.Args)), columns(len(f.Args)), f.Position)
		}
	}
	pre, post := c.first["pre"], c.first["post"]
	if pre != nil && post != nil && len(pre.Args) != len(post.Args) {
		c.fail(post.Position, "post has %s, but pre has %s at %v: whatever pre holds of, post has to hold of", columns(len(post.Args)),
			columns(len(pre.Args)), pre.Position)
	}
}

func columns(n int) string { return text.Plural(n, "column") }
