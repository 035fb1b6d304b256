package provenance

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Clock is a column whose numbers grow with the rounds.
type Clock struct {
	Relation       string
	Column         int    // from 0
	Most           int64  // numbers are counted up to this one: no rule tells larger ones apart; 0: some rule does
	Why            string // how, if one does
	specs.Position        // of the rule that counts
}

// Saturated returns a program that counts clocks only as far as some rule tells their numbers
// apart, and the clocks of p. A rule does so where it compares a number with anything but a constant, or hands
// it to another column that does.
func Saturated(p *dedalus.Program) (*dedalus.Program, []Clock) {
	f := &flow{program: p, group: map[column2]column2{}}
	f.unite()
	var clocks []Clock
	changed := *p
	most := map[column2]int64{}
	for _, r := range p.Rules {
		for i, e := range r.Head.Args {
			v, by, ok := counted(e)
			at := column2{r.Head.Relation, i}
			if !ok || by <= 0 || !slices.ContainsFunc(f.columnsOf(r, v), func(c column2) bool { return f.root(c) == f.root(at) }) {
				continue
			}
			if _, known := most[f.root(at)]; known {
				continue
			}
			c := Clock{Relation: r.Head.Relation, Column: i, Position: r.Head.Position}
			c.Most, c.Why = f.largest(f.root(at))
			most[f.root(at)] = c.Most
			clocks = append(clocks, c)
		}
	}
	changed.Rules = nil
	for _, r := range p.Rules {
		changed.Rules = append(changed.Rules, f.saturated(r, most)...)
	}
	for i, r := range changed.Rules {
		if r.Index != i {
			own := *r
			own.Index = i
			changed.Rules[i] = &own
		}
	}
	return &changed, clocks
}

// column2 is a column of a relation.
type column2 struct {
	relation string
	number   int
}

// flow is where values of columns go.
type flow struct {
	program *dedalus.Program
	group   map[column2]column2 // union-find: its parent
}

func (f *flow) root(c column2) column2 {
	for {
		up, ok := f.group[c]
		if !ok || up == c {
			return c
		}
		c = up
	}
}

// unite joins the columns between which rules pass values on, as they are or with a number added.
func (f *flow) unite() {
	for _, r := range f.program.Rules {
		for i, e := range r.Head.Args {
			if v, _, ok := counted(e); ok {
				f.join(append(f.columnsOf(r, v), column2{r.Head.Relation, i}))
			}
		}
		for _, name := range r.Variables() {
			f.join(f.columnsOf(r, name))
		}
	}
}

func (f *flow) join(columns []column2) {
	for _, c := range columns {
		f.group[f.root(c)] = f.root(columns[0])
	}
}

// columnsOf are the columns of the body in which a variable stands by itself.
func (f *flow) columnsOf(r *syntax.Rule, variable string) (all []column2) {
	for _, t := range r.Body {
		if t.Atom == nil {
			continue
		}
		for i, e := range t.Atom.Args {
			if v, ok := e.(*syntax.Variable); ok && v.Name == variable {
				all = append(all, column2{t.Atom.Relation, i})
			}
		}
	}
	return all
}

// counted tells whether an expression is a variable with a number added, or with 0.
func counted(e syntax.Expr) (variable string, by int64, ok bool) {
	switch e := e.(type) {
	case *syntax.Variable:
		return e.Name, 0, true
	case *syntax.Binary:
		v, isVariable := e.Left.(*syntax.Variable)
		n, isConstant := e.Right.(*syntax.Constant)
		if !isVariable || !isConstant {
			v, isVariable = e.Right.(*syntax.Variable)
			n, isConstant = e.Left.(*syntax.Constant)
			if e.Op != "+" {
				return "", 0, false
			}
		}
		if isVariable && isConstant && n.Value.IsInt() {
			switch e.Op {
			case "+":
				return v.Name, n.Value.Int(), true
			case "-":
				return v.Name, -n.Value.Int(), true
			}
		}
	}
	return "", 0, false
}

// comparisons are the operators of tests that tell no two numbers apart that are both larger than the other side.
var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

