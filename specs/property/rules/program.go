package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/symbols"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// program returns the rules as a Dedalus program that derives the same relations
// (package datalog). Not everything that Mangle computes has such a program: the
// error says which rule has none, and why.
func (r *rules) program() (*dedalus.Program, error) {
	t := &translator{rules: r, out: &dedalus.Program{Files: []string{r.name}}}
	t.out.Facts = []*syntax.Fact{{Relation: datalog.Always, Round: 1, Position: r.position(place{1, 1})}}
	before := len(r.errors)
	for _, c := range r.clauses {
		t.clause(c)
	}
	if len(r.errors) > before {
		return nil, r.errors
	}
	return t.out, nil
}

// translator writes rules as a Dedalus program.
type translator struct {
	*rules
	out    *dedalus.Program
	fresh  int
	values map[string]syntax.Expr // of the variables that equations define, in the rule at hand
}

// unsupported reports what has no translation.
func (t *translator) unsupported(at place, format string, args ...any) {
	who := "a Dedalus program"
	if t.wider {
		who = "a guide"
	}
	t.report(at, who+" cannot say this: "+format, args...)
}

// clause translates one rule.
func (t *translator) clause(c *ordered) {
	t.values = map[string]syntax.Expr{}
	body := []syntax.Term{t.always(c.head)}
	for _, st := range c.steps {
		body = append(body, t.step(st)...)
	}
	if c.fold != nil {
		body = t.fold(c, body)
	}
	for _, l := range c.lets {
		body = append(body, t.define(l.variable, l.fn, l.at)...)
	}
	t.rule(t.atom(c.Head, c.head), body, c.head)
}

// rule adds a rule.
func (t *translator) rule(head syntax.Atom, body []syntax.Term, at place) {
	t.out.Rules = append(t.out.Rules, &syntax.Rule{
		Index: len(t.out.Rules), Head: head, Kind: syntax.Deductive, Body: body, Position: t.position(at),
	})
}

func (t *translator) always(at place) syntax.Term {
	return syntax.Term{Atom: &syntax.Atom{Relation: datalog.Always, Position: t.position(at)}, Position: t.position(at)}
}

// step translates a premise.
func (t *translator) step(st step) []syntax.Term {
	at := t.position(st.at)
	test := func(op string, left, right ast.BaseTerm) []syntax.Term {
		return []syntax.Term{{Test: &syntax.Binary{Op: op, Left: t.expr(left, st.at), Right: t.expr(right, st.at), Position: at}, Position: at}}
	}
	switch p := st.Term.(type) {
	case ast.Eq:
		switch {
		case st.binds == "":
			return test("==", p.Left, p.Right)
		case p.Left.Equals(ast.Variable{Symbol: st.binds}):
			return t.define(st.binds, p.Right, st.at)
		default:
			return t.define(st.binds, p.Left, st.at)
		}
	case ast.Ineq:
		return test("!=", p.Left, p.Right)
	case ast.NegAtom:
		atom := t.atom(p.Atom, st.at)
		return []syntax.Term{{Negated: true, Atom: &atom, Position: at}}
	case ast.Atom:
		if comparisons[p.Predicate] != "" {
			return test(comparisons[p.Predicate], p.Args[0], p.Args[1])
		}
		if op := textual[p.Predicate.Symbol]; op != "" && t.wider {
			return test(op, p.Args[0], p.Args[1])
		}
		if p.Predicate.IsBuiltin() {
			t.unsupported(st.at, "it has no %s", p.Predicate.Symbol)
			return nil
		}
		atom := t.atom(p, st.at)
		return []syntax.Term{{Atom: &atom, Position: at}}
	}
	t.unsupported(st.at, "%s", st.Term)
	return nil
}

// define gives a variable a value. Where that may not exist, the rule needs it
// all the same.
func (t *translator) define(variable string, value ast.BaseTerm, at place) []syntax.Term {
	e := t.expr(value, at)
	t.values[variable] = e
	if _, computed := e.(*syntax.Binary); !computed {
		return nil
	}
	p := t.position(at)
	return []syntax.Term{{Test: &syntax.Binary{Op: "==", Left: e, Right: e, Position: p}, Position: p}}
}

func (t *translator) atom(a ast.Atom, at place) syntax.Atom {
	atom := syntax.Atom{Relation: a.Predicate.Symbol, Position: t.position(at)}
	for _, arg := range a.Args {
		atom.Args = append(atom.Args, t.expr(arg, at))
	}
	return atom
}

// expr translates a term.
func (t *translator) expr(term ast.BaseTerm, at place) syntax.Expr {
	p := t.position(at)
	switch e := term.(type) {
	case ast.Variable:
		if e.Symbol == "_" {
			return &syntax.Wildcard{Position: p}
		}
		if value := t.values[e.Symbol]; value != nil {
			return value
		}
		return &syntax.Variable{Name: e.Symbol, Position: p}
	case ast.Constant:
		if v, ok := valueOf(e); ok {
			return &syntax.Constant{Value: v, Position: p}
		}
	case ast.ApplyFn:
		if op := operators[e.Function.Symbol]; op != "" && len(e.Args) > 0 {
			return t.compute(e, op, at)
		}
		t.unsupported(at, "it has no function %s", e.Function.Symbol)
		return &syntax.Wildcard{Position: p}
	}
	t.unsupported(at, "it has only integers and strings, and not %s", term)
	return &syntax.Wildcard{Position: p}
}

