package schedules

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Where processes join later, the units that would strike one before it joins keep
// their numbers, but are in no schedule.

// joining records the units that strike processes before they join.
func (u *Universe) joining() {
	if len(u.bounds.Joins) == 0 {
		return
	}
	u.dead = make([]bool, u.Len())
	for i := range u.sections {
		s := &u.sections[i]
		for number := 0; number < s.width && s.last > 0 && i != partitions && i != chosen; number++ {
			var f rounds.Fault
			s.domain.name(u, s.target(number), &f)
			joined := max(u.bounds.Joined(f.Process), u.bounds.Joined(f.To))
			for step := s.from; step <= s.last; step++ {
				if round, _ := s.roundOf(step); round >= joined {
					break
				}
				u.dead[s.unit(number, step)] = true
			}
		}
	}
}

// Joined returns the first round in which process p takes part.
func (u *Universe) Joined(p int) int { return u.bounds.Joined(u.bounds.Processes[p]) }

// Alive tells whether unit can be in a schedule: it strikes no process that has not
// joined. It returns false for -1.
func (u *Universe) Alive(unit int) bool { return unit >= 0 && (u.dead == nil || !u.dead[unit]) }

// living keeps the units that can be in a schedule.
func (u *Universe) living(units []int) []int {
	if u.dead == nil {
		return units
	}
	return slices.DeleteFunc(units, func(unit int) bool { return u.dead[unit] })
}

// limitOfJoins returns the limit of the units that are in no schedule.
func (u *Universe) limitOfJoins() []Limit {
	var all []int
	for unit, dead := range u.dead {
		if dead {
			all = append(all, unit)
		}
	}
	if all == nil {
		return nil
	}
	return []Limit{{all, 0}}
}

// since returns the first round in which a fault can strike a process.
func (u *Universe) since(p int) int { return max(u.Joined(p), u.bounds.FirstFault()) }

// lifetime returns the number of rounds in which a fault can strike a process.
func (u *Universe) lifetime(p int) int { return max(u.bounds.LastFault()-u.since(p)+1, 0) }

// join loses the messages to processes that have not joined yet, and their messages.
func (e *Environment) join() {
	for p, name := range e.bounds.Processes {
		for round := 1; round < e.bounds.Joined(name); round++ {
			e.silence(p, round, false)
			e.deafen(p, round, false)
			e.lose(p, p, round)
			e.lose(-1, p, round)
		}
	}
}

// sized draws units of slots of several sizes: for one size after the other it draws the
// number of slots used, in proportion to the number of ways for this size and the sizes
// after it.
type sized struct {
	least, most int
	slots       [][][]int  // by size: the units of each slot
	behind      []byNumber // the ways to use an exact number of slots of the sizes from one on
	exactly     []byNumber // the ways to use an exact number of slots of one size
}

// newSized returns a sized that draws no fewer than least and no more than most units of a
// section.
func newSized(u *Universe, s *section, least, most int) *sized {
	bySize := map[int][][]int{}
	count := 0
	for i := range s.slots() {
		if units := u.living(s.slot(i).appendTo(nil)); len(units) > 0 {
			bySize[len(units)] = append(bySize[len(units)], units)
			count++
		}
	}
	if most == rounds.Unlimited || most > count {
		most = count
	}
	d := &sized{least: least, most: most}
	for size := 1; len(bySize) > 0; size++ {
		if all, ok := bySize[size]; ok {
			d.slots = append(d.slots, all)
			delete(bySize, size)
		}
	}
	d.behind = make([]byNumber, len(d.slots)+1)
	d.exactly = make([]byNumber, len(d.slots))
	d.behind[len(d.slots)] = byNumber{big.NewInt(1)}
	for k := len(d.slots) - 1; k >= 0; k-- {
		d.exactly[k] = slots{len(d.slots[k]), len(d.slots[k][0])}.byNumber(most)
		d.behind[k] = d.exactly[k].times(d.behind[k+1], most)
	}
	return d
}

func (d *sized) draw(c Chance, units []int) []int {
	left := pickOf(c, d.least, d.behind[0][min(d.least, len(d.behind[0])):])
	for _, slot := range d.used(c, left) {
		units = append(units, slot[c.IntN(len(slot))])
	}
	return units
}

// used draws which slots are used, left in all.
func (d *sized) used(c Chance, left int) (used [][]int) {
	for k, all := range d.slots {
		ways := make([]*big.Int, min(left, len(d.exactly[k])-1)+1)
		for j := range ways {
			ways[j] = new(big.Int)
			if left-j < len(d.behind[k+1]) {
				ways[j].Mul(d.exactly[k][j], d.behind[k+1][left-j])
			}
		}
		use := pickOf(c, 0, ways)
		for _, i := range Sample(c, len(all), use) {
			used = append(used, all[i])
		}
		left -= use
	}
	return used
}

// pickOf picks a number, beginning with from, by the weights, some of which may be 0.
func pickOf(c Chance, from int, weights []*big.Int) int {
	possible, w := weighed(func(yield func(int, *big.Int) bool) {
		for i, weight := range weights {
			if weight.Sign() > 0 && !yield(from+i, weight) {
				return
			}
		}
	})
	return possible[c.Pick(w)]
}
