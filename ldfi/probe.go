package ldfi

import (
	"math/bits"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/schedules"
)

// Before the solver is used, random sets of fault units are tried, 64 at a time: they cost
// next to nothing.
const (
	probeSeed  = 1
	probeWords = 16 // of random sets
	probeUnits = 6  // most random sets have at most this many
)

// probe tries no fault unit and then random sets of them, and shrinks the first
// one that breaks the promise until no unit can be left out.
func (b *batch) probe() (units []int, found bool) {
	if b.eval([][]int{nil}) != 0 {
		return []int{}, true
	}
	if len(b.number) == 0 {
		return nil, false
	}
	random := rand.New(rand.NewPCG(probeSeed, 0))
	for range probeWords {
		sets := make([][]int, 64)
		for i := range sets {
			sets[i] = b.random(random)
			if b.view.units.slots != nil {
				sets[i] = b.randomChoices(random, sets[i])
			}
		}
		if hits := b.eval(sets); hits != 0 {
			return b.shrink(sets[bits.TrailingZeros64(hits)]), true
		}
	}
	return nil, false
}

// random returns some units: usually few, and now and then each with an even
// chance.
func (b *batch) random(r *rand.Rand) []int {
	chosen := make([]bool, len(b.view.units.faults))
	if len(chosen) == 0 {
		return nil
	}
	if r.IntN(8) == 0 {
		for unit := range chosen {
			chosen[unit] = r.IntN(2) == 0
		}
	} else {
		for range 1 + r.IntN(probeUnits) {
			chosen[r.IntN(len(chosen))] = true
		}
	}
	var units []int
	for i, on := range chosen {
		if on {
			units = append(units, b.view.units.faults[i])
		}
	}
	return units
}

// randomChoices appends random choices of the environment: each choice is made with
// probability one half.
func (b *batch) randomChoices(r *rand.Rand, units []int) []int {
	budget := b.view.bounds.Choices
	for _, slot := range b.view.units.slots {
		if budget != 0 && r.IntN(2) == 0 {
			units = append(units, slot[r.IntN(len(slot))])
			budget--
		}
	}
	return units
}

// shrink leaves out units until none can be left out with the rest still
// breaking the promise.
func (b *batch) shrink(units []int) []int {
	for {
		before := len(units)
		if units = b.shrinkOnce(units); len(units) == before {
			return units
		}
	}
}

// shrinkOnce tries to leave out each unit once.
func (b *batch) shrinkOnce(units []int) []int {
	for i := 0; i < len(units); {
		var sets [][]int
		for j := i; j < min(i+64, len(units)); j++ {
			sets = append(sets, schedules.LeaveOut(units, j))
		}
		hits := b.eval(sets)
		if hits == 0 {
			i += len(sets)
			continue
		}
		i += bits.TrailingZeros64(hits)
		units = schedules.LeaveOut(units, i)
	}
	return units
}
