package advise

import (
	"fmt"
	"math"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// otherwise are what is tried in place of a number.
var otherwise = []int64{1, -1, 2, -2}

// numbers are the parts that put other numbers into rules: into those that lead to what
// breaks the promise first, then into those of what the counterexample lacks, then into
// all others on which the promise depends.
func (s *repairSearch) numbers() (all []part) {
	var rules []*syntax.Rule
	for _, d := range s.surplus {
		rules = append(rules, d.rule)
	}
	rules = append(rules, s.lost...)
	of := slices.Concat(s.spoken, ends)
	for _, r := range s.program.Slice(of...).Rules {
		rules = append(rules, ruleAt(s.program, r.Position))
	}
	var seen []*syntax.Rule
	for _, r := range rules {
		if r == nil || s.specification[r.Head.Relation] || slices.Contains(seen, r) || counts(r) {
			continue
		}
		seen = append(seen, r)
		all = append(all, s.writer.constants(r)...)
	}
	return all
}

// counts tells whether a rule only counts on, as a clock does: with another number it would
// go at another speed.
func counts(r *syntax.Rule) bool {
	return r.Kind == syntax.Next && slices.ContainsFunc(r.Body, func(t syntax.Term) bool {
		return t.Atom != nil && !t.Negated && t.Atom.Relation == r.Head.Relation
	})
}

// constants puts other numbers in place of one that a rule adds or subtracts. What it
// compares something with is for thresholds.
func (w *writer) constants(r *syntax.Rule) (all []part) {
	try := func(e syntax.Expr, change func(*syntax.Rule, syntax.Expr)) {
		b, ok := e.(*syntax.Binary)
		if !ok || !slices.Contains([]string{"+", "-"}, b.Op) {
			return
		}
		for _, other := range nearby(b) {
			changed := *r
			changed.Body = slices.Clone(r.Body)
			change(&changed, other)
			all = append(all, part{
				kind: constant, text: fmt.Sprintf("in a rule for %s %s takes the place of %s", r.Head.Relation, other, b),
				rules: []string{changed.String()}, instead: []*syntax.Rule{r}, less: r.Head.Relation,
			})
		}
	}
	for i, e := range r.Head.Args {
		try(e, func(changed *syntax.Rule, other syntax.Expr) {
			changed.Head.Args = slices.Clone(r.Head.Args)
			changed.Head.Args[i] = other
		})
	}
	for i, t := range r.Body {
		compared, ok := t.Test.(*syntax.Binary)
		if t.Atom != nil || !ok {
			continue
		}
		try(compared.Left, func(changed *syntax.Rule, other syntax.Expr) {
			test := *compared
			test.Left = other
			changed.Body[i] = syntax.Term{Test: &test}
		})
		try(compared.Right, func(changed *syntax.Rule, other syntax.Expr) {
			test := *compared
			test.Right = other
			changed.Body[i] = syntax.Term{Test: &test}
		})
	}
	return all
}

// nearby are the same with other numbers, none of them less than nothing where the number
// is not.
func nearby(b *syntax.Binary) (all []*syntax.Binary) {
	number, right := b.Right.(*syntax.Constant)
	if !right {
		number, _ = b.Left.(*syntax.Constant)
	}
	if number == nil || !number.Value.IsInt() || number.Value.Int() > math.MaxInt64-2 || number.Value.Int() < 0 {
		return nil
	}
	for _, by := range otherwise {
		n := number.Value.Int() + by
		if n < 0 {
			continue
		}
		other, value := *b, &syntax.Constant{Value: specs.Int(n)}
		if right {
			other.Right = value
		} else {
			other.Left = value
		}
		all = append(all, &other)
	}
	return all
}
