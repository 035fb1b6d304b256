package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Parted draws partitions, and says how many isolations there can be beside them.
// How many partitions is drawn in proportion to how many ways there are to have so
// many, with isolations beside them.
type Parted struct {
	universe *Universe
	weights  *Weights // of how many; nil: without a limit, every slot is on its own
	exactly  []part
	any      *choices
	beside   []int // how many isolations there can be
}

// Parted returns what draws partitions, nil if the bounds have none.
func (u *Universe) Parted() *Parted {
	s := &u.sections[partitions]
	if s.last == 0 {
		return nil
	}
	p := &Parted{universe: u}
	if s.budget == rounds.Unlimited {
		p.any = newChoices(s, s.budget)
		return p
	}
	ways := u.waysToPart()
	for q := range ways {
		p.exactly, p.beside = append(p.exactly, newExactly(u, s, q)), append(p.beside, u.besides(q))
	}
	p.weights = NewWeights(slices.Values(ways))
	return p
}

// Beside returns how many isolations there can be, for each number of partitions
// that is drawn; nothing if there are no partitions.
func (p *Parted) Beside() []int {
	if p == nil {
		return nil
	}
	return slices.Clone(p.beside)
}

// Splits returns in how many ways the bounds allow the processes to be parted, and
// Split one of them as the Detail of a partition.
func (u *Universe) Splits() int {
	if u.sections[partitions].last == 0 {
		return 0
	}
	return u.sections[partitions].width
}

func (u *Universe) Split(number int) string {
	return u.sidesText(u.sidesOf(u.sections[partitions].target(number)))
}

// Draw returns partitions, and how many isolations there can be besides.
func (p *Parted) Draw(c Chance) (faults []rounds.Fault, isolations int) {
	units, isolations := p.draw(c)
	return p.universe.scheduleOf(units).Faults, isolations
}

func (p *Parted) draw(c Chance) (units []int, isolations int) {
	if p.weights == nil {
		return p.any.draw(c, nil), rounds.Unlimited
	}
	q := c.Pick(p.weights)
	return p.exactly[q].draw(c, nil), p.beside[q]
}

// parted draws partitions and isolations, which share a budget.
type parted struct {
	partitions *Parted
	isolations map[int]part // by how many there can be
}

func newParted(u *Universe) *parted {
	p := &parted{u.Parted(), map[int]part{}}
	beside := p.partitions.beside
	if beside == nil {
		beside = []int{rounds.Unlimited}
	}
	for _, most := range beside {
		p.isolations[most] = u.choices(&u.sections[isolations], most)
	}
	return p
}

func (p *parted) draw(c Chance, units []int) []int {
	more, left := p.partitions.draw(c)
	return p.isolations[left].draw(c, append(units, more...))
}
