package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// When says under which schedules within the bounds there is a fact.
type When struct {
	Word  string   // always, never, unless or when; large if that takes too many terms
	Terms []string // for unless and when: any of these, each faults joined by and
	More  int      // further terms
}

// The words of conditions.
const (
	Always = "always"
	Never  = "never"
	Unless = "unless" // one of the terms is met
	Only   = "when"   // one of the terms is met
	Large  = "large"  // it takes too many terms to be written out
)

const (
	mostTerms      = 400    // that are counted
	shownTerms     = 12     // that are written out
	mostDecisions  = 40_000 // of the diagrams of the conditions
	mostConditions = 600    // that are written out for one explanation
)

// conditions writes the conditions of facts.
type conditions struct {
	graph    *provenance.Graph
	plain    *provenance.World // without faults
	diagrams *solver.Diagrams
	valid    solver.Lit
	units    map[int]int // by input
	known    map[solver.Lit]*When
}

func newConditions(g *provenance.Graph) *conditions {
	plain, err := g.Under(rounds.Schedule{})
	if err != nil || g.Among() != nil {
		return nil
	}
	c := &conditions{g, plain, solver.NewDiagrams(g.Circuit, mostDecisions), g.Circuit.Ands(g.Valid...), map[int]int{}, map[solver.Lit]*When{}}
	for unit, l := range g.Inputs {
		if _, _, input, number := g.Circuit.Node(l); input {
			c.units[number] = unit
		}
	}
	return c
}

// of returns when a fact of a pattern holds in its last round; nil if that is not known.
func (c *conditions) of(p Pattern) *When {
	if c == nil || p.Relation == syntax.Crash {
		return nil
	}
	any, plainly := solver.False, false
	for _, f := range c.graph.Facts(p.Relation, p.Last) {
		if p.matches(f.Args()) {
			any = c.graph.Circuit.Or(any, f.Cond())
			plainly = plainly || c.plain.Holds(f)
		}
	}
	if when, known := c.known[any]; known {
		return when
	}
	if len(c.known) == mostConditions {
		return nil
	}
	when := c.write(any, plainly)
	c.known[any] = when
	return when
}

// write writes a condition: the faults that prevent the fact, if it holds without faults.
func (c *conditions) write(l solver.Lit, plainly bool) *When {
	word, f := Only, l
	if plainly {
		word, f = Unless, l.Not()
	}
	terms, known := c.diagrams.Terms(f, c.valid, mostTerms)
	switch {
	case !known:
		return &When{Word: Large}
	case len(terms) == 0 && word == Unless:
		return &When{Word: Always}
	case len(terms) == 0:
		return &When{Word: Never}
	}
	w := &When{Word: word, More: max(len(terms)-shownTerms, 0)}
	slices.SortStableFunc(terms, compareTerms)
	for _, t := range terms[:len(terms)-w.More] {
		w.Terms = append(w.Terms, c.term(t))
	}
	return w
}

// term writes faults joined by and, and then the faults that must not happen.
func (c *conditions) term(t solver.Term) string {
	var happen, not []string
	for _, l := range t {
		text := c.graph.Universe.Fault(c.units[l.Input]).String()
		if l.True {
			happen = append(happen, text)
		} else {
			not = append(not, text)
		}
	}
	s := strings.Join(happen, " and ")
	switch {
	case len(not) == 0:
		return s
	case s != "":
		s += ", but "
	}
	return s + "not " + text.List(not, "or")
}

// compareTerms puts those with few faults first.
func compareTerms(a, b solver.Term) int {
	return cmp.Or(happening(a)-happening(b), len(a)-len(b), slices.CompareFunc(a, b, func(x, y solver.Literal) int { return x.Input - y.Input }))
}

// happening counts the faults that happen.
func happening(t solver.Term) (n int) {
	for _, l := range t {
		if l.True {
			n++
		}
	}
	return n
}
