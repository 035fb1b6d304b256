package guide

import (
	"math"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
)

// known has, for each column of relations that has rounds, a number n such that a row with
// round r in it is known in round r+n at the earliest; never for other columns.
type known map[string][]int

// timeless stands for a column that says nothing of when its rows are known, and beyond for
// one of which nothing is known yet.
const (
	timeless = math.MinInt32
	beyond   = math.MaxInt32
)

// future refuses rules that need what is recorded only after they have decided, and finds
// the terms of bodies that are new whenever a rule decides.
func (c *checker) future() {
	before, within := c.when(1), c.when(0)
	for _, r := range c.rules {
		if !r.decides || r.head == "goto" || r.head == "good" || r.head == "bad" {
			continue
		}
		k := before
		if r.head == "waypoint" {
			k = within
		}
		c.timely(r, k)
	}
}

// when finds when rows are known: what is recorded in a round, that many rounds later.
func (c *checker) when(later int) known {
	k := known{}
	for _, r := range c.compiled.Program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil {
				k.given(t.Atom.Relation, len(t.Atom.Args), later)
			}
		}
	}
	for _, r := range c.compiled.Program.Rules {
		k[r.Head.Relation] = slices.Repeat([]int{beyond}, len(r.Head.Args))
	}
	var apart []difference
	for _, r := range c.compiled.Program.Rules {
		apart = append(apart, bounds(r))
	}
	for turn := 0; ; turn++ {
		changed := false
		for number, r := range c.compiled.Program.Rules {
			for i, e := range r.Head.Args {
				have := &k[r.Head.Relation][i]
				if n := k.least(r, apart[number], e); n < *have {
					if turn > 100 { // it goes back and back
						n = timeless
					}
					*have, changed = n, true
				}
			}
		}
		if !changed {
			return k
		}
	}
}

// given adds a relation that no rule derives.
func (k known) given(relation string, columns, later int) {
	all := slices.Repeat([]int{timeless}, columns)
	k[relation] = all
	if columns == 0 || relation == "eot" {
		return
	}
	names := columnsOf(relation)
	switch {
	case relation == "round" || relation == ofMessage.Name:
		all[columns-1] = 0
	case names == nil || names[columns-1] == "Round":
		all[columns-1] = later
	}
}

// least returns how much later than a value its row is known at the earliest.
func (k known) least(r *syntax.Rule, b difference, e syntax.Expr) int {
	least := timeless
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for i, n := range k[t.Atom.Relation] {
			switch {
			case n == timeless:
			case n == beyond:
				return beyond
			default:
				if d := b.least(t.Atom.Args[i], e); d != timeless {
					least = max(least, d+n)
				}
			}
		}
	}
	return least
}

// timely checks the times of a rule that decides.
func (c *checker) timely(r *rule, k known) {
	b := bounds(r.source)
	head, said := r.source.Head.Args[len(r.source.Head.Args)-1], true
	if columns := headOf(r.head).Columns; columns[len(columns)-1] != "Round" {
		head, said = c.roundOf(r)
	}
	for i, t := range r.source.Body {
		if t.Atom == nil || !said {
			continue
		}
		for column, n := range k[t.Atom.Relation] {
			if n == timeless || n == beyond {
				continue
			}
			e := t.Atom.Args[column]
			d := b.least(e, head)
			switch {
			case d == timeless:
			case d+n > 0:
				c.late(r, &t, e, head)
			case d+n == 0 && !t.Negated && b.same(e, head):
				if r.focus < 0 {
					r.focus = i
				}
			}
		}
	}
	if i := c.about(r); i >= 0 {
		r.focus, r.about = i, true
		c.decided(r)
	}
}

// decided refuses to read of a message what is decided about it only now.
func (c *checker) decided(r *rule) {
	m := r.source.Head.Args[0].String()
	for _, t := range r.source.Body {
		if t.Atom == nil {
			continue
		}
		name, is := strings.CutSuffix(t.Atom.Relation, "?")
		if is && isHead(name) && headOf(name).Columns[0] == "Message" && t.Atom.Args[0].String() == m {
			c.report(t.Position, "%s is what was decided before message %s was sent, so it says nothing of it; what holds for several rules can be a relation of its own that they read", name, m)
		}
	}
}

