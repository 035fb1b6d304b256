package vet

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// addRule notes a rule that names processes.
func (t *renamedText) addRule(r *syntax.Rule) {
	var processes []int
	eachConstant(r, func(e *syntax.Constant) {
		column, ok := t.columns.constants[e]
		if !ok || t.columns.of(column) != ofProcesses {
			return
		}
		if p := t.number[e.Value]; !slices.Contains(processes, p) {
			processes = append(processes, p)
		}
	})
	if len(processes) == 0 {
		return
	}
	t.rules[canonical(r)] = true
	for _, p := range processes {
		t.ruling[p] = append(t.ruling[p], r)
	}
}

// rulesUnchanged tells whether the rules that name one of the two processes also exist with
// the other name, up to the names of variables.
func (t *renamedText) rulesUnchanged(w Swap) bool {
	for _, r := range slices.Concat(t.ruling[w.p], t.ruling[w.q]) {
		if !t.rules[canonical(t.rename(w, r))] {
			return false
		}
	}
	return true
}

// rename returns a rule with the names of processes changed.
func (t *renamedText) rename(w Swap, r *syntax.Rule) *syntax.Rule {
	renamed := &syntax.Rule{Head: t.atom(w, r.Head), Kind: r.Kind}
	for _, term := range r.Body {
		if term.Atom != nil {
			a := t.atom(w, *term.Atom)
			term.Atom = &a
		} else {
			term.Test = t.expr(w, term.Test)
		}
		renamed.Body = append(renamed.Body, term)
	}
	return renamed
}

func (t *renamedText) atom(w Swap, a syntax.Atom) syntax.Atom {
	args := make([]syntax.Expr, len(a.Args))
	for i, e := range a.Args {
		args[i] = t.expr(w, e)
	}
	a.Args = args
	return a
}

func (t *renamedText) expr(w Swap, e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Constant:
		if column, ok := t.columns.constants[e]; ok && t.columns.of(column) == ofProcesses {
			return &syntax.Constant{Value: w.value(e.Value)}
		}
	case *syntax.Binary:
		return &syntax.Binary{Op: e.Op, Left: t.expr(w, e.Left), Right: t.expr(w, e.Right)}
	}
	return e
}

// eachConstant calls visit for the constants of a rule.
func eachConstant(r *syntax.Rule, visit func(*syntax.Constant)) {
	in := func(e syntax.Expr) {
		syntax.Walk(e, func(e syntax.Expr) {
			if c, ok := e.(*syntax.Constant); ok {
				visit(c)
			}
		})
	}
	for _, e := range r.Head.Args {
		in(e)
	}
	for _, term := range r.Body {
		if term.Atom == nil {
			in(term.Test)
			continue
		}
		for _, e := range term.Atom.Args {
			in(e)
		}
	}
}

// canonical returns a text that is equal for rules that differ only in the names of
// variables and in the order after the first atom, which is the location of the rule.
func canonical(r *syntax.Rule) string {
	c := syntax.Rule{Head: r.Head, Kind: r.Kind, Body: slices.Clone(r.Body)}
	behind := c.Body
	if first := slices.IndexFunc(c.Body, func(t syntax.Term) bool { return t.Atom != nil }); first >= 0 {
		c.Body[0], c.Body[first] = c.Body[first], c.Body[0]
		behind = c.Body[1:]
	}
	slices.SortStableFunc(behind, func(a, b syntax.Term) int { return strings.Compare(outline(a), outline(b)) })
	return c.Canonical()
}

// outline is the text of a term, whatever the names of its variables are.
func outline(t syntax.Term) string {
	alone := syntax.Rule{Body: []syntax.Term{t}}
	return alone.Canonical()
}
