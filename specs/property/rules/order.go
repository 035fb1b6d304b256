package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/builtin"
	"github.com/google/mangle/symbols"
	"github.com/lineage-driven/ldfi/internal/text"
)

// ordered is a rule whose body is in an order in which every variable has its
// value before it is used: first the atoms, then what is computed from them.
type ordered struct {
	*clause
	steps []step
	named []string // the variables that have a value behind the body, sorted
	lets  []let    // what is computed for each row
	fold  *fold    // what is aggregated, nil without
}

// step is one premise.
type step struct {
	ast.Term
	at    place
	binds string // the variable that an equation gives its value, "" for a test
}

// let is Variable = Fn.
type let struct {
	variable string
	fn       ast.ApplyFn
	at       place
}

// fold is an aggregation: |> do fn:group_by(X), let N = fn:count().
type fold struct {
	group []string
	lets  []let
}

// order orders the body of a rule and checks its variables.
func (r *rules) order(c *clause) *ordered {
	o := &ordered{clause: c}
	bound := map[string]bool{}
	var later []step
	for i, premise := range c.Premises {
		st := step{Term: premise, at: c.premises[i]}
		if a, ok := premise.(ast.Atom); ok && !a.Predicate.IsBuiltin() {
			o.steps = append(o.steps, st)
			for _, arg := range a.Args {
				if v, ok := arg.(ast.Variable); ok && v.Symbol != "_" {
					bound[v.Symbol] = true
				}
			}
			continue
		}
		later = append(later, st)
	}
	for _, st := range o.steps {
		r.functions(st.Term, st.at)
	}
	for {
		i := slices.IndexFunc(later, func(st step) bool { return ready(st.Term, bound) })
		if i < 0 {
			break
		}
		st := later[i]
		later = slices.Delete(later, i, i+1)
		r.functions(st.Term, st.at)
		st.binds = bind(st.Term, bound)
		o.steps = append(o.steps, st)
	}
	for _, st := range later {
		r.unbound(st, bound)
	}
	o.named = slices.Sorted(maps.Keys(bound))
	for _, st := range o.steps { // what is computed inside of atoms
		if a, ok := st.Term.(ast.Atom); ok && !a.Predicate.IsBuiltin() {
			r.needs(a, bound, st.at, "here", unmentioned)
		}
	}
	r.transform(o, bound)
	why := unmentioned
	if o.fold != nil {
		why = ungrouped
	}
	if len(later) == 0 {
		r.needs(c.Head, bound, c.head, "in the head", why)
	}
	return o
}

// ready tells whether all that a premise needs has a value.
func ready(t ast.Term, bound map[string]bool) bool {
	switch t := t.(type) {
	case ast.Eq:
		left, right := missing(t.Left, bound), missing(t.Right, bound)
		return len(left)+len(right) == 0 || len(right) == 0 && target(t.Left, bound) != "" || len(left) == 0 && target(t.Right, bound) != ""
	case ast.Atom:
		for i, mode := range builtin.Predicates[t.Predicate] {
			if i < len(t.Args) && mode == ast.ArgModeInput && len(missing(t.Args[i], bound)) > 0 {
				return false
			}
		}
		return true
	case ast.NegAtom:
		return len(slices.DeleteFunc(missing(t.Atom, bound), func(v string) bool { return v == "_" })) == 0
	}
	return len(missing(t, bound)) == 0
}

// target returns the variable of a term that is one without a value, else "".
func target(t ast.BaseTerm, bound map[string]bool) string {
	if v, ok := t.(ast.Variable); ok && v.Symbol != "_" && !bound[v.Symbol] {
		return v.Symbol
	}
	return ""
}

// bind marks what a premise gives a value, and returns it for an equation.
func bind(t ast.Term, bound map[string]bool) string {
	switch t := t.(type) {
	case ast.Eq:
		v := target(t.Left, bound)
		if v == "" {
			v = target(t.Right, bound)
		}
		if v != "" {
			bound[v] = true
		}
		return v
	case ast.Atom: // a built-in predicate
		for _, arg := range t.Args {
			if v := target(arg, bound); v != "" {
				bound[v] = true
			}
		}
	}
	return ""
}

