package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// body is a rule's body in the making.
type body struct {
	terms       []string
	vars        map[byte][]string // bound variables by type of column
	fresh       int
	location    string // the first column of the first atom, "" if it is nothing to share
	destination string // the variable of a broadcast, "" if it is none
}

// rule adds a random rule.
func (g *generator) rule(head relation, kind syntax.Kind) {
	b := &body{vars: map[byte][]string{}}
	low := kind == syntax.Deductive && g.chance(75)
	for range 1 + g.IntN(2) + g.IntN(2) {
		r := pick(g, g.relations)
		for try := 0; low && r.level >= head.level && try < 10; try++ {
			r = pick(g, g.relations)
		}
		b.terms = append(b.terms, g.atom(b, r)+g.round())
	}
	if kind == syntax.Async && head.columns != "" && g.chance(35) {
		b.destination = "Q"
		if g.chance(50) {
			b.vars['P'] = append(b.vars['P'], "Q")
		}
	}
	if g.chance(35) {
		g.negation(b, head, kind)
	}
	if g.chance(30) {
		g.test(b)
	}
	if g.chance(4) {
		first := g.IntN(len(b.terms))
		b.terms[0], b.terms[first] = b.terms[first], b.terms[0]
	}
	args := make([]string, len(head.columns))
	for i := range args {
		args[i] = g.headArg(b, head, i, kind, low)
	}
	suffix := kind.String()
	if kind == syntax.Async && len(args) == 0 {
		suffix = "@next"
	}
	g.printf("%s(%s)%s :- %s;", head.name, strings.Join(args, ", "), suffix, strings.Join(b.terms, ", "))
}

// round returns, now and then, the suffix for a round.
func (g *generator) round() string {
	if g.chance(93) {
		return ""
	}
	return fmt.Sprintf("@%d", 1+g.IntN(g.eot+1))
}

// atom returns a positive atom, and binds its variables.
func (g *generator) atom(b *body, r relation) string {
	if g.chance(4) {
		r = relation{name: syntax.Crash, columns: "PPI"}
	}
	args := make([]string, len(r.columns))
	var bound []string
	for i := range args {
		args[i] = g.bodyArg(b, r.columns[i], i)
		if args[i][0] >= 'A' && args[i][0] <= 'Z' && !strings.Contains(args[i], " ") {
			bound = append(bound, string(r.columns[i])+args[i])
		}
	}
	for _, v := range bound {
		b.vars[v[0]] = append(b.vars[v[0]], v[1:])
	}
	if len(args) > 0 && b.location == "" && args[0] != "_" {
		b.location = args[0]
	}
	return r.name + "(" + strings.Join(args, ", ") + ")"
}

// bodyArg returns a column of a positive atom.
func (g *generator) bodyArg(b *body, column byte, index int) string {
	old := b.vars[column]
	switch {
	case index == 0 && b.location != "" && g.chance(75):
		return b.location
	case index > 0 && len(old) > 0 && g.chance(50):
		return pick(g, old)
	case column == 'I' && len(old) > 0 && g.chance(10):
		return pick(g, old) + " + 1"
	case g.chance(8):
		return g.constant(column)
	case g.chance(8):
		return "_"
	}
	b.fresh++
	return fmt.Sprintf("%c%d", column, b.fresh)
}

// negation adds a negated atom.
func (g *generator) negation(b *body, head relation, kind syntax.Kind) {
	r := pick(g, g.relations)
	for try := 0; kind == syntax.Deductive && r.level >= head.level && try < 10 && !g.chance(4); try++ {
		r = pick(g, g.relations)
	}
	if g.chance(8) {
		r = relation{name: syntax.Crash, columns: "PPI"}
	}
	args := make([]string, len(r.columns))
	for i := range args {
		switch old := b.vars[r.columns[i]]; {
		case len(old) > 0 && g.chance(70):
			args[i] = pick(g, old)
		case g.chance(15):
			args[i] = g.constant(r.columns[i])
		case g.chance(25):
			args[i] = fmt.Sprintf("N%c%d", r.columns[i], g.IntN(2))
		default:
			args[i] = "_"
		}
	}
	b.terms = append(b.terms, "notin "+r.name+"("+strings.Join(args, ", ")+")"+g.round())
}

// test adds a comparison.
func (g *generator) test(b *body) {
	column := pick(g, []byte("PPVII"))
	if len(b.vars[column]) == 0 {
		return
	}
	left, right := pick(g, b.vars[column]), g.constant(column)
	if other := pick(g, b.vars[column]); other != left || g.chance(5) {
		right = other
	}
	op := pick(g, []string{"!=", "!=", "==", "<", "<=", ">", ">="})
	if column == 'I' && g.chance(30) {
		left += pick(g, []string{" + 1", " * 2", " % 2", " / 2", " - 1", " / 0"})
	}
	b.terms = append(b.terms, left+" "+op+" "+right)
}

// headArg returns a column of a head.
func (g *generator) headArg(b *body, head relation, index int, kind syntax.Kind, low bool) string {
	column := head.columns[index]
	bound := b.vars[column]
	if index == 0 {
		switch {
		case b.destination != "":
			return b.destination
		case kind != syntax.Async && strings.HasPrefix(b.location, "P") && g.chance(85):
			return b.location
		}
	}
	if index > 0 && g.chance(12) {
		if a := g.aggregate(b, column); a != "" {
			return a
		}
	}
	if len(bound) == 0 || g.chance(5) {
		return g.constant(column)
	}
	v := pick(g, bound)
	if column == 'I' && g.chance(25) {
		if low || kind != syntax.Deductive || g.chance(3) {
			return v + pick(g, []string{" + 1", " - 1", " * 2", " / 2", " % 2"})
		}
		return "(" + v + " + 1) % 3"
	}
	return v
}

// aggregate returns an aggregate for a column, "" if there is none.
func (g *generator) aggregate(b *body, column byte) string {
	from, functions := column, []string{"min", "max"}
	if column == 'I' {
		from, functions = pick(g, []byte("PVI")), []string{"count"}
		if from == 'I' {
			functions = []string{"count", "sum", "avg", "min", "max"}
		}
	}
	if len(b.vars[from]) == 0 {
		return ""
	}
	per := ""
	if g.chance(40) {
		if all := slices.Concat(b.vars['P'], b.vars['V'], b.vars['I']); len(all) > 0 {
			per = "; " + pick(g, all)
			if g.chance(30) {
				per += ", " + pick(g, all)
			}
		}
	}
	return pick(g, functions) + "<" + pick(g, b.vars[from]) + per + ">"
}
