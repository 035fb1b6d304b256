package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
)

// instead is the fact that a group of an aggregating rule has rather than one of a
// pattern; nil if it has none.
func (x *Explainer) instead(r *syntax.Rule, p Pattern) *Part {
	open := p
	open.Columns = slices.Clone(p.Columns)
	aggregates := false
	for i, e := range r.Head.Args {
		if _, ok := e.(*syntax.Aggregate); ok {
			open.Columns[i] = Column{Open: true}
			aggregates = true
		}
	}
	if !aggregates {
		return nil
	}
	for _, g := range x.holding(p.Relation, p.Last) {
		if !open.matches(g.Args()) {
			continue
		}
		for _, firing := range g.Firings() {
			if firing.Rule() == r && len(firing.Rows()) > 0 && x.Fires(firing) {
				part := x.positivePart(g)
				part.Instead, part.Text = true, x.once(firing)
				return part
			}
		}
	}
	return nil
}

// once says that several rows of an aggregating firing have equal values, which
// count once; nothing if none have.
func (x *Explainer) once(firing *provenance.Firing) string {
	var texts []string
	for column, e := range firing.Rule().Head.Args {
		a, ok := e.(*syntax.Aggregate)
		if !ok || a.Func == "min" || a.Func == "max" {
			continue
		}
		rows, distinct := 0, map[contribution]bool{}
		for _, row := range firing.Rows() {
			if x.Fires(row) {
				rows++
				distinct[contributes(firing, column, row)] = true
			}
		}
		if len(distinct) < rows {
			text := fmt.Sprintf("%s counts equal values once", a)
			if rows := firing.Rule().OverRows(a); rows != nil {
				text += fmt.Sprintf(", and %s every row", rows)
			}
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}
