package solver

// Graft builds functions of another circuit in c, with the literal inputs[i] of
// c in place of input i there. The result has one literal for each root.
func (c *Circuit) Graft(from *Circuit, inputs []Lit, roots ...Lit) []Lit {
	wanted := make([]bool, len(from.nodes))
	for _, l := range roots {
		wanted[l.node()] = true
	}
	for n := len(from.nodes) - 1; n > 0; n-- { // a gate comes after those it depends on
		if g := from.nodes[n]; wanted[n] && g.a != isInput {
			wanted[g.a.node()], wanted[g.b.node()] = true, true
		}
	}
	grafted := make([]Lit, len(from.nodes))
	in := func(l Lit) Lit { return grafted[l.node()] ^ l&1 }
	for n, g := range from.nodes {
		switch {
		case n == 0 || !wanted[n]:
		case g.a == isInput:
			grafted[n] = inputs[g.b]
		default:
			grafted[n] = c.And(in(g.a), in(g.b))
		}
	}
	out := make([]Lit, len(roots))
	for i, l := range roots {
		out[i] = in(l)
	}
	return out
}
