package rounds

import (
	"maps"
	"math/big"
	"slices"
)

// chose counts the ways in which the environment chooses: of each choice that has
// so many alternatives beside its default one of them or none, or of "some" any.
func (b Bounds) chose() *big.Int {
	byWays, slots := map[int]int{}, 0 // how many slots have so many ways
	for _, c := range b.Choose {
		n := len(c.Others())
		switch {
		case n == 0:
		case c.Exclusive():
			byWays[n]++
			slots++
		default:
			byWays[1] += n
			slots += n
		}
	}
	most := limited(b.Choices, slots)
	counts := []*big.Int{big.NewInt(1)} // by how many choices there are
	for _, ways := range slices.Sorted(maps.Keys(byWays)) {
		g := group{byWays[ways], ways}
		counts = times(counts, g.using(min(g.slots, most)), most)
	}
	total := new(big.Int)
	for _, n := range counts {
		total.Add(total, n)
	}
	return total
}

// times multiplies polynomials, up to a power.
func times(p, q []*big.Int, most int) []*big.Int {
	product := make([]*big.Int, min(len(p)+len(q)-1, most+1))
	for i := range product {
		product[i] = new(big.Int)
	}
	var term big.Int
	for i, a := range p {
		for j, b := range q {
			if i+j < len(product) {
				product[i+j].Add(product[i+j], term.Mul(a, b))
			}
		}
	}
	return product
}
