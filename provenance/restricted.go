package provenance

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// restriction is which schedules count, where not all within the bounds do.
type restriction struct {
	among [][]int
	given []Given
	step  []solver.Lit // the units of a Step; nil: it is none
	down  []solver.Lit // of a Step: the processes that were down before it
	back  []solver.Lit // and those that are back in it

	joined []solver.Lit // of a Step: the processes that take part; nil: all

	undefined []solver.Lit // found by a Step: when some fact depends on its own absence
}

// circuit returns an empty circuit for the schedules that count.
func (r restriction) circuit(maxGates int) *solver.Circuit {
	if r.among != nil {
		return solver.NewTabled(len(r.among), maxGates)
	}
	return solver.NewCircuit(maxGates)
}

// restricted returns the restriction of options, unless it makes no sense.
func (g *Graph) restricted(o Options) (restriction, error) {
	r := restriction{among: o.Among, given: o.Given}
	switch {
	case r.among == nil && len(r.given) == 0:
		return r, nil
	case r.among != nil && (len(r.given) > 0 || len(o.Further) > 0):
		return r, errors.New("with a list of schedules no unit is given, and no further fact is possible")
	case r.among != nil:
		return r, g.checkAmong(r.among)
	}
	on := map[int]bool{}
	for _, given := range r.given {
		if given.Unit < 0 || given.Unit >= g.Universe.Len() {
			return r, fmt.Errorf("there is no unit %d that could be given", given.Unit)
		}
		if before, known := on[given.Unit]; known && before != given.On {
			return r, fmt.Errorf("%s is given both to happen and not to", g.Universe.Fault(given.Unit))
		}
		on[given.Unit] = given.On
	}
	return r, nil
}

// checkAmong reports a list of sets of units that is none of schedules.
func (g *Graph) checkAmong(among [][]int) error {
	if len(among) == 0 {
		return errors.New("a list of schedules has none")
	}
	for _, units := range among {
		for i, unit := range units {
			if unit < 0 || unit >= g.Universe.Len() || !g.Universe.Alive(unit) || i > 0 && units[i-1] >= unit {
				return fmt.Errorf("%v is no set of units in ascending order", units)
			}
		}
	}
	return nil
}

// newInputs makes a variable for each fault unit, or a constant, or a truth table.
func (g *Graph) newInputs() {
	if g.restriction.among != nil {
		g.newTables()
		return
	}
	if g.restriction.step != nil {
		g.Inputs = g.restriction.step
		return
	}
	fixed := g.fixed()
	for unit := range g.Universe.Len() {
		if l, ok := fixed[unit]; ok {
			g.Inputs = append(g.Inputs, l)
		} else {
			g.Inputs = append(g.Inputs, g.Circuit.Input())
		}
	}
}

// newTables makes the truth tables of the fault units.
func (g *Graph) newTables() {
	tables := make([][]uint64, g.Universe.Len())
	for i, units := range g.restriction.among {
		for _, unit := range units {
			if tables[unit] == nil {
				tables[unit] = make([]uint64, (len(g.restriction.among)+63)/64)
			}
			tables[unit][i>>6] |= 1 << (i & 63)
		}
	}
	for _, table := range tables {
		g.Inputs = append(g.Inputs, g.Circuit.InputTable(table))
	}
}

// fixed returns the given units, and the units that cannot be on besides them because of a
// limit.
func (g *Graph) fixed() map[int]solver.Lit {
	if len(g.restriction.given) == 0 {
		return nil
	}
	fixed := map[int]solver.Lit{}
	for _, given := range g.restriction.given {
		fixed[given.Unit] = solver.False
		if given.On {
			fixed[given.Unit] = solver.True
		}
	}
	for _, limit := range g.Universe.Limits() {
		on := 0
		for _, unit := range limit.Units {
			if fixed[unit] == solver.True {
				on++
			}
		}
		for _, unit := range limit.Units {
			if _, known := fixed[unit]; !known && on >= limit.AtMost {
				fixed[unit] = solver.False
			}
		}
	}
	return fixed
}

// never makes units constants that cannot be on, where some are given.
func (g *Graph) never(units []int) {
	for _, unit := range units {
		if len(g.restriction.given) > 0 && g.Inputs[unit] != solver.True {
			g.Inputs[unit] = solver.False
		}
	}
}

// require keeps only the schedules for which a condition holds, if the schedules are not
// listed.
func (g *Graph) require(cond solver.Lit) {
	if g.restriction.among == nil && cond != solver.True {
		g.Valid = append(g.Valid, cond)
	}
}

// atMost requires that no more than most of the units are on.
func (g *Graph) atMost(units []int, most int) solver.Lit {
	var open []solver.Lit
	for _, l := range g.inputs(units) {
		switch l {
		case solver.True:
			most--
		case solver.False:
		default:
			open = append(open, l)
		}
	}
	return g.Circuit.AtMost(open, most)
}

// assignment returns the values of the circuit's inputs under a schedule of some units.
func (g *Graph) assignment(units []int) ([]bool, error) {
	inputs := make([]bool, g.Circuit.Inputs())
	for unit, l := range g.Inputs {
		on := slices.Contains(units, unit)
		switch l {
		case solver.False, solver.True:
			if on != (l == solver.True) {
				return nil, fmt.Errorf("%s: not as the units are given, by which it is %v", g.Universe.Fault(unit), l == solver.True)
			}
		default:
			_, _, _, number := g.Circuit.Node(l)
			inputs[number] = on
		}
	}
	return inputs, nil
}

// place returns the index of the listed schedule with exactly these units, in ascending
// order.
func (g *Graph) place(s rounds.Schedule, units []int) (int, error) {
	i := slices.IndexFunc(g.restriction.among, func(other []int) bool { return slices.Equal(units, other) })
	if i < 0 {
		return 0, fmt.Errorf("%s: none of the %d schedules that were evaluated", s, len(g.restriction.among))
	}
	return i, nil
}
