package universe

import (
	"iter"
	"math/big"

	"github.com/lineage-driven/ldfi/rounds"
)

// Uniform draws schedules within bounds, each with the same probability: one in
// Bounds.Scenarios. It may be used from several goroutines.
type Uniform struct {
	universe *Universe
	parts    []part
}

// part draws faults of some kinds, which do not depend on those of others.
type part interface {
	draw(c Chance, units []int) []int // appends units
}

// Uniform returns what draws schedules within the bounds.
func (u *Universe) Uniform() *Uniform {
	d := &Uniform{universe: u}
	needed := map[int]bool{}
	for i := range u.sections {
		if s := &u.sections[i]; s.needs >= 0 && s.last > 0 {
			d.parts = append(d.parts, newPairs(&u.sections[s.needs], s))
			needed[s.needs] = true
		}
	}
	for i := range u.sections {
		if s := &u.sections[i]; s.needs < 0 && s.last > 0 && !needed[i] {
			d.parts = append(d.parts, newChoices(s))
		}
	}
	return d
}

// Draw returns a schedule in normal form.
func (d *Uniform) Draw(c Chance) rounds.Schedule {
	var units []int
	for _, p := range d.parts {
		units = p.draw(c, units)
	}
	return d.universe.scheduleOf(units)
}

// choices draws units of a kind that needs no other. How many is drawn first, in
// proportion to how many ways there are to have so many.
type choices struct {
	section *section
	full    int // the slots of whole phases; those behind belong to a phase cut short
	numbers []numbers
	weights *Weights // of numbers; nil: without a limit, every slot is on its own
}

// numbers are how many slots of two sorts are used.
type numbers struct{ first, second int }

func newChoices(s *section) *choices {
	c := &choices{section: s, full: s.width * (s.last / s.period)}
	all := s.slots()
	if s.budget == rounds.Unlimited || s.budget >= all {
		return c
	}
	whole, cut := slots{c.full, s.period}, slots{all - c.full, s.last % s.period}
	c.weights = NewWeights(func(yield func(*big.Int) bool) {
		var product big.Int
		for i, ways := range whole.using(s.budget) {
			for _, more := range cut.using(s.budget - i) {
				if !yield(product.Mul(ways, more)) {
					return
				}
			}
		}
	})
	for i := range min(whole.count, s.budget) + 1 {
		for j := range min(cut.count, s.budget-i) + 1 {
			c.numbers = append(c.numbers, numbers{i, j})
		}
	}
	return c
}

func (c *choices) draw(chance Chance, units []int) []int {
	if c.weights == nil {
		return c.any(chance, units)
	}
	number := c.numbers[chance.Pick(c.weights)]
	for _, i := range Sample(chance, c.full, number.first) {
		units = c.use(chance, units, i)
	}
	for _, i := range Sample(chance, c.section.slots()-c.full, number.second) {
		units = c.use(chance, units, c.full+i)
	}
	return units
}

// use appends any unit of a slot.
func (c *choices) use(chance Chance, units []int, i int) []int {
	slot := c.section.slot(i)
	return append(units, slot.unit(chance.IntN(slot.size)))
}

// any appends of each slot any unit or none.
func (c *choices) any(chance Chance, units []int) []int {
	for i := range c.section.slots() {
		slot := c.section.slot(i)
		if k := chance.IntN(slot.size + 1); k < slot.size {
			units = append(units, slot.unit(k))
		}
	}
	return units
}

// slots are a number of slots, each of which can be used in so many ways.
type slots struct{ count, ways int }

// using counts the ways to use exactly 0, 1, ... at most so many of the slots.
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

// pairs draws units of a kind, and units of another that need them on the same
// target and no later: crashes, and the restarts of some of those that crash.
type pairs struct {
	one, other *section
	numbers    []numbers // of targets that have a pair, and of those that have one unit alone
	weights    *Weights
}

func newPairs(one, other *section) *pairs {
	p := &pairs{one: one, other: other}
	most := func(s *section) int {
		if s.budget == rounds.Unlimited {
			return s.width
		}
		return min(s.budget, s.width)
	}
	paired := slots{one.width, one.last * (one.last + 1) / 2}
	each := func(yield func(numbers, *big.Int) bool) {
		var product big.Int
		for both, ways := range paired.using(min(most(one), most(other))) {
			alone := slots{one.width - both, one.last}
			for single, more := range alone.using(most(one) - both) {
				if !yield(numbers{both, single}, product.Mul(ways, more)) {
					return
				}
			}
		}
	}
	for n := range each {
		p.numbers = append(p.numbers, n)
	}
	p.weights = NewWeights(func(yield func(*big.Int) bool) {
		for _, ways := range each {
			if !yield(ways) {
				return
			}
		}
	})
	return p
}

func (p *pairs) draw(c Chance, units []int) []int {
	number := p.numbers[c.Pick(p.weights)]
	targets := Sample(c, p.one.width, number.first+number.second)
	paired := make([]bool, len(targets))
	for _, i := range Sample(c, len(targets), number.first) {
		paired[i] = true
	}
	for i, target := range targets {
		if !paired[i] {
			units = append(units, p.one.unit(target, 1+c.IntN(p.one.last)))
			continue
		}
		first, second := ordered(c, p.one.last)
		units = append(units, p.one.unit(target, 1+first), p.other.unit(target, 1+second))
	}
	return units
}

// ordered returns two numbers below n, the first no larger than the second, each
// pair as likely as any other: twice as many pairs are folded into one half.
func ordered(c Chance, n int) (first, second int) {
	a, b := c.IntN(n+1), c.IntN(n)
	if a > b {
		return n - a, n - 1 - b
	}
	return a, b
}
