package schedules

import (
	"iter"
	"math/big"

	"github.com/lineage-driven/ldfi/rounds"
)

// Uniform draws schedules within bounds, each with the same probability: one in
// Universe.Count. If assumptions about each round prevent an exact count, each schedule has
// at least that probability; see Universe.Meet. Several goroutines may use it.
type Uniform struct {
	universe *Universe
	parts    []part
	exact    bool // each schedule has the same probability
}

// part draws faults of some kinds, independently of other kinds.
type part interface {
	draw(c Chance, units []int) []int // appends units
}

// Uniform returns a Uniform, which draws schedules within the bounds.
func (u *Universe) Uniform() *Uniform {
	d := &Uniform{universe: u, exact: u.Exact()}
	for _, s := range u.spaces() {
		d.parts = append(d.parts, s.draw())
	}
	return d
}

// Draw returns a schedule in normal form.
func (d *Uniform) Draw(c Chance) rounds.Schedule {
	if d.exact {
		return d.free(c)
	}
	return d.universe.Meet(c, func() rounds.Schedule { return d.free(c) })
}

// free draws a schedule without the assumptions about the messages of a round.
func (d *Uniform) free(c Chance) rounds.Schedule {
	var units []int
	for _, p := range d.parts {
		units = p.draw(c, units)
	}
	return d.universe.scheduleOf(units)
}

// choices draws units of slots. It draws the number of units first, in proportion to the
// number of ways to have so many.
type choices struct {
	section *section
	full    int // the slots of whole phases; later ones belong to a phase cut short
	numbers []numbers
	weights *Weights // of numbers; nil: without a limit, every slot is on its own
}

// numbers are the numbers of used slots of two sorts.
type numbers struct{ first, second int }

// choices returns a part that draws at most budget units of a section.
func (u *Universe) choices(s *section, budget int) part {
	limited := budget != rounds.Unlimited && budget < s.slots()
	if s.chosen != nil && limited {
		return newDrawnChoices(s)
	}
	if u.dead != nil || s.uneven() && limited {
		return newSized(u, s, 0, budget)
	}
	return newChoices(s, budget)
}

// newChoices returns choices that draw no more than most units of a section.
func newChoices(s *section, budget int) *choices {
	c := &choices{section: s, full: s.width * s.whole()}
	all := s.slots()
	if budget == rounds.Unlimited || budget >= all {
		return c
	}
	return c.among(0, budget)
}

// newExactly returns a part that draws exactly number units of a section, all of which can
// be in schedules.
func newExactly(u *Universe, s *section, number int) part {
	if s.uneven() {
		return newSized(u, s, number, number)
	}
	return (&choices{section: s, full: s.width * s.whole()}).among(number, number)
}

// among draws no fewer than least and no more than most units.
func (c *choices) among(least, most int) *choices {
	all := c.section.slots()
	whole, cut := slots{c.full, c.section.period}, slots{all - c.full, c.section.last % c.section.period}
	each := func(yield func(numbers, *big.Int) bool) {
		var product big.Int
		for i, ways := range whole.using(most) {
			for j, more := range cut.using(most - i) {
				if i+j >= least && !yield(numbers{i, j}, product.Mul(ways, more)) {
					return
				}
			}
		}
	}
	c.numbers, c.weights = weighed(each)
	return c
}

// weighed returns things, and weights to pick one of them.
func weighed[T any](each iter.Seq2[T, *big.Int]) ([]T, *Weights) {
	var things []T
	for thing := range each {
		things = append(things, thing)
	}
	return things, NewWeights(func(yield func(*big.Int) bool) {
		for _, weight := range each {
			if !yield(weight) {
				return
			}
		}
	})
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
