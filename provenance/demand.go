package provenance

// What a promise asks for depends on ever fewer relations towards the last rounds: a
// message of the last round is not seen any more, and what would be answered to it two
// rounds before makes no difference either. Where Options.Last says what is asked for,
// only that is evaluated which it depends on.

// demand says by relation and round what is needed; nil if everything is.
type demand [][]bool

// demanded finds out what is needed for some relations in all rounds and for others in
// the last one. What depends on itself within a round is always needed: it may have no
// meaning, which has to come out.
func (g *Graph) demanded(only, last []string, all []component) demand {
	if only == nil || last == nil {
		return nil
	}
	d := make(demand, len(g.relations))
	for i := range d {
		d[i] = make([]bool, g.Bounds.EOT+1)
	}
	inLast := map[string]bool{}
	for _, name := range last {
		inLast[name] = true
	}
	for _, name := range only {
		r := g.byName[name]
		if r == nil {
			continue
		}
		for t := 1; t <= g.Bounds.EOT; t++ {
			if !inLast[name] || t == g.Bounds.EOT {
				d.need(r, t)
			}
		}
	}
	for _, c := range all {
		if c.recursive {
			for _, n := range c.nodes {
				d.need(n.relation, n.round)
			}
		}
	}
	return d
}

// need takes note that a relation is needed in a round, with all that it depends on.
func (d demand) need(r *relation, round int) {
	if round < 1 || round >= len(d[r.number]) || d[r.number][round] {
		return
	}
	d[r.number][round] = true
	for _, rule := range r.rules {
		if from := rule.fires(round); from >= 1 {
			rule.reads(func(a *atom) { d.need(a.relation, a.round(from)) })
		}
	}
}

// has tells whether a node is needed.
func (d demand) has(n *node) bool { return d == nil || d[n.relation.number][n.round] }
