package schedules

import (
	"maps"
	"math/big"
	"slices"
)

// drawnChoices draws what the environment chooses within a budget: of the slots of
// one size after the other first how many are used, in proportion to how many ways
// there are for that and for the slots behind them, and then which.
type drawnChoices struct {
	groups [][]slot // by size
	budget int
	behind [][]*big.Int // by group, and by how many can still be used: the ways for it and those behind it
}

func newDrawnChoices(s *section) *drawnChoices {
	bySize := map[int][]slot{}
	for _, slot := range s.chosen {
		bySize[slot.size] = append(bySize[slot.size], slot)
	}
	d := &drawnChoices{budget: s.budget}
	for _, size := range slices.Sorted(maps.Keys(bySize)) {
		d.groups = append(d.groups, bySize[size])
	}
	d.behind = make([][]*big.Int, len(d.groups)+1)
	for range s.budget + 1 {
		d.behind[len(d.groups)] = append(d.behind[len(d.groups)], big.NewInt(1))
	}
	for i := len(d.groups) - 1; i >= 0; i-- {
		for left := range s.budget + 1 {
			d.behind[i] = append(d.behind[i], new(big.Int).Set(d.weights(i, left).Total()))
		}
	}
	return d
}

// weights are those of how many slots of a group are used, and at most so many of it
// and those behind it.
func (d *drawnChoices) weights(group, left int) *Weights {
	same := slots{len(d.groups[group]), d.groups[group][0].size}
	return NewWeights(func(yield func(*big.Int) bool) {
		var product big.Int
		for used, ways := range same.using(left) {
			if !yield(product.Mul(ways, d.behind[group+1][left-used])) {
				return
			}
		}
	})
}

func (d *drawnChoices) draw(chance Chance, units []int) []int {
	left := d.budget
	for i, group := range d.groups {
		used := chance.Pick(d.weights(i, left))
		for _, k := range Sample(chance, len(group), used) {
			units = append(units, group[k].unit(chance.IntN(group[k].size)))
		}
		left -= used
	}
	return units
}
