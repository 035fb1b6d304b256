package ldfi

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// symmetric is a promise about a program that does not tell some processes apart. Of
// the sets of units that are one under other names it is enough to look at one. That is
// the lexicographically first, so that none is left out that an answer could have.
type symmetric struct {
	symmetry *vet.Symmetry
	graph    *provenance.Graph
}

// fewGates is the most gates for which a certificate without symmetry is found sooner than
// one with symmetry.
const fewGates = 5_000

// easier is the factor by which a circuit can be smaller if a set is known, and the small
// sets were too many to try: to prove that it is a smallest one is harder than a
// certificate. With symmetry that takes a fortieth of the time for the acknowledged
// broadcast with 7 processes and 4 rounds.
const easier = 50

// symmetric returns the promise with the symmetry of its program. It is nil if there is
// none, if the circuit is small, if the wanted schedules are not all of those within the
// bounds, or if a fact is wanted, which may name processes. known is a set that breaks the
// promise, or nil.
func (v *view) symmetric(known []int) *symmetric {
	few := v.fewGates
	if known != nil {
		few /= easier
	}
	if len(v.conditions) > 0 || v.promise.wanted != nil || v.graph.Circuit.Gates() < few || slices.ContainsFunc(v.graph.Inputs, constant) {
		return nil
	}
	s := vet.SymmetryOf(v.program.Slice(v.promise.relations()...), v.bounds)
	if len(s.Orbits) == 0 {
		return nil
	}
	return &symmetric{s, v.graph}
}

// constant tells whether a unit is on, or off, in all schedules that are looked for.
func constant(input solver.Lit) bool { return input <= solver.True }

// leaders are conditions on a set of units, which the first has of all sets that are one
// when processes change their names. Some others have them too.
func (s *symmetric) leaders() (all []solver.Lit) {
	if s == nil {
		return nil
	}
	for _, orbit := range s.symmetry.Orbits {
		for i := 1; i < len(orbit); i++ {
			all = append(all, s.leads(orbit[i-1], orbit[i])...)
		}
	}
	return all
}

// compared is the number of units that are compared with their renamed ones. Those of
// crashes come first. The certificate of the acknowledged broadcast with 24 processes takes
// a tenth of the time with 14 to 100, and half of it with all.
const compared = 64

// leads are conditions on a set of units that does not come after its renaming by swapping
// two processes: of the units that differ, the first is in the set.
func (s *symmetric) leads(p, q int) (all []solver.Lit) {
	renamed, ok := s.graph.Universe.Renamed(s.symmetry.Swap(p, q).Fault)
	if !ok {
		return nil
	}
	c, equal := s.graph.Circuit, solver.True
	for unit, other := range renamed {
		if unit >= other {
			continue // compared at the other's place
		}
		if len(all) == compared {
			break
		}
		here, there := s.graph.Inputs[unit], s.graph.Inputs[other]
		all = append(all, c.And(equal, c.And(here.Not(), there)).Not())
		equal = c.And(equal, c.And(here, there.Not()).Not())
	}
	return all
}
