package universe

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Where processes join later, the units that would strike one before it joins keep
// their numbers, but are in no schedule.

// joining notes these units.
func (u *Universe) joining() {
	if len(u.bounds.Joins) == 0 {
		return
	}
	u.dead = make([]bool, u.Len())
	for unit := range u.dead {
		f := u.Fault(unit)
		u.dead[unit] = f.Kind != rounds.Partition && f.Round < max(u.bounds.Joined(f.Process), u.bounds.Joined(f.To))
	}
}

// Joined returns the first round in which a process takes part.
func (u *Universe) Joined(p int) int { return u.bounds.Joined(u.bounds.Processes[p]) }

// Alive tells whether a unit can be in a schedule: it strikes nobody who has not joined.
// A unit of -1 is none.
func (u *Universe) Alive(unit int) bool { return unit >= 0 && (u.dead == nil || !u.dead[unit]) }

// living leaves those units that can be in a schedule.
func (u *Universe) living(units []int) []int {
	if u.dead == nil {
		return units
	}
	return slices.DeleteFunc(units, func(unit int) bool { return u.dead[unit] })
}

// limitOfJoins returns that of the units that are in no schedule.
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

// lifetime returns in how many rounds a fault can strike a process.
func (u *Universe) lifetime(p int) int { return max(u.bounds.EOT-u.since(p)+1, 0) }

// join loses what reaches processes that have not joined yet, and what they would send.
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

// sized draws units of slots of several sizes: of one size after the other it draws how
// many, in proportion to how many ways there are for it and for those behind it.
type sized struct {
	least, most int
	slots       [][][]int    // by size: the units of each slot
	behind      [][]*big.Int // the ways to use exactly so many slots of the sizes from one on
	exactly     [][]*big.Int // the ways to use exactly so many of one size
}

// newSized returns what draws at least and at most so many units of a section.
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
	d.behind = make([][]*big.Int, len(d.slots)+1)
	d.exactly = make([][]*big.Int, len(d.slots))
	d.behind[len(d.slots)] = []*big.Int{big.NewInt(1)}
	for k := len(d.slots) - 1; k >= 0; k-- {
		for _, ways := range (slots{len(d.slots[k]), len(d.slots[k][0])}).using(most) {
			d.exactly[k] = append(d.exactly[k], new(big.Int).Set(ways))
		}
		d.behind[k] = make([]*big.Int, min(len(d.exactly[k])+len(d.behind[k+1])-2, most)+1)
		for i := range d.behind[k] {
			d.behind[k][i] = new(big.Int)
			for j, ways := range d.exactly[k] {
				if left := i - j; 0 <= left && left < len(d.behind[k+1]) {
					d.behind[k][i].Add(d.behind[k][i], new(big.Int).Mul(ways, d.behind[k+1][left]))
				}
			}
		}
	}
	return d
}

// ways returns in how many ways units are drawn.
func (d *sized) ways() *big.Int {
	total := new(big.Int)
	for i := d.least; i < len(d.behind[0]); i++ {
		total.Add(total, d.behind[0][i])
	}
	return total
}

func (d *sized) draw(c Chance, units []int) []int {
	left := pickOf(c, d.least, d.behind[0][min(d.least, len(d.behind[0])):])
	for _, slot := range d.used(c, left) {
		units = append(units, slot[c.IntN(len(slot))])
	}
	return units
}

// used draws which slots are used, so many of them.
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

// pickOf picks one of some numbers from one on, by their weights, which may be 0.
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