// missing returns the variables of a term without a value, sorted.
func missing(t ast.Term, bound map[string]bool) []string {
	vars := map[ast.Variable]bool{}
	ast.AddVars(t, vars)
	var names []string
	for v := range vars {
		if !bound[v.Symbol] {
			names = append(names, v.Symbol)
		}
	}
	slices.Sort(names)
	return names
}

// unbound reports a premise some of whose variables never get a value.
func (r *rules) unbound(st step, bound map[string]bool) {
	for _, v := range missing(st.Term, bound) {
		_, negated := st.Term.(ast.NegAtom)
		switch {
		case v == "_" && !negated:
			r.report(st.at, "_ has no value that could be compared or computed with")
		case v == "_":
		case negated:
			r.report(st.at, "%s has no value when its absence is asked for: only negated atoms mention it; write _ if any value is meant", v)
		default:
			r.report(st.at, "%s has no value: no atom of the rule mentions it", v)
		}
	}
}

// Why a variable has no value.
const (
	unmentioned = "no atom of the body mentions it"
	ungrouped   = "it is neither in the group nor an aggregate"
)

// needs reports variables without a value.
func (r *rules) needs(t ast.Term, bound map[string]bool, at place, where, why string) {
	for _, v := range missing(t, bound) {
		if v != "_" {
			r.report(at, "%s has no value %s: %s", v, where, why)
		}
	}
}

// meant says which of the names a name is probably meant to be, of those that begin alike.
func meant[K interface {
	ast.PredicateSym | ast.FunctionSym
}, V any](name string, known map[K]V) string {
	last := strings.LastIndexByte(name, ':') + 1
	var names []string
	for k := range known {
		symbol := ""
		switch k := any(k).(type) {
		case ast.PredicateSym:
			symbol = k.Symbol
		case ast.FunctionSym:
			symbol = k.Symbol
		}
		if ending, is := strings.CutPrefix(symbol, name[:last]); is {
			names = append(names, ending)
		}
	}
	slices.Sort(names)
	if s := text.Suggest(name[last:], names); s != "" && s != name[last:] {
		return fmt.Sprintf(" (did you mean %q?)", name[:last]+s)
	}
	return ""
}

// functions checks that a term uses functions that there are.
func (r *rules) functions(t ast.Term, at place) {
	switch t := t.(type) {
	case ast.Atom:
		if t.Predicate.IsBuiltin() {
			if _, ok := builtin.Predicates[t.Predicate]; !ok {
				r.report(at, "there is no built-in predicate %s of %s%s", t.Predicate.Symbol, text.Plural(len(t.Args), "argument"), meant(t.Predicate.Symbol, builtin.Predicates))
			}
		}
		for _, arg := range t.Args {
			r.functions(arg, at)
		}
	case ast.NegAtom:
		r.functions(t.Atom, at)
	case ast.Eq:
		r.functions(t.Left, at)
		r.functions(t.Right, at)
	case ast.Ineq:
		r.functions(t.Left, at)
		r.functions(t.Right, at)
	case ast.ApplyFn:
		if !builtin.IsBuiltinFunction(t.Function) || t.Function.Symbol == symbols.GroupBy.Symbol {
			r.report(at, "there is no function %s of %s that computes a value%s", t.Function.Symbol, text.Plural(len(t.Args), "argument"), meant(t.Function.Symbol, builtin.Functions))
		} else if builtin.IsReducerFunction(t.Function) {
			r.report(at, "%s aggregates, so it stands behind |> do fn:group_by(..), let ..", t.Function.Symbol)
		}
		for _, arg := range t.Args {
			r.functions(arg, at)
		}
	}
}

