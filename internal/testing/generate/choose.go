package generate

import (
	"fmt"
	"slices"
	"strings"
)

// chooses lets the environment choose facts of some relations, which rules may give
// as well.
func (g *generator) chooses() {
	if !g.chance(30) {
		return
	}
	relations := slices.Clone(g.relations)
	for range 1 + g.IntN(2)*g.IntN(2) {
		i := g.IntN(len(relations))
		r := relations[i]
		relations = slices.Delete(relations, i, i+1) // a fact is an alternative of one choice
		columns := make([]string, len(r.columns))
		for i := range r.columns {
			columns[i] = g.options(r.columns[i])
		}
		rounds := pick(g, []string{"1", "1", fmt.Sprint(1 + g.IntN(g.eot)), "1|2", "any", "1..2"})
		g.printf("choose %s %s(%s)@%s;", pick(g, []string{"one", "one", "maybe", "some"}), r.name, strings.Join(columns, ", "), rounds)
	}
	if g.chance(30) {
		g.printf("// ldfi: choices=%d", g.IntN(3))
	}
}

// options returns what a column of a choice has.
func (g *generator) options(column byte) string {
	switch {
	case column == 'P' && g.chance(40):
		return pick(g, []string{"each", "any"})
	case column == 'V' && g.chance(50):
		return `"y" | "x"`
	case column == 'I' && g.chance(50):
		return pick(g, []string{"0..1", "2 | -1"})
	}
	return g.constant(column)
}