// textual are the built-in predicates that compare texts, which only programs of a
// [datalog.Language] have.
var textual = map[string]string{
	symbols.StartsWith.Symbol: syntax.StartsWith, symbols.EndsWith.Symbol: syntax.EndsWith, symbols.Contains.Symbol: syntax.Contains,
}

var operators = map[string]string{
	symbols.Plus.Symbol: "+", symbols.Minus.Symbol: "-", symbols.Mult.Symbol: "*", symbols.Div.Symbol: "/",
}

// compute translates arithmetic: fn:minus(X) is 0-X, fn:div(X) is 1/X, and more
// than two arguments go from left to right.
func (t *translator) compute(e ast.ApplyFn, op string, at place) syntax.Expr {
	args := e.Args
	if len(args) == 1 {
		neutral := ast.Number(0)
		if op == "*" || op == "/" {
			neutral = ast.Number(1)
		}
		args = []ast.BaseTerm{neutral, args[0]}
	}
	value := t.expr(args[0], at)
	for _, arg := range args[1:] {
		value = &syntax.Binary{Op: op, Left: value, Right: t.expr(arg, at), Position: t.position(at)}
	}
	return value
}

// valueOf returns the value of a constant, if it has one in Dedalus.
func valueOf(c ast.Constant) (specs.Value, bool) {
	switch c.Type {
	case ast.NumberType:
		return specs.Int(c.NumValue), true
	case ast.StringType, ast.BytesType:
		return specs.String(c.Symbol), true
	}
	return specs.Value{}, false
}

// fold translates an aggregation by two relations, the rows and the results,
// and returns the body of a rule that reads those.
func (t *translator) fold(c *ordered, body []syntax.Term) []syntax.Term {
	at := t.position(c.statement(0))
	t.fresh++
	rows := syntax.Atom{Relation: fmt.Sprintf("rows?%d", t.fresh), Position: at}
	source := syntax.Atom{Relation: rows.Relation, Position: at}
	for _, v := range c.named {
		rows.Args = append(rows.Args, t.expr(ast.Variable{Symbol: v}, c.head))
		source.Args = append(source.Args, &syntax.Variable{Name: v, Position: at})
	}
	t.rule(rows, body, c.head)
	t.values = map[string]syntax.Expr{}

	folded := syntax.Atom{Relation: fmt.Sprintf("folded?%d", t.fresh), Position: at}
	result := syntax.Atom{Relation: folded.Relation, Position: at}
	for _, v := range c.fold.group {
		folded.Args = append(folded.Args, &syntax.Variable{Name: v, Position: at})
		result.Args = append(result.Args, &syntax.Variable{Name: v, Position: at})
	}
	var lets []let
	for _, l := range c.fold.lets {
		function, known := reducers[l.fn.Function.Symbol]
		if !known {
			lets = append(lets, l)
			continue
		}
		variable, per := t.aggregated(c, l, function)
		if variable == "" {
			t.values[l.variable] = &syntax.Constant{Value: specs.Int(1), Position: at}
			continue
		}
		folded.Args = append(folded.Args, &syntax.Aggregate{Func: function, Variable: &syntax.Variable{Name: variable, Position: at}, Per: per, Position: at})
		result.Args = append(result.Args, &syntax.Variable{Name: l.variable, Position: at})
	}
	t.rule(folded, []syntax.Term{t.always(c.head), {Atom: &source, Position: at}}, c.head)
	body = []syntax.Term{t.always(c.head), {Atom: &result, Position: at}}
	for _, l := range lets {
		body = append(body, t.define(l.variable, l.fn, l.at)...)
	}
	return body
}

var reducers = map[string]string{
	symbols.Count.Symbol: "count", symbols.Sum.Symbol: "sum", symbols.Min.Symbol: "min", symbols.Max.Symbol: "max",
}

// aggregated returns the variable over whose different values Dedalus has to
// aggregate; "" for the count of groups that have one row each. Values are also told apart
// by others, per, in a [datalog.Language].
func (t *translator) aggregated(c *ordered, l let, function string) (variable string, per []*syntax.Variable) {
	var others []string // the variables by which the rows of a group differ
	for _, v := range c.named {
		if !slices.Contains(c.fold.group, v) {
			others = append(others, v)
		}
	}
	switch {
	case function == "count" && len(others) == 0:
		return "", nil
	case function == "count":
		variable = others[0]
	default:
		variable = l.fn.Args[0].(ast.Variable).Symbol
	}
	if function == "min" || function == "max" {
		return variable, nil
	}
	others = slices.DeleteFunc(others, func(v string) bool { return v == variable })
	switch {
	case len(others) == 0:
	case t.wider:
		for _, v := range others {
			per = append(per, &syntax.Variable{Name: v, Position: t.position(l.at)})
		}
	case function == "count":
		t.unsupported(l.at, "it counts the different values of one variable, and the rows here differ in %s; derive a relation of what is counted first", strings.Join(append([]string{variable}, others...), ", "))
	default:
		t.unsupported(l.at, "it adds up different values of %s, and the rows here also differ in %s; derive a relation of what is added first", variable, others[0])
	}
	return variable, per
}
