package lockstep_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// translation writes one Dedalus rule as Mangle clauses, around the three traps
// of that engine: an aggregating clause has one atom in its body, and what is
// negated is projected first.
type translation struct {
	rule      *syntax.Rule
	number    int
	processes []specs.Value
	codes     codes
	variables []string // their places are their names
	fresh     int
	atoms     []string // the positive atoms of the body
	terms     []string // the rest of it
	out       []string // the clauses
}

// codes are integers that stand for strings, in the same order, because Mangle
// orders only numbers.
type codes []string

const firstCode = 1 << 40

// newCodes returns codes for all strings of a program.
func newCodes(p *dedalus.Program, processes []specs.Value) codes {
	var c codes
	add := func(v specs.Value) {
		if !v.IsInt() {
			c = append(c, v.Text())
		}
	}
	for _, v := range processes {
		add(v)
	}
	for _, f := range p.Facts {
		for _, v := range f.Args {
			add(v)
		}
	}
	for _, c := range p.Choices {
		for _, o := range c.Columns {
			for _, r := range o.Ranges {
				add(r.First)
			}
		}
	}
	var walk func(e syntax.Expr)
	walk = func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Constant:
			add(e.Value)
		case *syntax.Binary:
			walk(e.Left)
			walk(e.Right)
		}
	}
	for _, r := range p.Rules {
		for _, t := range append([]syntax.Term{{Atom: &r.Head}}, r.Body...) {
			if t.Atom == nil {
				walk(t.Test)
				continue
			}
			for _, e := range t.Atom.Args {
				walk(e)
			}
		}
	}
	slices.Sort(c)
	return slices.Compact(c)
}

func (c codes) number(v specs.Value) int64 {
	if v.IsInt() {
		return v.Int()
	}
	i, _ := slices.BinarySearch(c, v.Text())
	return firstCode + int64(i)
}

func (c codes) text(v specs.Value) string { return fmt.Sprint(c.number(v)) }

func (c codes) value(n int64) specs.Value {
	if i := n - firstCode; 0 <= i && i < int64(len(c)) {
		return specs.String(c[i])
	}
	return specs.Int(n)
}

// unsupported says that Mangle has no such thing.
type unsupported string

func (u unsupported) Error() string { return "Mangle has no " + string(u) }

// result returns the predicate in which the clauses of a rule leave its heads;
// those of messages come behind their sender.
func resultOf(number int) string { return fmt.Sprintf("head_%d", number) }

// predicate returns the name of a relation in Mangle.
func predicate(relation string, at int) string {
	name := "r_" + strings.NewReplacer(".", "_d_", "?", "_q_", "@", "_a_").Replace(relation)
	if at != 0 {
		name = fmt.Sprintf("%s_at_%d", name, at)
	}
	return name
}

// translate returns the clauses of a rule; none for one that cannot fire.
func translate(rule *syntax.Rule, number int, processes []specs.Value, codes codes) ([]string, error) {
	t := &translation{rule: rule, number: number, processes: processes, codes: codes}
	for _, term := range rule.Body {
		if term.Atom == nil || term.Negated {
			continue
		}
		for _, e := range term.Atom.Args {
			if v, ok := e.(*syntax.Variable); ok {
				t.name(v.Name)
			}
		}
	}
	if v := rule.Destination(); v != nil {
		t.atoms = append(t.atoms, "proc("+t.name(v.Name)+")")
	}
	sender, fires, err := t.place()
	if err != nil || !fires {
		return nil, err
	}
	if err := t.body(); err != nil {
		return nil, err
	}
	return t.out, t.head(sender)
}

// name returns the Mangle variable for one that the body binds.
func (t *translation) name(variable string) string {
	i := slices.Index(t.variables, variable)
	if i < 0 {
		i = len(t.variables)
		t.variables = append(t.variables, variable)
	}
	return fmt.Sprintf("V%d", i)
}

func (t *translation) bound(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Variable:
		return slices.Contains(t.variables, e.Name)
	case *syntax.Wildcard:
		return false
	}
	return true
}

// place adds the location rule and returns the sender.
func (t *translation) place() (sender string, fires bool, err error) {
	switch e := t.rule.Location().(type) {
	case nil:
		return "-1", true, nil
	case *syntax.Variable:
		t.terms = append(t.terms, "proc("+t.name(e.Name)+")")
		return t.name(e.Name), true, nil
	case *syntax.Constant:
		return t.codes.text(e.Value), slices.Contains(t.processes, e.Value), nil
	default:
		return "", false, unsupported("computed location")
	}
}

// expression returns a term for an expression, which may need terms of its own
// before it.
func (t *translation) expression(e syntax.Expr) (string, error) {
	switch e := e.(type) {
	case *syntax.Constant:
		return t.codes.text(e.Value), nil
	case *syntax.Variable:
		return t.name(e.Name), nil
	case *syntax.Binary:
		left, err := t.expression(e.Left)
		if err != nil {
			return "", err
		}
		right, err := t.expression(e.Right)
		if err != nil {
			return "", err
		}
		if e.Op == "%" {
			return t.compute("minus", left, t.compute("mult", right, t.compute("div", left, right))), nil
		}
		return t.compute(map[string]string{"+": "plus", "-": "minus", "*": "mult", "/": "div"}[e.Op], left, right), nil
	}
	return "", unsupported(e.String())
}

// compute returns a new variable for the result of a function.
func (t *translation) compute(function, left, right string) string {
	t.fresh++
	name := fmt.Sprintf("F%d", t.fresh)
	t.terms = append(t.terms, fmt.Sprintf("%s = fn:%s(%s, %s)", name, function, left, right))
	return name
}

