package vet

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Growing says which numbers can grow for ever: those that a rule computes from earlier ones of itself,
// without a test that ends that. If there are none, a program has finitely many facts,
// whatever the number of rounds.
func Growing(p *dedalus.Program) []specs.Warning {
	g := newGrowth(p)
	var all []specs.Warning
	for _, m := range g.made {
		if !slices.ContainsFunc(m.from, func(from place) bool { return g.reaches(m.to, from) }) {
			continue
		}
		all = append(all, specs.Warning{Position: m.value.Pos(), Message: fmt.Sprintf("the numbers in column %d of %s can grow, for %s is computed from earlier ones: %s", m.to.column+1, m.to.relation, m.value, m.ends())})
	}
	return InOrder(p, all)
}

// place is a column of a relation, from 0.
type place struct {
	relation string
	column   int
}

// growth is how values get from column to column.
type growth struct {
	next map[place][]place // of what a rule copies, or computes
	made []made
}

// made is a number that a rule computes from those of other columns.
type made struct {
	rule  *syntax.Rule
	value syntax.Expr
	to    place
	from  []place
}

func newGrowth(p *dedalus.Program) *growth {
	g := &growth{next: map[place][]place{}}
	var computed []made
	for _, r := range p.Rules {
		for i, e := range r.Head.Args {
			to := place{r.Head.Relation, i}
			m := made{rule: r, value: e, to: to}
			syntax.EachVariable(e, func(v *syntax.Variable) {
				for _, from := range placesOf(r, v.Name) {
					m.from = append(m.from, from)
					g.next[from] = append(g.next[from], to)
				}
			})
			if computes(e) && !ends(r, e) {
				computed = append(computed, m)
			}
		}
	}
	for _, m := range computed {
		if !g.joined(m) {
			g.made = append(g.made, m)
		}
	}
	return g
}

// placesOf are the columns of the positive atoms of a rule in which a variable stands.
func placesOf(r *syntax.Rule, variable string) (all []place) {
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for i, e := range t.Atom.Args {
			if v, ok := e.(*syntax.Variable); ok && v.Name == variable {
				all = append(all, place{t.Atom.Relation, i})
			}
		}
	}
	return all
}

// computes tells whether an expression can have a value that none of its variables has.
func computes(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Aggregate:
		return e.Func != "min" && e.Func != "max"
	case *syntax.Binary:
		_, constant := e.Right.(*syntax.Constant)
		return !bounded(e) && !(constant && e.Op == "/" && !computes(e.Left))
	}
	return false
}

// bounded tells whether an expression has finitely many values, whatever its variables are.
func bounded(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Constant:
		return true
	case *syntax.Binary:
		_, constant := e.Right.(*syntax.Constant)
		return constant && e.Op == "%" || bounded(e.Left) && bounded(e.Right)
	}
	return false
}

// ends tells whether a rule stops by itself: it adds a number only below some constant, or
// subtracts one only above.
func ends(r *syntax.Rule, e syntax.Expr) bool {
	variable, by, _ := syntax.Offset(e)
	for _, t := range r.Body {
		b, ok := t.Test.(*syntax.Binary)
		if !ok {
			continue
		}
		left, op, right := b.Left, b.Op, b.Right
		if _, constant := left.(*syntax.Constant); constant {
			left, op, right = right, mirrored[op], left
		}
		v, _, ok := syntax.Offset(left)
		if _, constant := right.(*syntax.Constant); !ok || !constant || v != variable {
			continue
		}
		switch op {
		case "==":
			return true
		case "<", "<=":
			return by >= 0
		case ">", ">=":
			return by <= 0
		}
	}
	return false
}

// mirrored are the comparisons with the sides exchanged.
var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

// joined tells whether each variable of a number also has to be in a column that the number does not get to.
func (g *growth) joined(m made) bool {
	all := true
	syntax.EachVariable(m.value, func(v *syntax.Variable) {
		all = all && slices.ContainsFunc(placesOf(m.rule, v.Name), func(c place) bool { return !g.reaches(m.to, c) })
	})
	return all
}

// reaches tells whether values of a column get to another, or are those of the same.
func (g *growth) reaches(from, to place) bool {
	seen := map[place]bool{from: true}
	for waiting := []place{from}; len(waiting) > 0; waiting = waiting[1:] {
		if waiting[0] == to {
			return true
		}
		for _, next := range g.next[waiting[0]] {
			if !seen[next] {
				seen[next] = true
				waiting = append(waiting, next)
			}
		}
	}
	return false
}

// ends says what would make a number stop.
func (m made) ends() string {
	if v, by, ok := syntax.Offset(m.value); ok {
		op, limit := "<", "9"
		if by < 0 {
			op, limit = ">", "0"
		}
		return fmt.Sprintf("a test such as %s %s %s in the rule ends that", v, op, limit)
	}
	if a, ok := m.value.(*syntax.Aggregate); ok {
		return fmt.Sprintf("it ends where %s is of a relation that does not depend on it", a)
	}
	return "a relation with a fact for each part, in place of a number, is finite"
}
