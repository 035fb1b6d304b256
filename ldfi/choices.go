package ldfi

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// The choices of the environment are free: a search looks for a set of units that breaks
// the promise with the fewest faults, whatever the choices, and then with these faults for
// the fewest choices. Two sets with the same faults are one.

// kinds are the units of a view that are not fixed, by kind.
type kinds struct {
	faults  []int
	choices []int
	slots   [][]int // of choices: of each at most one
}

func kindsOf(g *provenance.Graph) kinds {
	var k kinds
	u := g.Universe
	free := func(unit int) bool { return g.Inputs[unit] > solver.True }
	for unit := range u.Len() {
		if !free(unit) {
			continue
		}
		if u.IsChoice(unit) {
			k.choices = append(k.choices, unit)
		} else {
			k.faults = append(k.faults, unit)
		}
	}
	if len(k.choices) == 0 {
		return k
	}
	for _, c := range u.Bounds().Choose {
		units := slices.DeleteFunc(u.Alternatives(c), func(unit int) bool { return !free(unit) })
		if c.Exclusive() && len(units) > 0 {
			k.slots = append(k.slots, units)
			continue
		}
		for _, unit := range units {
			k.slots = append(k.slots, []int{unit})
		}
	}
	return k
}

// inputs returns the variables of some units.
func (v *view) inputs(units []int) []solver.Lit {
	lits := make([]solver.Lit, len(units))
	for i, unit := range units {
		lits[i] = v.graph.Inputs[unit]
	}
	return lits
}

// newSearch returns a search for sets of faults with which some choices make a goal true,
// and each of the conditions. Cases are searched beside each other, so that each needs only
// one worker.
func (v *view) newSearch(goal solver.Lit, conditions ...solver.Lit) *solver.Search {
	s := solver.NewSearch(v.graph.Circuit, goal, slices.Concat(v.graph.Valid, conditions), v.inputs(v.units.faults))
	s.Proved = v.proved()
	if !v.partial {
		s.Workers = v.options.Workers
	}
	return s
}

// searcher returns a search for sets of units that make a goal true, by the decider if
// there is one.
func (v *view) searcher(goal solver.Lit, units []int) searcher {
	if v.options.Decider != nil {
		return solver.NewDescent(v.graph.Circuit, v.options.Decider, goal, v.graph.Valid, v.inputs(units))
	}
	return solver.NewSearch(v.graph.Circuit, goal, v.graph.Valid, v.inputs(units))
}

// struck returns the faults among some units, as a search numbers them.
func (v *view) struck(units []int) (numbers []int) {
	for _, unit := range units {
		if i, ok := slices.BinarySearch(v.units.faults, unit); ok {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// completing is how long choices are looked for after the end of the time: there are
// some.
const completing = 10 * time.Second

// complete adds to a set that a search found the fewest choices with which the set makes
// the goal true, the first of these, as units.
func (v *view) complete(ctx context.Context, goal solver.Lit, found solver.Found) ([]int, error) {
	units := make([]int, len(found.Units))
	for i, number := range found.Units {
		units[i] = v.units.faults[number]
	}
	if len(v.units.choices) == 0 {
		return units, nil
	}
	chosen, err := v.fewestChoices(ctx, goal, units)
	if err != nil && ctx.Err() != nil {
		later, cancel := context.WithTimeout(context.WithoutCancel(ctx), completing)
		defer cancel()
		chosen, err = v.fewestChoices(later, goal, units)
	}
	return append(units, chosen...), err
}

// fewestChoices returns the fewest choices with which some faults alone make a goal
// true.
func (v *view) fewestChoices(ctx context.Context, goal solver.Lit, faults []int) ([]int, error) {
	search := v.searcher(goal, v.units.choices)
	defer func() { v.calls += search.Calls() }()
	for _, unit := range v.units.faults {
		input := v.graph.Inputs[unit]
		if !slices.Contains(faults, unit) {
			input = input.Not()
		}
		search.Assert(input)
	}
	found, ok, err := search.Next(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &internalError{Schedule: scheduleOf(v.graph.Universe, faults), Circuit: "some choices break the promise", Executor: "none do"}
	}
	chosen := make([]int, len(found.Units))
	for i, number := range found.Units {
		chosen[i] = v.units.choices[number]
	}
	return chosen, nil
}

// choicesOf returns the choices of a schedule, without its faults.
func choicesOf(s rounds.Schedule) rounds.Schedule {
	var chosen rounds.Schedule
	for _, f := range s.Faults {
		if f.Kind == rounds.Choose {
			chosen.Faults = append(chosen.Faults, f)
		}
	}
	return chosen
}
