package explain

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// Lineage is the part of a graph that something depends on.
type Lineage struct {
	Graph *provenance.Graph
	Roots []*provenance.Fact // the facts that it explains
}

// Broken are the schedules that Formula writes: schedules within the bounds for which one
// of its conditions holds.
type Broken struct {
	Graph     *provenance.Graph
	Condition solver.Lit
}

// visitor is called with facts and firings, each once, a fact after the firings that give
// it.
type visitor struct {
	fact   func(*provenance.Fact)
	firing func(number int, f *provenance.Firing, gives *provenance.Fact) // gives is nil for a row of an aggregate
}

// walk goes through a lineage.
type walk struct {
	visitor
	seen    map[*provenance.Fact]bool
	numbers map[*provenance.Firing]int
}

// visit visits all facts and firings on which the roots depend, including those needed to
// be absent.
func (l *Lineage) visit(v visitor) {
	w := &walk{visitor: v, seen: map[*provenance.Fact]bool{}, numbers: map[*provenance.Firing]int{}}
	for _, root := range l.Roots {
		w.visitFact(root)
	}
}

// visitFact goes depth first, with a stack of its own: derivations are as deep as
// executions are long.
func (w *walk) visitFact(root *provenance.Fact) {
	type turn struct {
		fact *provenance.Fact
		met  bool // all below it
	}
	for stack := []turn{{root, false}}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.met {
			w.leave(top.fact)
			continue
		}
		if w.seen[top.fact] {
			continue
		}
		w.seen[top.fact] = true
		stack = append(stack, turn{top.fact, true})
		for _, f := range top.fact.Firings() {
			for _, below := range usedBy(f) {
				stack = append(stack, turn{below, false})
			}
		}
	}
}

// leave tells about a fact and its firings.
func (w *walk) leave(f *provenance.Fact) {
	w.fact(f)
	for _, firing := range f.Firings() {
		w.visitFiring(firing, f)
		for _, row := range firing.Rows() {
			w.visitFiring(row, nil)
		}
	}
}

func (w *walk) visitFiring(f *provenance.Firing, gives *provenance.Fact) {
	if _, known := w.numbers[f]; !known {
		w.numbers[f] = len(w.numbers) + 1
		w.firing(w.numbers[f], f, gives)
	}
}

// usedBy returns the facts that a firing reads, present or absent.
func usedBy(f *provenance.Firing) []*provenance.Fact {
	all := append([]*provenance.Fact(nil), f.Positive()...)
	for _, absence := range f.Negative() {
		all = append(all, absence.Facts...)
	}
	for _, row := range f.Rows() {
		all = append(all, usedBy(row)...)
	}
	return all
}

// rulePlace returns the position of a rule.
func rulePlace(r *syntax.Rule) string {
	if r == nil {
		return "stopped" // its process has, and keeps its facts
	}
	return fmt.Sprintf("%s:%d", r.Position.File, r.Position.Line)
}
