package solver

// Term is a conjunction of inputs and of negated inputs, sorted by input.
type Term []Literal

// Literal is an input, or its negation.
type Literal struct {
	Input int
	True  bool
}

// Terms writes a function as a disjunction of terms: under every assignment under which
// care is true, the function is if and only if one of the terms is. Elsewhere they may
// be anything, which keeps them few. No term can be left out (S. Minato, Fast
// generation of irredundant sum-of-products forms from binary decision diagrams, 1992).
// The result is not known beyond the limit of the diagrams, and if there are more than
// most terms.
func (d *Diagrams) Terms(l, care Lit, most int) (terms []Term, known bool) {
	known = d.ask(func() {
		c := cover{d, most, nil}
		f, cared := d.of(l), d.of(care)
		c.find(d.and(f, cared), d.and(f^1, cared)^1, nil)
		terms, known = c.terms, len(c.terms) <= most
	}) && known
	if !known {
		return nil, false
	}
	return terms, true
}

// cover is the terms that were found so far.
type cover struct {
	*Diagrams
	most  int
	terms []Term
}

// find finds terms with the literals of behind whose disjunction lies between two
// functions, and returns its diagram.
func (c *cover) find(lower, upper edge, behind Term) edge {
	if lower == falseEdge || c.full || len(c.terms) > c.most {
		return falseEdge
	}
	if upper == trueEdge {
		c.terms = append(c.terms, append(Term(nil), behind...))
		return trueEdge
	}
	x, y := c.decisions[lower.decision()], c.decisions[upper.decision()]
	level := min(x.level, y.level)
	low0, low1 := x.at(level, lower)
	up0, up1 := y.at(level, upper)
	input := c.inputAt(level)
	without := c.find(c.and(low0, up1^1), up0, append(behind[:len(behind):len(behind)], Literal{input, false}))
	with := c.find(c.and(low1, up0^1), up1, append(behind[:len(behind):len(behind)], Literal{input, true}))
	rest := c.or(c.and(low0, without^1), c.and(low1, with^1))
	either := c.find(rest, c.and(up0, up1), behind)
	return c.decide(level, c.or(without, either), c.or(with, either))
}

func (d *Diagrams) or(a, b edge) edge { return d.and(a^1, b^1) ^ 1 }

// inputAt is the input that has a place in the order.
func (d *Diagrams) inputAt(level uint32) int {
	for input, at := range d.levels {
		if at == level {
			return input
		}
	}
	return -1
}
