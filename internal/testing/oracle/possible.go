package oracle

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// foldTwice returns the body of what is aggregated where members may be certain, or
// only possible: a value is certain if there are no others, and possible if some
// members with all that are certain come to it.
func (b *body) foldTwice(args []string, folds []*syntax.Aggregate) (literals []string) {
	sure, open := b, b
	if b.possibly {
		sure = b.x.body(b.rule, b.round, false)
	} else {
		open = b.x.body(b.rule, b.round, true)
	}
	of := func(c *body) collected {
		if c != b {
			args, _ = c.arguments()
		}
		return c.collect(args, folds)
	}
	certain, possible := of(sure), of(open)
	literals = []string{certain.any}
	if b.possibly {
		literals[0] = possible.any
	}
	for i, a := range folds {
		if b.possibly {
			literals = append(literals, attainable(b.x, a.Func, i, certain, possible)...)
			continue
		}
		more, _ := possible.member(i, "M")
		same, _ := certain.member(i, "M")
		uncertain := atom(b.x.auxiliary(), certain.group...)
		b.x.rule(uncertain, more, "not "+same)
		literals = append(literals, "not "+uncertain)
		literals = append(literals, folded(a.Func, i+1, certain.elements(i))...)
	}
	return literals
}

// mostCounted is what a count that is not certain comes to at most.
const mostCounted = 40

// attainable says which values aggregate i can come to.
func attainable(x *translation, function string, i int, certain, possible collected) []string {
	result := fmt.Sprintf("F%d", i+1)
	if function == "count" {
		x.rule(x.auxiliary(), fmt.Sprintf("N = #count%s", possible.elements(i)), possible.any, fmt.Sprintf("1 = @counted(N,%d)", mostCounted))
		return []string{
			fmt.Sprintf("%s = 1..%d", result, mostCounted),
			fmt.Sprintf("%s <= #count%s", result, possible.elements(i)), fmt.Sprintf("not %s < #count%s", result, certain.elements(i)),
		}
	}
	literal, columns := possible.member(i, fmt.Sprintf("F%dx", i+1))
	other, others := certain.member(i, "M")
	better := others[0] + " < " + columns[0]
	if function == "max" {
		better = others[0] + " > " + columns[0]
	}
	beaten := x.auxiliary()
	given := append([]string{}, possible.group...)
	given = append(given, columns[0])
	x.rule(atom(beaten, given...), literal, other, better)
	return []string{literal, result + " = " + columns[0], "not " + atom(beaten, given...)}
}
