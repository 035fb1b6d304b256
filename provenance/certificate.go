package provenance

import (
	"strings"

	"github.com/lineage-driven/ldfi/solver"
)

// Certificate returns the proof of an invariant, with the names of facts, faults and choices. The round of a
// fault is 1, or 2 for a restart and its crash; that of a choice is the one that the program names.
func (s *Step) Certificate(t *solver.Transitions, invariant [][]solver.StateBit) *solver.Certificate {
	c := &solver.Certificate{Transitions: t, Invariant: invariant, Names: map[solver.Lit]string{}}
	for fault, l := range s.units {
		c.Names[l] = fault.String()
	}
	for _, b := range s.State {
		name := b.String()
		if b.Name == "" {
			name = strings.TrimSuffix(name, "@0")
		}
		c.Names[b.Lit] = name
	}
	for _, clause := range invariant {
		var plain Sentence
		for _, b := range clause {
			if phrase := s.phraseOf(b.Bit); b.Value {
				plain.Follows = append(plain.Follows, phrase)
			} else {
				plain.Given = append(plain.Given, phrase)
			}
		}
		c.Clauses = append(c.Clauses, plain.String())
	}
	return c
}
