package provenance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Quiet adds to the state how many quiet rounds there were before, without a break. It returns when so many are
// over, and the round is quiet as well. In a quiet round nobody crashes or comes back, no fault lasts, nothing is
// lost or late, no fact of the program comes, and nothing is chosen but what is chosen in each round.
// Where the bounds say what each process receives at least, the losses that they allow go on.
func (s *Step) Quiet(over int) solver.Lit {
	c := s.Graph.Circuit
	quiet := s.quiet()
	before := s.bits(over, func(i int) StateBit { return StateBit{Name: fmt.Sprintf("quiet>=%d", i+1)} })
	all := append([]solver.Lit{quiet}, before...)
	for _, l := range all[:over] {
		s.Next = append(s.Next, c.And(quiet, l))
	}
	return c.And(quiet, all[over])
}

// quiet tells whether the round is a quiet one.
func (s *Step) quiet() solver.Lit {
	g := s.Graph
	loud := append(slices.Clone(s.single), s.since(LastGiven(g.Program, s.bounds)+1).Not())
	for unit := range g.Universe.Len() {
		f := g.Universe.Fault(unit)
		switch f.Kind {
		case rounds.Choose:
		case rounds.Crash, rounds.Restart: // of a crash, its bit tells who is down, too
			if l, ok := s.units[key(f)]; ok && f.Round == 1 {
				loud = append(loud, l)
			}
		case rounds.Omit:
			if !GoOn(g.Bounds) {
				loud = append(loud, g.restriction.step[unit])
			}
		default:
			loud = append(loud, g.restriction.step[unit])
		}
	}
	for _, b := range s.State {
		if strings.Contains(b.Fact.Relation, "+") { // a message that is under way: see flight
			loud = append(loud, b.Lit)
		}
	}
	loud = append(loud, g.restriction.back...)
	return g.Circuit.Ors(loud...).Not()
}

// GoOn tells whether messages are lost in quiet rounds as well: the bounds say what each process receives
// at least.
func GoOn(b rounds.Bounds) bool {
	b = b.Normal()
	return b.Deliver != "" || b.Kernel != ""
}

// LastGiven returns the last round in which a program gives a fact, or lets the environment choose by the
// number of the round, or in which a process joins; 0 if there is none.
func LastGiven(p *dedalus.Program, b rounds.Bounds) int {
	round := last(p)
	if slices.ContainsFunc(p.Choices, ChosenOnce) {
		round = max(round, 1) // what is there by default
	}
	for _, joins := range b.Joins {
		round = max(round, joins)
	}
	return round
}

// ChosenOnce tells whether something is chosen once, in any round.
func ChosenOnce(c *syntax.Choose) bool { return c.Rounds.Word == syntax.Any }
