package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// body is the body of a rule in a round.
type body struct {
	x        *translation
	rule     *syntax.Rule
	round    int
	possibly bool // what it reads, and what it gives, is what is possible
	sender   string
	literals []string
	names    map[string]string // of the variables
	bound    []string
	fresh    int
}

// nobody is who sends what rules without a location send.
const nobody = "nobody"

// possible is before the name of the twin of a relation.
const possible = "may_"

func (x *translation) body(r *syntax.Rule, round int, possibly bool) *body {
	b := &body{x: x, rule: r, round: round, possibly: possibly, sender: nobody, names: map[string]string{}, bound: r.Bound()}
	for _, t := range r.Body {
		switch {
		case t.Atom == nil:
			b.test(t.Test.(*syntax.Binary))
		case t.Negated:
			b.absent(t)
		default:
			b.present(t)
		}
	}
	if d := r.Destination(); d != nil {
		b.add("process(%s)", b.variable(d.Name))
	}
	b.locate()
	return b
}

func (b *body) add(format string, args ...any) {
	b.literals = append(b.literals, fmt.Sprintf(format, args...))
}

// variable returns the name of a variable.
func (b *body) variable(name string) string {
	if _, known := b.names[name]; !known {
		b.names[name] = fmt.Sprintf("V%d", len(b.names))
	}
	return b.names[name]
}

// term returns an expression as a term; a computation is one of its own, without
// which the body does not hold.
func (b *body) term(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Constant:
		return term(e.Value)
	case *syntax.Variable:
		return b.variable(e.Name)
	case *syntax.Binary:
		left, right := b.term(e.Left), b.term(e.Right)
		b.fresh++
		name := fmt.Sprintf("E%d", b.fresh)
		b.add("%s = @%s(%s,%s)", name, operations[e.Op], left, right)
		return name
	default:
		return "_"
	}
}

var operations = map[string]string{
	"+": "plus", "-": "minus", "*": "times", "/": "over", "%": "rest",
	"<": "less", "<=": "most", ">": "more", ">=": "least_of",
}

func (b *body) test(e *syntax.Binary) {
	left, right := b.term(e.Left), b.term(e.Right)
	switch e.Op {
	case "==":
		b.add("%s = %s", left, right)
	case "!=":
		b.add("%s != %s", left, right)
	default:
		b.add("1 = @%s(%s,%s)", operations[e.Op], left, right)
	}
}

// reads returns the name of the relation that an atom reads, or that of its twin.
func (b *body) reads(t syntax.Term) string {
	n := node{t.Atom.Relation, b.round}
	if t.At != 0 {
		n.round = t.At
	}
	name := b.x.relation(n.relation, n.round)
	if b.x.double(n) && b.possibly != t.Negated {
		name = possible + name
	}
	return name
}

func (b *body) present(t syntax.Term) {
	var args []string
	for _, e := range t.Atom.Args {
		args = append(args, b.term(e))
	}
	b.literals = append(b.literals, atom(b.reads(t), args...))
}

// absent adds a negated atom: of the columns that are given there is no row.
func (b *body) absent(t syntax.Term) {
	var given, columns, row []string
	free := map[string]string{}
	for i, e := range t.Atom.Args {
		v, isVariable := e.(*syntax.Variable)
		column := fmt.Sprintf("C%d", i)
		switch {
		case isVariable && !slices.Contains(b.bound, v.Name):
			if free[v.Name] == "" {
				free[v.Name] = column
			}
			row = append(row, free[v.Name])
		case !isWildcard(e):
			given, columns, row = append(given, b.term(e)), append(columns, column), append(row, column)
		default:
			row = append(row, "_")
		}
	}
	some := b.x.auxiliary()
	b.x.rule(atom(some, columns...), atom(b.reads(t), row...))
	b.literals = append(b.literals, "not "+atom(some, given...))
}

func isWildcard(e syntax.Expr) bool {
	_, ok := e.(*syntax.Wildcard)
	return ok
}

