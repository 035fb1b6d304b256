package vet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// warning returns a warning at a position in a file of the program.
func warning(p *dedalus.Program, at specs.Position, format string, args ...any) specs.Warning {
	return specs.Warning{Position: at, Message: fmt.Sprintf(format, args...), Excerpt: p.Excerpt(at)}
}

// Static returns the warnings that the text of a program shows within bounds, in order.
func Static(p *dedalus.Program, b rounds.Bounds) []specs.Warning {
	return InOrder(p, slices.Concat(Text(p), Locations(p, b.Processes), Rounds(p, b.EOT), Restarts(p, b.Crashes != 0 && b.Restarts != 0)))
}

// InOrder sorts warnings by their positions, the files in the order given, and drops
// duplicates.
func InOrder(p *dedalus.Program, all []specs.Warning) []specs.Warning {
	slices.SortStableFunc(all, func(a, b specs.Warning) int {
		return cmp.Or(
			cmp.Compare(slices.Index(p.Files, a.File), slices.Index(p.Files, b.File)),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(all)
}

// protocol returns the relations that a rule gives and on which a kept or sent relation
// depends. All others are observations: the specification.
func protocol(p *dedalus.Program) map[string]bool {
	var read []string
	for _, r := range p.Rules {
		if r.Kind == syntax.Deductive {
			continue
		}
		for _, t := range r.Body {
			if t.Atom != nil {
				read = append(read, t.Atom.Relation)
			}
		}
	}
	given := map[string]bool{}
	for _, r := range p.Slice(read...).Rules {
		given[r.Head.Relation] = true
	}
	return given
}