func (c *checker) late(r *rule, t *syntax.Term, e, head syntax.Expr) {
	name := strings.TrimSuffix(t.Atom.Relation, "?")
	when := "before anything of that round is recorded"
	if r.head == "waypoint" {
		when = "at its end"
	}
	next := "S"
	if e.String() == next {
		next = "T"
	}
	c.report(t.Position, "%s of round %s is the future here: %s is decided in round %s, %s; read an earlier round, or decide in a later one, as in %s = fn:plus(%s, 1)", name, e, r.head, head, when, next, e)
}

// about returns the term of the body that has the message which a rule decides about, -1
// if it does not decide about one.
func (c *checker) about(r *rule) int {
	columns := headOf(r.head).Columns
	v, ok := r.source.Head.Args[0].(*syntax.Variable)
	if columns[0] != "Message" || r.head == "release" || !ok {
		return -1
	}
	found := -1
	for i, t := range r.source.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for column, e := range t.Atom.Args {
			if is, ok := e.(*syntax.Variable); ok && is.Name == v.Name && c.types[t.Atom.Relation][column] == message {
				if found < 0 || t.Atom.Relation == ofMessage.Name {
					found = i
				}
			}
		}
	}
	return found
}

// roundOf returns the round of the message that a rule decides about, if its body says it.
func (c *checker) roundOf(r *rule) (syntax.Expr, bool) {
	i := c.about(r)
	if i < 0 {
		return nil, false
	}
	a := r.source.Body[i].Atom
	if a.Relation != ofMessage.Name {
		return nil, false
	}
	round := a.Args[len(a.Args)-1]
	_, wild := round.(*syntax.Wildcard)
	return round, !wild
}

// difference has lower bounds of the differences of variables, "" being 0.
type difference map[[2]string]int

// bounds reads the comparisons of a rule: x - y >= d.
func bounds(r *syntax.Rule) difference {
	b := difference{}
	names := append(r.Variables(), "")
	at := func(x, y string, d int) {
		if have, ok := b[[2]string{x, y}]; !ok || d > have {
			b[[2]string{x, y}] = d
		}
	}
	for _, n := range names {
		at(n, n, 0)
	}
	for _, t := range r.Body {
		test, ok := t.Test.(*syntax.Binary)
		if !ok {
			continue
		}
		x, dx, ok := term(test.Left)
		y, dy, also := term(test.Right)
		if !ok || !also {
			continue
		}
		switch test.Op { // x + dx ? y + dy
		case ">":
			at(x, y, dy-dx+1)
		case ">=":
			at(x, y, dy-dx)
		case "<":
			at(y, x, dx-dy+1)
		case "<=":
			at(y, x, dx-dy)
		case "==":
			at(x, y, dy-dx)
			at(y, x, dx-dy)
		}
	}
	for _, through := range names {
		for _, x := range names {
			for _, y := range names {
				a, ok := b[[2]string{x, through}]
				d, also := b[[2]string{through, y}]
				if ok && also && within(a+d) {
					at(x, y, a+d)
				}
			}
		}
	}
	return b
}

func within(n int) bool { return n > -1<<30 && n < 1<<30 }

// term returns an expression as a variable with a number added, "" for a number alone.
func term(e syntax.Expr) (variable string, plus int, ok bool) {
	if e, is := e.(*syntax.Constant); is {
		return "", int(e.Value.Int()), e.Value.IsInt() && within(int(e.Value.Int()))
	}
	v, n, ok := syntax.Offset(e)
	return v, int(n), ok && within(int(n))
}

// least returns the least that the difference of two expressions can be.
func (b difference) least(x, y syntax.Expr) int {
	u, a, ok := term(x)
	v, d, also := term(y)
	if n, bounded := b[[2]string{u, v}]; ok && also && bounded {
		return n + a - d
	}
	return timeless
}

// same tells whether the difference of two expressions is always the same.
func (b difference) same(x, y syntax.Expr) bool {
	least, most := b.least(x, y), b.least(y, x)
	return least != timeless && most != timeless && least == -most
}

// lastly tells whether what a relation has stays once it is there.
func (g *Guide) lastly(relation string, seen map[string]bool) bool {
	if seen[relation] {
		return true
	}
	seen[relation] = true
	for _, r := range g.compiled.Program.Rules {
		if r.Head.Relation != relation {
			continue
		}
		for _, e := range r.Head.Args {
			if _, folds := e.(*syntax.Aggregate); folds {
				return false
			}
		}
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation != datalog.Always && (t.Negated || !g.lastly(t.Atom.Relation, seen)) {
				return false
			}
		}
	}
	return true
}
