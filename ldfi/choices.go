package ldfi

import (
	"context"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// What the environment chooses is free: among all sets of units that break the
// promise one with the fewest faults is looked for, whatever it chooses, and then
// with these faults the fewest choices. Two sets with the same faults are one.

// kinds are the units of a universe by what they are.
type kinds struct {
	faults  []int
	choices []int
	slots   [][]int // of choices: of each at most one
}

func kindsOf(u *universe.Universe) kinds {
	var k kinds
	for unit := range u.Len() {
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
		units := u.Alternatives(c)
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
func (q *question) inputs(units []int) []solver.Lit {
	lits := make([]solver.Lit, len(units))
	for i, unit := range units {
		lits[i] = q.graph.Inputs[unit]
	}
	return lits
}

// newSearch looks for sets of faults with which some choices make a goal true.
func (q *question) newSearch(goal solver.Lit) *solver.Search {
	return solver.NewSearch(q.graph.Circuit, goal, q.graph.Valid, q.inputs(q.units.faults))
}

// struck returns the faults among some units, as a search numbers them.
func (q *question) struck(units []int) (numbers []int) {
	for _, unit := range units {
		if i, ok := slices.BinarySearch(q.units.faults, unit); ok {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// completing is how long choices are looked for after the end of the time: there are
// some.
const completing = 10 * time.Second

// complete adds to what a search found the fewest choices with which it makes the goal
// true, as units.
func (q *question) complete(ctx context.Context, goal solver.Lit, found solver.Found) ([]int, error) {
	units := make([]int, len(found.Units))
	for i, number := range found.Units {
		units[i] = q.units.faults[number]
	}
	if len(q.units.choices) == 0 {
		return units, nil
	}
	chosen, err := q.fewestChoices(ctx, goal, units)
	if err != nil && ctx.Err() != nil {
		later, cancel := context.WithTimeout(context.WithoutCancel(ctx), completing)
		defer cancel()
		chosen, err = q.fewestChoices(later, goal, units)
	}
	return append(units, chosen...), err
}

// fewestChoices returns the fewest choices with which some faults alone make a goal
// true.
func (q *question) fewestChoices(ctx context.Context, goal solver.Lit, faults []int) ([]int, error) {
	search := solver.NewSearch(q.graph.Circuit, goal, q.graph.Valid, q.inputs(q.units.choices))
	defer func() { q.calls += search.Solver().Calls() }()
	for _, unit := range q.units.faults {
		input := q.graph.Inputs[unit]
		if !slices.Contains(faults, unit) {
			input = input.Not()
		}
		search.Solver().Assert(input)
	}
	found, ok, err := search.Next(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &internalError{Schedule: q.scheduleOf(faults), Circuit: "some choices break the promise", Executor: "none do"}
	}
	chosen := make([]int, len(found.Units))
	for i, number := range found.Units {
		chosen[i] = q.units.choices[number]
	}
	return chosen, nil
}

// choicesOf returns what a schedule chooses, without its faults.
func choicesOf(s rounds.Schedule) rounds.Schedule {
	var chosen rounds.Schedule
	for _, f := range s.Faults {
		if f.Kind == rounds.Choose {
			chosen.Faults = append(chosen.Faults, f)
		}
	}
	return chosen
}