// locate says that the rule fires where it is.
func (b *body) locate() {
	place := b.rule.Location()
	if place == nil {
		return
	}
	b.sender = b.term(place)
	b.add("joined_%d(%s)", b.round, b.sender)
	if b.rule.Kind != syntax.Deductive && b.x.stops() {
		b.add("not down_%d(%s)", b.round, b.sender)
	}
}

// twin returns the head of the rule, or its twin.
func (b *body) twin(head string) string {
	if b.possibly {
		return possible + head
	}
	return head
}

// head returns the arguments of the head, and the body, with what is aggregated.
func (b *body) head() (args, literals []string) {
	args, folds := b.arguments()
	if len(folds) == 0 {
		return args, b.literals
	}
	return args, b.fold(args, folds)
}

// arguments returns those of the head, and what is aggregated in them.
func (b *body) arguments() (args []string, folds []*syntax.Aggregate) {
	for _, e := range b.rule.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok {
			folds = append(folds, a)
			args = append(args, fmt.Sprintf("F%d", len(folds)))
			continue
		}
		args = append(args, b.term(e))
	}
	return args, folds
}

// collected is what an aggregate ranges over, in auxiliary relations.
type collected struct {
	any     string   // that a group has something
	members []string // by aggregate, the relation of a member of a group
	width   []int    // by aggregate, the columns of a member
	group   []string
}

// fold puts the body into auxiliary relations, and returns the body of what is
// aggregated over it.
func (b *body) fold(args []string, folds []*syntax.Aggregate) []string {
	if b.x.double(node{b.rule.Head.Relation, b.x.arrival(b.rule, b.round)}) {
		return b.foldTwice(args, folds)
	}
	c := b.collect(args, folds)
	literals := []string{c.any}
	for i, a := range folds {
		literals = append(literals, folded(a.Func, i+1, c.elements(i))...)
	}
	return literals
}

// collect writes the auxiliary relations.
func (b *body) collect(args []string, folds []*syntax.Aggregate) (c collected) {
	if b.rule.Kind == syntax.Async {
		c.group = append(c.group, b.sender)
	}
	for i, e := range b.rule.Head.Args {
		if _, ok := e.(*syntax.Aggregate); !ok {
			c.group = append(c.group, args[i])
		}
	}
	c.any = atom(b.x.auxiliary(), c.group...)
	b.x.rule(c.any, b.literals...)
	for _, a := range folds {
		member := []string{b.variable(a.Variable.Name)}
		for _, per := range a.Per {
			member = append(member, b.variable(per.Name))
		}
		name := b.x.auxiliary()
		whole := fmt.Sprintf("%s = @%s(%s)", member[0], checked(a.Func), member[0])
		b.x.rule(atom(name, slices.Concat(c.group, member)...), append(slices.Clone(b.literals), whole)...)
		c.members, c.width = append(c.members, name), append(c.width, len(member))
	}
	return c
}

// member returns a member of the group for aggregate i, and its columns.
func (c collected) member(i int, name string) (literal string, columns []string) {
	for j := range c.width[i] {
		columns = append(columns, fmt.Sprintf("%s%d", name, j))
	}
	return atom(c.members[i], slices.Concat(c.group, columns)...), columns
}

// elements are the members of the group, as an aggregate has them.
func (c collected) elements(i int) string {
	literal, columns := c.member(i, "M")
	return fmt.Sprintf("{ %s : %s }", strings.Join(columns, ","), literal)
}

// checked is the function that says which values cannot be read.
func checked(aggregate string) string {
	if aggregate == "sum" || aggregate == "avg" {
		return "summand"
	}
	return "member"
}

// folded says what aggregate i of a head is.
func folded(function string, i int, elements string) []string {
	switch function {
	case "sum":
		return []string{fmt.Sprintf("S%d = #sum%s", i, elements), fmt.Sprintf("F%d = @total(S%d)", i, i)}
	case "avg":
		return []string{fmt.Sprintf("S%d = #sum%s", i, elements), fmt.Sprintf("N%d = #count%s", i, elements), fmt.Sprintf("F%d = @over(S%d,N%d)", i, i, i)}
	default:
		return []string{fmt.Sprintf("F%d = #%s%s", i, function, elements)}
	}
}
