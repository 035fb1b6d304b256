package schedules

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// classOfClocks has the clocks that run fast and slow: a process has at most one of both in
// a phase.
type classOfClocks struct{ *Universe }

func (c classOfClocks) rows() []int { return []int{fast, slow} }

// count counts the choices of fast clocks separately, for each number of wrong clocks.
func (c classOfClocks) count() *big.Int {
	each := c.groups(&c.sections[fast])
	all := each.slots()
	ahead, behind := atMost(c.sections[fast].budget, all), atMost(c.sections[slow].budget, all)
	if ahead == all && behind == all {
		for i := range each {
			each[i].ways *= 2
		}
		return each.using(rounds.Unlimited)
	}
	total, used, counts := new(big.Int), 0, each.byNumber(min(ahead+behind, all))
	var term big.Int
	for mixes := range mixesOf(ahead, behind) {
		total.Add(total, term.Mul(counts[used], mixes))
		if used++; used == len(counts) {
			break
		}
	}
	return total
}

func (c classOfClocks) draw() part { return newClocks(c.Universe) }

func (c classOfClocks) steps(w *walk) (all []step) {
	s := &c.sections[fast]
	for i := range s.slots() {
		ahead, behind := s.slot(i), c.sections[slow].slot(i)
		all = append(all, newStep(1, func(next int) bool { return w.fill(fast, ahead, next) && w.use(slow, behind, next) }, fast, slow))
	}
	return all
}

func (c classOfClocks) limits() []limitOf {
	return slices.Concat(c.limitsOfSection(fast), c.limitsOfSection(slow), c.apart(fast, slow))
}

// clocks draws clocks that run fast and slow; a slot has at most one. It draws the number
// of used slots first, in proportion to the number of ways, then the number of fast clocks,
// and then which.
type clocks struct {
	universe   *Universe
	full, all  int // the slots of whole phases, and all
	fast, slow int // the most of each
	numbers    []numbers
	weights    *Weights // of numbers; nil: without a limit, every slot is on its own
}

func newClocks(u *Universe) part {
	s := &u.sections[fast]
	if u.dead != nil || s.uneven() {
		return newSizedClocks(u)
	}
	c := &clocks{universe: u, full: s.width * s.whole(), all: s.slots()}
	c.fast, c.slow = atMost(s.budget, c.all), atMost(u.sections[slow].budget, c.all)
	if c.fast == c.all && c.slow == c.all {
		return c
	}
	var mixes []*big.Int
	for ways := range mixesOf(c.fast, c.slow) {
		if mixes = append(mixes, new(big.Int).Set(ways)); len(mixes) > c.all {
			break
		}
	}
	whole, cut, most := slots{c.full, s.period}, slots{c.all - c.full, s.last % s.period}, len(mixes)-1
	c.numbers, c.weights = weighed(func(yield func(numbers, *big.Int) bool) {
		var product big.Int
		for i, ways := range whole.using(most) {
			for j, more := range cut.using(most - i) {
				product.Mul(ways, more)
				if !yield(numbers{i, j}, product.Mul(&product, mixes[i+j])) {
					return
				}
			}
		}
	})
	return c
}

// atMost limits a budget to the number of slots.
func atMost(budget, slots int) int {
	if budget == rounds.Unlimited {
		return slots
	}
	return min(budget, slots)
}

// mix returns the weights of the numbers of fast clocks among used ones, from the fewest
// on.
func (c *clocks) mix(used int) *Weights {
	return NewWeights(func(yield func(*big.Int) bool) {
		least := c.fewest(used)
		ways := new(big.Int).Binomial(int64(used), int64(least))
		for k := least; k <= min(used, c.fast); k++ {
			if !yield(ways) {
				return
			}
			ways.Mul(ways, big.NewInt(int64(used-k)))
			ways.Quo(ways, big.NewInt(int64(k+1)))
		}
	})
}

// fewest returns the least number of fast clocks among used ones.
func (c *clocks) fewest(used int) int { return max(used-c.slow, 0) }

func (c *clocks) draw(chance Chance, units []int) []int {
	if c.weights == nil {
		return c.any(chance, units)
	}
	number := c.numbers[chance.Pick(c.weights)]
	used := Sample(chance, c.full, number.first)
	for _, i := range Sample(chance, c.all-c.full, number.second) {
		used = append(used, c.full+i)
	}
	ahead := c.fewest(len(used)) + chance.Pick(c.mix(len(used)))
	return useClocks(chance, c.universe, used, ahead, units)
}

// any appends of each slot any unit or none.
func (c *clocks) any(chance Chance, units []int) []int {
	for i := range c.all {
		ahead, behind := c.universe.sections[fast].slot(i), c.universe.sections[slow].slot(i)
		switch k := chance.IntN(2*ahead.size + 1); {
		case k < ahead.size:
			units = append(units, ahead.unit(k))
		case k < 2*ahead.size:
			units = append(units, behind.unit(k-ahead.size))
		}
	}
	return units
}

// sizedClocks draws faults of clocks, for slots of several sizes.
type sizedClocks struct {
	clocks
	sized *sized
	used  []int
}

func newSizedClocks(u *Universe) *sizedClocks {
	s := &u.sections[fast]
	c := &sizedClocks{clocks: clocks{universe: u}, sized: newSized(u, s, 0, rounds.Unlimited)}
	c.fast, c.slow = atMost(s.budget, c.sized.most), atMost(u.sections[slow].budget, c.sized.most)
	c.used, c.weights = weighed(func(yield func(int, *big.Int) bool) {
		var product big.Int
		used := 0
		for mixes := range mixesOf(c.fast, c.slow) {
			if used > c.sized.most || !yield(used, product.Mul(c.sized.behind[0][used], mixes)) {
				return
			}
			used++
		}
	})
	return c
}

func (c *sizedClocks) draw(chance Chance, units []int) []int {
	slots := c.sized.used(chance, c.used[chance.Pick(c.weights)])
	which := make([]bool, len(slots))
	for _, i := range Sample(chance, len(slots), c.fewest(len(slots))+chance.Pick(c.mix(len(slots)))) {
		which[i] = true
	}
	behind := c.universe.sections[slow].first - c.universe.sections[fast].first
	for i, slot := range slots {
		unit := slot[chance.IntN(len(slot))]
		if !which[i] {
			unit += behind
		}
		units = append(units, unit)
	}
	return units
}
