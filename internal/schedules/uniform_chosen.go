package schedules

import (
	"maps"
	"math/big"
	"slices"
)

// drawnChoices draws the choices of the environment within a budget: for the slots of one
// size after the other it draws the number of used slots, in proportion to the number of
// ways for these and the later slots, and then which slots.
type drawnChoices struct {
	groups [][]slot // by size
	budget int
	behind [][]*big.Int // by group, and by the number that can still be used: the ways for this group and the later ones
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

// weights are the weights of the numbers of used slots of a group, if at most left of it
// and the later groups are used.
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
