package provenance

// A promise depends on ever fewer relations towards the last rounds: a message of the last
// round is not received any more, and an answer to a message two rounds before makes no
// difference either. If Options.Last names the relations of the promise, only the facts on
// which these depend are evaluated.

// demand tells by relation and round which facts are needed; nil: all are.
type demand [][]bool

// demanded finds the facts needed for some relations in all rounds and for others in the
// last one. Facts that depend on themselves within a round are always needed: they may be
// undefined, which has to be reported.
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

// need records that a relation is needed in a round, with all relations that it depends on.
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
