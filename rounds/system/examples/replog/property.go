package replog

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
)

// PrefixOrder is the promise of the protocol: of any two outputs one is a
// prefix of the other.
var PrefixOrder = property.Property{Name: "prefix-order", Func: prefixOrder}

func prefixOrder(e *rounds.Execution) []property.Violation {
	var outputs []rounds.Fact
	for _, f := range e.Facts {
		if f.Relation == "output" {
			outputs = append(outputs, f)
		}
	}
	var violations []property.Violation
	for i, f := range outputs {
		for _, g := range outputs[:i] {
			first, second := g.Args[1].Text(), f.Args[1].Text()
			if !strings.HasPrefix(first, second) && !strings.HasPrefix(second, first) {
				violations = append(violations, property.Violation{
					Property: "prefix-order",
					Fact:     rounds.Fact{Relation: "violation", Args: append(g.Args[:2:2], f.Args...)},
					Text: fmt.Sprintf("%s outputs %s in round %d, and %s outputs %s in round %d",
						g.Args[0].Text(), first, g.Round, f.Args[0].Text(), second, f.Round),
				})
			}
		}
	}
	return violations
}