// largest returns the number above all that rules compare those of a group with; or 0, and how a rule tells
// larger ones apart.
func (f *flow) largest(group column2) (most int64, why string) {
	in := func(c column2) bool { return f.root(c) == group }
	note := func(e syntax.Expr) {
		if c, ok := e.(*syntax.Constant); ok && c.Value.IsInt() {
			most = max(most, c.Value.Int())
		}
	}
	for _, fact := range f.program.Facts {
		for i, v := range fact.Args {
			if in(column2{fact.Relation, i}) && v.IsInt() {
				most = max(most, v.Int())
			}
		}
	}
	for _, c := range f.program.Choices {
		for i := range c.Columns {
			if in(column2{c.Relation, i}) {
				return 0, fmt.Sprintf("%s is chosen", c.Relation)
			}
		}
	}
	for _, r := range f.program.Rules {
		for i, e := range r.Head.Args {
			if !in(column2{r.Head.Relation, i}) {
				continue
			}
			if _, isConstant := e.(*syntax.Constant); isConstant {
				note(e)
				continue
			}
			if _, by, ok := counted(e); !ok || by < 0 {
				return 0, fmt.Sprintf("%s: %s is computed", r.Head.Position, e)
			}
		}
		for _, t := range r.Body {
			if t.Atom == nil {
				continue
			}
			for i, e := range t.Atom.Args {
				if !in(column2{t.Atom.Relation, i}) {
					continue
				}
				note(e)
				switch e.(type) {
				case *syntax.Constant, *syntax.Wildcard, *syntax.Variable:
				default:
					return 0, fmt.Sprintf("%s: %s is computed", t.Atom.Position, e)
				}
			}
		}
		for _, name := range r.Variables() {
			if columns := f.columnsOf(r, name); slices.ContainsFunc(columns, in) {
				if why := f.tells(r, name, len(columns), note); why != "" {
					return 0, why
				}
			}
		}
	}
	return most + 1, ""
}

// tells says how a rule tells large numbers of a variable apart; "" if it does not.
func (f *flow) tells(r *syntax.Rule, variable string, places int, note func(syntax.Expr)) string {
	if places > 1 {
		return fmt.Sprintf("%s: %s has to be equal in two places", r.Position, variable)
	}
	if d := r.Destination(); d != nil && d.Name == variable {
		return fmt.Sprintf("%s: %s is a destination", r.Position, variable)
	}
	for _, e := range r.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok && (a.Variable.Name == variable || slices.ContainsFunc(a.Per, func(v *syntax.Variable) bool { return v.Name == variable })) {
			return fmt.Sprintf("%s: %s is summarised", r.Head.Position, variable)
		}
	}
	for _, t := range r.Body {
		if t.Negated && t.Atom != nil {
			for _, e := range t.Atom.Args {
				if v, ok := e.(*syntax.Variable); ok && v.Name == variable {
					return fmt.Sprintf("%s: %s stands in a negation", t.Position, variable)
				}
			}
		}
		if t.Test == nil || !mentions(t.Test, variable) {
			continue
		}
		b, ok := t.Test.(*syntax.Binary)
		if !ok || !slices.Contains(comparisons, b.Op) {
			return fmt.Sprintf("%s: %s is computed", t.Position, t.Test)
		}
		side, other := b.Left, b.Right
		if !mentions(side, variable) {
			side, other = other, side
		}
		_, by, ok := counted(side)
		constant, isConstant := other.(*syntax.Constant)
		if !ok || !isConstant || !constant.Value.IsInt() {
			return fmt.Sprintf("%s: %s is compared with what is no constant", t.Position, variable)
		}
		note(&syntax.Constant{Value: specs.Int(constant.Value.Int() - by)})
	}
	return ""
}

func mentions(e syntax.Expr, variable string) bool {
	switch e := e.(type) {
	case *syntax.Variable:
		return e.Name == variable
	case *syntax.Binary:
		return mentions(e.Left, variable) || mentions(e.Right, variable)
	}
	return false
}

// saturated is a rule that counts no further than is told apart, as two rules: below, and from there on.
func (f *flow) saturated(r *syntax.Rule, most map[column2]int64) []*syntax.Rule {
	for i, e := range r.Head.Args {
		limit := most[f.root(column2{r.Head.Relation, i})]
		if _, by, ok := counted(e); !ok || by <= 0 || limit == 0 {
			continue
		}
		bound := &syntax.Constant{Value: specs.Int(limit), Position: e.Pos()}
		test := func(op string) syntax.Term {
			return syntax.Term{Test: &syntax.Binary{Op: op, Left: e, Right: bound, Position: e.Pos()}, Position: e.Pos()}
		}
		below, above := *r, *r
		below.Body = append(slices.Clone(r.Body), test("<="))
		above.Body = append(slices.Clone(r.Body), test(">"))
		above.Head.Args = slices.Clone(r.Head.Args)
		above.Head.Args[i] = bound
		return append([]*syntax.Rule{&below}, f.saturated(&above, most)...)
	}
	return []*syntax.Rule{r}
}