// transform checks what stands behind |>.
func (r *rules) transform(o *ordered, bound map[string]bool) {
	t := o.Transform
	if t == nil {
		return
	}
	if t.Next != nil {
		r.report(o.statement(0), "a rule has one |>; derive a relation in between")
		return
	}
	if !t.IsLetTransform() {
		r.group(o, bound)
		return
	}
	for i, s := range t.Statements {
		at := o.statement(i)
		r.functions(s.Fn, at)
		r.needs(s.Fn, bound, at, "here", unmentioned)
		r.define(s.Var, bound, at)
		o.lets = append(o.lets, let{s.Var.Symbol, s.Fn, at})
	}
}

func (r *rules) define(v *ast.Variable, bound map[string]bool, at place) {
	if bound[v.Symbol] || v.Symbol == "_" {
		r.report(at, "%s cannot be given a value by let: it has one already", v.Symbol)
	}
	bound[v.Symbol] = true
}

// group checks an aggregation; behind it only the group and the results have
// values.
func (r *rules) group(o *ordered, bound map[string]bool) {
	do := o.Transform.Statements[0].Fn
	at := o.statement(0)
	if do.Function.Symbol != symbols.GroupBy.Symbol {
		r.report(at, "do needs fn:group_by(..), and not %s", do.Function.Symbol)
		return
	}
	r.wildcards(o)
	o.fold = &fold{}
	rows := maps.Clone(bound)
	clear(bound)
	for _, arg := range do.Args {
		v, ok := arg.(ast.Variable)
		if !ok || v.Symbol == "_" || bound[v.Symbol] {
			r.report(at, "fn:group_by needs different variables, and not %s", arg)
			continue
		}
		r.needs(v, rows, at, "here", unmentioned)
		bound[v.Symbol] = true
		o.fold.group = append(o.fold.group, v.Symbol)
	}
	for i, s := range o.Transform.Statements[1:] {
		r.reduce(o, s, rows, bound, o.statement(i+1))
	}
}

// wildcards refuses _ in what is aggregated, unless it makes no difference how
// often a value is there.
func (r *rules) wildcards(o *ordered) {
	if r.wider || !slices.ContainsFunc(o.Transform.Statements, func(s ast.TransformStmt) bool {
		name := s.Fn.Function.Symbol
		return builtin.IsReducerFunction(s.Fn.Function) && name != symbols.Min.Symbol && name != symbols.Max.Symbol
	}) {
		return
	}
	for _, st := range o.steps {
		a, ok := st.Term.(ast.Atom)
		if ok && slices.ContainsFunc(a.Args, func(arg ast.BaseTerm) bool { v, ok := arg.(ast.Variable); return ok && v.Symbol == "_" }) {
			r.report(st.at, "Mangle sometimes counts the values of _ in an aggregation and sometimes not: "+
				"give it a name if different values count, or else leave it out by a rule of its own that derives the other columns")
		}
	}
}

// reduce checks one statement behind group_by.
func (r *rules) reduce(o *ordered, s ast.TransformStmt, rows, bound map[string]bool, at place) {
	if s.Var == nil {
		r.report(at, "behind fn:group_by there can only be let")
		return
	}
	if builtin.IsReducerFunction(s.Fn.Function) {
		for _, arg := range s.Fn.Args {
			if _, ok := arg.(ast.Variable); !ok {
				r.report(at, "%s aggregates a variable, and not %s", s.Fn.Function.Symbol, arg)
			}
		}
		r.needs(s.Fn, rows, at, "here", unmentioned)
		if rows[s.Var.Symbol] {
			r.report(at, "%s cannot be given a value by let: it has one already", s.Var.Symbol)
		}
	} else {
		r.functions(s.Fn, at)
		r.needs(s.Fn, bound, at, "here", ungrouped)
	}
	r.define(s.Var, bound, at)
	o.fold.lets = append(o.fold.lets, let{s.Var.Symbol, s.Fn, at})
}
