package schedules

import (
	"cmp"
	"iter"
	"maps"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// slots are count slots, each of which is unused or is used in one of several ways.
type slots struct{ count, ways int }

// using counts the ways to use exactly 0, 1, ..., most of the slots: they are binomial
// coefficients times powers of the ways. The numbers are valid until the next step.
func (s slots) using(most int) iter.Seq2[int, *big.Int] {
	return func(yield func(int, *big.Int) bool) {
		ways := big.NewInt(1)
		for used := 0; used <= min(most, s.count); used++ {
			if !yield(used, ways) {
				return
			}
			ways.Mul(ways, big.NewInt(int64(s.count-used)*int64(s.ways)))
			ways.Quo(ways, big.NewInt(int64(used)+1))
		}
	}
}

// byNumber counts them in a list.
func (s slots) byNumber(most int) byNumber {
	var counts byNumber
	for _, ways := range s.using(most) {
		counts = append(counts, new(big.Int).Set(ways))
	}
	return counts
}

// all counts the ways to use any number of the slots.
func (s slots) all() *big.Int {
	ways := big.NewInt(int64(s.ways) + 1)
	return ways.Exp(ways, big.NewInt(int64(s.count)), nil)
}

// groups are slots that can be used in different numbers of ways.
type groups []slots

// groups returns the slots of a section: each can be used in as many ways as it has
// units that can be in a schedule. The largest group comes first.
func (u *Universe) groups(s *section) groups {
	bySize := map[int]int{}
	switch {
	case s.chosen != nil || u.dead != nil:
		for i := range s.slots() {
			slot, living := s.slot(i), 0
			for k := range slot.size {
				if u.Alive(slot.unit(k)) {
					living++
				}
			}
			bySize[living]++
		}
	case s.phases() > 0: // only the first and the last phase can be shorter than others
		last := s.phases() - 1
		for i := range []int{0, last} {
			phase := s.phase(i * last)
			if i == 0 || last > 0 {
				bySize[phase.last-phase.first+1] += s.width
			}
		}
		if last > 1 {
			bySize[s.period] += s.width * (last - 1)
		}
	}
	delete(bySize, 0)
	var all groups
	for _, size := range slices.Sorted(maps.Keys(bySize)) {
		all = append(all, slots{bySize[size], size})
	}
	slices.SortStableFunc(all, func(g, h slots) int { return cmp.Compare(h.count, g.count) })
	return all
}

// slots returns the number of slots.
func (g groups) slots() int {
	all := 0
	for _, s := range g {
		all += s.count
	}
	return all
}

// using counts the ways to use at most limit slots.
func (g groups) using(limit int) *big.Int {
	total := big.NewInt(1)
	if limit == rounds.Unlimited || limit >= g.slots() {
		for _, s := range g {
			total.Mul(total, s.all())
		}
		return total
	}
	others := g[1:].byNumber(limit)
	sum, upTo := new(big.Int), new(big.Int) // the ways to use at most that many slots of the largest group
	var term big.Int
	add := func(used int) {
		if left := limit - used; left < len(others) {
			sum.Add(sum, term.Mul(upTo, others[left]))
		}
	}
	for used, ways := range g[0].using(limit) {
		upTo.Add(upTo, ways)
		add(used)
	}
	for used := g[0].count + 1; used <= limit; used++ {
		add(used)
	}
	return sum
}

// byNumber counts the ways to use exactly 0, 1, ..., most slots.
func (g groups) byNumber(most int) byNumber {
	counts := byNumber{big.NewInt(1)}
	for _, s := range g {
		counts = counts.times(s.byNumber(most), most)
	}
	return counts
}

// byNumber has numbers of ways, by a number of things.
type byNumber []*big.Int

// times counts the ways to have some of two things, no more than most together.
func (p byNumber) times(q byNumber, most int) byNumber {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	product := make(byNumber, min(len(p)+len(q)-1, most+1))
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

// all counts the ways whatever the number.
func (p byNumber) all() *big.Int {
	total := new(big.Int)
	for _, ways := range p {
		total.Add(total, ways)
	}
	return total
}
