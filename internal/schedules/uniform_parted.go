package schedules

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// classOfSides is isolations and partitions. The budget of isolations is that of both, so
// that a partition that is not used allows an isolation more.
type classOfSides struct{ *Universe }

func (c classOfSides) rows() []int { return []int{isolations, partitions} }

// count counts the partitions for each number in their budget, with isolations in the rest
// of the budget.
func (c classOfSides) count() *big.Int {
	s := &c.sections[partitions]
	if s.budget == rounds.Unlimited {
		total := c.groups(s).using(s.budget)
		return total.Mul(total, c.isolating(rounds.Unlimited))
	}
	return c.waysToPart().all()
}

func (c classOfSides) draw() part { return newParted(c.Universe) }

func (c classOfSides) steps(w *walk) []step {
	return append(classOfOne{c.Universe, isolations}.steps(w), classOfOne{c.Universe, partitions}.steps(w)...)
}

func (c classOfSides) limits() []limitOf {
	all := append(c.limitsOfSection(isolations), c.limitsOfSection(partitions)...)
	one, both := &c.sections[isolations], &c.sections[partitions]
	if one.budget != rounds.Unlimited && one.budget < one.slots()+both.slots() {
		all = append(all, limitOf{several, Limit{append(run(one.first, one.len()), run(both.first, both.len())...), one.budget}})
	}
	return all
}

// waysToPart counts the ways by the number of partitions, if there is a limit.
func (u *Universe) waysToPart() byNumber {
	s := &u.sections[partitions]
	counts := u.groups(s).byNumber(s.budget)
	for parted, ways := range counts {
		ways.Mul(ways, u.isolating(u.besides(parted)))
	}
	return counts
}

// isolating counts the ways to have no more than most isolations.
func (u *Universe) isolating(most int) *big.Int {
	return u.groups(&u.sections[isolations]).using(most)
}

// besides returns the most isolations that there can be besides a number of partitions.
func (u *Universe) besides(partitions int) int {
	if left := u.sections[isolations].budget; left != rounds.Unlimited {
		return left - partitions
	}
	return rounds.Unlimited
}

// Parted draws partitions, with the number of isolations that they leave. The number of
// partitions is drawn in proportion to the number of ways to have that many, together
// with isolations.
type Parted struct {
	universe *Universe
	weights  *Weights // of how many; nil: without a limit, every slot is on its own
	exactly  []part
	any      *choices
	beside   []int // how many isolations there can be
}

// Parted returns a Parted, which draws partitions; nil if the bounds have none.
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

// Beside returns the most isolations for each number of partitions; nil if there are no
// partitions.
func (p *Parted) Beside() []int {
	if p == nil {
		return nil
	}
	return slices.Clone(p.beside)
}

// Splits returns the number of ways to part the processes that the bounds allow, and
// Split returns one of them as the Detail of a partition.
func (u *Universe) Splits() int {
	if u.sections[partitions].last == 0 {
		return 0
	}
	return u.sections[partitions].width
}

func (u *Universe) Split(number int) string {
	return u.sidesText(u.sidesOf(u.sections[partitions].target(number)))
}

// Draw returns partitions, and the most isolations that they leave.
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
