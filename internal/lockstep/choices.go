package lockstep

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
)

// declareChoices numbers the relations of choices.
func (c *compiler) declareChoices(choices []*syntax.Choose) {
	for _, choice := range choices {
		c.declare(choice.Relation, len(choice.Columns), choice.Position)
	}
}

// compileChoices prepares the facts that the environment can choose, of the
// relations that there are. It comes after all relations are known.
func (c *compiler) compileChoices() {
	for _, choice := range c.bounds.Choose {
		for _, f := range choice.Of {
			relation, args := f.Fact()
			number, known := c.numbers[relation]
			if !known || relation == crashes || c.relations[number].arity != len(args) {
				continue
			}
			g := given{c.node(number, f.Round), nil}
			for _, v := range args {
				g.row = append(g.row, c.intern(v))
			}
			if c.chosen == nil {
				c.chosen = map[rounds.Fault]given{}
			}
			c.chosen[f] = g
		}
	}
}

// choose states the facts that the environment chooses.
func (m *Machine) choose() bool {
	if m.chosen == nil {
		return true
	}
	for _, f := range m.env.Chosen() {
		if g, ok := m.chosen[f]; ok && !m.insert(g.node, g.row) {
			return false
		}
	}
	return true
}
