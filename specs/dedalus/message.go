package dedalus

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/specs"
)

// Errorf returns an error at a position of one of the program's files, with
// the source line there.
func (p *Program) Errorf(at specs.Position, format string, args ...any) *specs.Error {
	return &specs.Error{Position: at, Message: fmt.Sprintf(format, args...), Excerpt: p.sources[at.File].line(at.Line)}
}

// Warningf returns a warning at a position of one of the program's files, with
// the source line there.
func (p *Program) Warningf(at specs.Position, format string, args ...any) specs.Warning {
	return specs.Warning{Position: at, Message: fmt.Sprintf(format, args...), Excerpt: p.sources[at.File].line(at.Line)}
}

// sortBy orders errors or warnings by file, in the order given, then line and
// column, and drops repetitions.
func sortBy[T any](files []string, all []T, at func(T) (specs.Position, string)) []T {
	order := make(map[string]int, len(files))
	for i, f := range files {
		order[f] = i
	}
	slices.SortStableFunc(all, func(a, b T) int {
		p, _ := at(a)
		q, _ := at(b)
		return cmp.Or(cmp.Compare(order[p.File], order[q.File]), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	return slices.CompactFunc(all, func(a, b T) bool {
		p, m := at(a)
		q, n := at(b)
		return p == q && m == n
	})
}
