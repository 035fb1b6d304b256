package dedalus

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/specs"
)

// Excerpt returns the source line of the position at.
func (p *Program) Excerpt(at specs.Position) string { return p.sources[at.File].line(at.Line) }

// sortErrors orders errors by file, in the order given, then line and column, and
// drops repetitions.
func sortErrors(files []string, all specs.Errors) specs.Errors {
	slices.SortStableFunc(all, func(a, b *specs.Error) int {
		return cmp.Or(cmp.Compare(slices.Index(files, a.File), slices.Index(files, b.File)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(all, func(a, b *specs.Error) bool { return a.Position == b.Position && a.Message == b.Message })
}