func (t *translation) body() error {
	for _, term := range t.rule.Body {
		if term.Atom != nil && !term.Negated {
			if err := t.positive(term); err != nil {
				return err
			}
		}
	}
	// Everything computed comes behind what binds its variables.
	for i, term := range t.rule.Body {
		switch {
		case term.Atom == nil:
			if err := t.test(term.Test.(*syntax.Binary)); err != nil {
				return err
			}
		case term.Negated:
			if err := t.negative(term, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// positive adds a positive atom. A variable that it has twice has a column of
// its own the second time, because Mangle does not compare such columns.
func (t *translation) positive(term syntax.Term) error {
	var args []string
	for i, e := range term.Atom.Args {
		arg := fmt.Sprintf("A%dC%d", len(t.atoms), i)
		switch e := e.(type) {
		case *syntax.Wildcard:
		case *syntax.Constant:
			arg = t.codes.text(e.Value)
		case *syntax.Variable:
			if slices.Contains(args, t.name(e.Name)) {
				t.terms = append(t.terms, arg+" = "+t.name(e.Name))
			} else {
				arg = t.name(e.Name)
			}
		default:
			value, err := t.expression(e)
			if err != nil {
				return err
			}
			t.terms = append(t.terms, arg+" = "+value)
		}
		args = append(args, arg)
	}
	t.atoms = append(t.atoms, predicate(term.Atom.Relation, term.At)+"("+strings.Join(args, ", ")+")")
	return nil
}

func (t *translation) test(e *syntax.Binary) error {
	left, err := t.expression(e.Left)
	if err != nil {
		return err
	}
	right, err := t.expression(e.Right)
	if err != nil {
		return err
	}
	op := e.Op
	if op == "==" {
		op = "="
	}
	t.terms = append(t.terms, left+" "+op+" "+right)
	return nil
}

// negative adds a negated atom, by way of its projection to what is bound.
func (t *translation) negative(term syntax.Term, i int) error {
	var kept, args, columns, equal []string
	local := map[string]string{}
	for j, e := range term.Atom.Args {
		column := fmt.Sprintf("C%d", j)
		columns = append(columns, column)
		if t.bound(e) {
			arg, err := t.expression(e)
			if err != nil {
				return err
			}
			kept, args = append(kept, column), append(args, arg)
		} else if v, ok := e.(*syntax.Variable); ok {
			if first := local[v.Name]; first != "" {
				equal = append(equal, ", "+first+" = "+column)
			} else {
				local[v.Name] = column
			}
		}
	}
	name := fmt.Sprintf("not_%d_%d", t.number, i)
	t.out = append(t.out, fmt.Sprintf("%s(%s) :- %s(%s)%s.", name, strings.Join(kept, ", "),
		predicate(term.Atom.Relation, term.At), strings.Join(columns, ", "), strings.Join(equal, "")))
	t.terms = append(t.terms, "!"+name+"("+strings.Join(args, ", ")+")")
	return nil
}

// head adds the clauses for the head.
func (t *translation) head(sender string) error {
	var args, group, folded []string
	if t.rule.Kind == syntax.Async {
		args, group = []string{sender}, []string{sender}
	}
	type fold struct{ function, variable, per string }
	var folds []fold
	for _, e := range t.rule.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok {
			f := fold{function: a.Func, variable: t.name(a.Variable.Name)}
			for _, v := range a.Per {
				f.per += ", " + t.name(v.Name)
			}
			folds = append(folds, f)
			args = append(args, fmt.Sprintf("N%d", len(folds)))
			continue
		}
		arg, err := t.expression(e)
		if err != nil {
			return err
		}
		args, group = append(args, arg), append(group, arg)
	}
	body := strings.Join(slices.Concat([]string{"always()"}, t.atoms, t.terms), ", ")
	head := fmt.Sprintf("%s(%s)", resultOf(t.number), strings.Join(args, ", "))
	if len(folds) == 0 {
		t.out = append(t.out, head+" :- "+body+".")
		return nil
	}
	for i := range group {
		folded = append(folded, fmt.Sprintf("G%d", i))
	}
	var parts []string
	for k, f := range folds {
		rows := fmt.Sprintf("rows_%d_%d", t.number, k)
		sums := fmt.Sprintf("sums_%d_%d", t.number, k)
		reducer := fmt.Sprintf("let N = fn:%s(X)", f.function)
		switch f.function {
		case "count":
			reducer = "let N = fn:count()"
		case "avg": // which is a fraction in Mangle
			reducer = "let S = fn:sum(X), let C = fn:count(), let N = fn:div(S, C)"
		}
		t.out = append(t.out,
			fmt.Sprintf("%s(%s) :- %s.", rows, strings.Join(append(slices.Clone(group), f.variable+f.per), ", "), body),
			fmt.Sprintf("%s(%s) :- %s(%s) |> do fn:group_by(%s), %s.", sums, strings.Join(append(slices.Clone(folded), "N"), ", "),
				rows, strings.Join(append(slices.Clone(folded), "X"+others(f.per)), ", "), strings.Join(folded, ", "), reducer))
		parts = append(parts, fmt.Sprintf("%s(%s)", sums, strings.Join(append(slices.Clone(folded), fmt.Sprintf("N%d", k+1)), ", ")))
	}
	next := 0
	for i, a := range args {
		if !strings.HasPrefix(a, "N") {
			args[i] = folded[next]
			next++
		}
	}
	head = fmt.Sprintf("%s(%s)", resultOf(t.number), strings.Join(args, ", "))
	t.out = append(t.out, head+" :- "+strings.Join(parts, ", ")+".")
	return nil
}

// others are as many variables as there are names in a list.
func others(list string) string {
	var text string
	for i := range strings.Count(list, ",") {
		text += fmt.Sprintf(", Y%d", i)
	}
	return text
}
