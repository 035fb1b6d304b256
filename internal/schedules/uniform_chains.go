package schedules

import (
	"iter"
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// classOfCrashes is crashes and restarts, which come in turn: at any point within a round,
// and whatever they leave on a disk.
type classOfCrashes struct{ *Universe }

func (c classOfCrashes) rows() []int     { return []int{crashes, restarts, points, disks} }
func (c classOfCrashes) count() *big.Int { return downsOf(c.Universe).total() }
func (c classOfCrashes) draw() part      { return newCrashes(c.Universe) }

func (c classOfCrashes) steps(w *walk) (all []step) {
	for p := range c.n {
		chain, most := c.Chain(p), 1
		if c.sections[restarts].last > 0 {
			most = len(chain)
		}
		all = append(all, newStep(most, func(next int) bool { return w.follow(chain, rounds.Crash, next) }, crashes, restarts))
	}
	return all
}

// limits returns the limits of the crashes of each process that does not come back, of all
// crashes, and of restarts.
func (c classOfCrashes) limits() (all []limitOf) {
	var units []int
	for p := range c.n {
		one := c.crashesOf(p)
		if units = append(units, one...); len(one) > 1 && c.sections[restarts].last == 0 {
			all = append(all, limitOf{crashes, Limit{one, 1}})
		}
	}
	slices.Sort(units)
	most := c.sections[crashes].width
	if c.sections[restarts].last > 0 {
		most = len(units)
	}
	if budget := c.bounds.Crashes; budget != rounds.Unlimited && budget < most && len(units) > 0 {
		all = append(all, limitOf{crashes, Limit{units, budget}})
	}
	if s := &c.sections[restarts]; s.last > 0 && s.budget != rounds.Unlimited && s.budget < s.len() {
		all = append(all, limitOf{restarts, Limit{run(s.first, s.len()), s.budget}})
	}
	return all
}

// crashesOf returns all units of the crash of a process, sorted.
func (u *Universe) crashesOf(p int) []int {
	if u.sections[points].last == 0 && u.sections[disks].last == 0 {
		return u.sections[crashes].untilOf(nil, p, u.bounds.LastFault())
	}
	var units []int
	for _, moment := range u.Chain(p) {
		if moment.Kind == rounds.Crash {
			units = append(units, moment.Units...)
		}
	}
	slices.Sort(units)
	return units
}

// chainDraw draws the crashes and restarts of all processes. For one process after the
// other it draws the number of restarts, and whether the process is down in the end, in
// proportion to the number of ways for this process and those after it. Then it draws one
// of the chains with these.
type chainDraw struct {
	universe *Universe
	restarts int            // the most restarts
	crashes  int            // the most restarts and processes that are down in the end, together
	ways     [][][]*big.Int // for the processes from one on: by restarts left, and by processes down
	picks    [][][]lives    // by the same, the lives to pick from; nil if there are many
	free     []lives        // without limits: of each process
}

// life is how often a process restarts, and whether it is down in the end: 0 or 1.
type life struct{ restarts, down int }

// lives are all that a process can have.
type lives struct {
	all     []life
	weights *Weights
}

// downsOf returns the draw of the crashes and restarts of a universe.
func downsOf(u *Universe) *chainDraw {
	eot := u.bounds.EOT
	c := &chainDraw{universe: u, restarts: u.bounds.Restarts, crashes: u.bounds.Crashes}
	if most := u.n * (eot + 1); c.crashes == rounds.Unlimited || c.crashes > most {
		c.crashes = most
	}
	if most := min(c.crashes, u.n*eot); c.restarts == rounds.Unlimited || c.restarts > most {
		c.restarts = most
	}
	return c
}

// unlimited tells whether there are no limits, so that each process is on its own.
func (c *chainDraw) unlimited() bool {
	n, eot := c.universe.n, c.universe.bounds.EOT
	return c.restarts == n*eot && c.crashes == n*(eot+1)
}

// total counts the ways in which all processes crash and restart.
func (c *chainDraw) total() *big.Int {
	if !c.unlimited() {
		c.count()
		return c.ways[0][c.restarts][0]
	}
	total := big.NewInt(1)
	for p := range c.universe.n {
		one := new(big.Int)
		for _, ways := range c.universe.lives(p, c.restarts) {
			one.Add(one, ways)
		}
		total.Mul(total, one)
	}
	return total
}

func newDowns(u *Universe) *chainDraw {
	c := downsOf(u)
	if c.unlimited() {
		for p := range u.n {
			all, weights := weighed(u.lives(p, c.restarts))
			c.free = append(c.free, lives{all, weights})
		}
		return c
	}
	c.count()
	if u.n*u.n*(c.restarts+1) <= mostKept {
		c.keep()
	}
	return c
}

// mostKept limits the states for which the lives to pick from are kept.
const mostKept = 2000

// keep computes the lives to pick from.
func (c *chainDraw) keep() {
	c.picks = make([][][]lives, c.universe.n)
	for p := range c.picks {
		c.picks[p] = make([][]lives, c.restarts+1)
		for left := range c.picks[p] {
			c.picks[p][left] = make([]lives, p+1)
			for down := range c.picks[p][left] {
				if c.ways[p][left][down].Sign() > 0 {
					c.picks[p][left][down] = c.from(p, left, down)
				}
			}
		}
	}
}

// count counts the ways of the processes from one on, the last process first.
func (c *chainDraw) count() {
	n := c.universe.n
	c.ways = make([][][]*big.Int, n+1)
	for p := n; p >= 0; p-- {
		c.ways[p] = make([][]*big.Int, c.restarts+1)
		for left := range c.ways[p] {
			c.ways[p][left] = make([]*big.Int, p+1)
			for down := range c.ways[p][left] {
				c.ways[p][left][down] = new(big.Int)
				if p == n && c.restarts-left+down <= c.crashes {
					c.ways[p][left][down].SetInt64(1)
				}
			}
		}
		if p == n {
			continue
		}
		var term big.Int
		for l, ways := range c.universe.lives(p, c.restarts) {
			for left := l.restarts; left <= c.restarts; left++ {
				for down := range p + 1 {
					sum := c.ways[p][left][down]
					sum.Add(sum, term.Mul(ways, c.ways[p+1][left-l.restarts][down+l.down]))
				}
			}
		}
	}
}

func (c *chainDraw) draw(chance Chance, units []int) []int {
	left, down := c.restarts, 0
	for p := range c.universe.n {
		var l life
		if c.free != nil {
			l = c.free[p].all[chance.Pick(c.free[p].weights)]
		} else {
			l = c.pick(chance, p, left, down)
		}
		left, down = left-l.restarts, down+l.down
		units = append(units, c.universe.live(chance, p, l)...)
	}
	return units
}

// pick draws the life of process p, if left restarts are left and down processes before it
// are down.
func (c *chainDraw) pick(chance Chance, p, left, down int) life {
	var from lives
	if c.picks != nil {
		from = c.picks[p][left][down]
	} else {
		from = c.from(p, left, down)
	}
	return from.all[chance.Pick(from.weights)]
}

// from returns the lives to pick from for process p.
func (c *chainDraw) from(p, left, down int) lives {
	each := func(yield func(life, *big.Int) bool) {
		var product big.Int
		for l, ways := range c.universe.lives(p, left) {
			behind := c.ways[p+1][left-l.restarts][down+l.down]
			if product.Mul(ways, behind); product.Sign() > 0 && !yield(l, &product) {
				return
			}
		}
	}
	all, weights := weighed(each)
	return lives{all, weights}
}

// lives counts the chains of a process with no more than most restarts, by life, if there are
// any.
func (u *Universe) lives(p, most int) iter.Seq2[life, *big.Int] {
	return func(yield func(life, *big.Int) bool) {
		if !canCrash(u, p) {
			yield(life{}, big.NewInt(1))
			return
		}
		for restarts, ways := range chainsByRestarts(u.lifetime(p), len(u.points(p)), u.outcomes) {
			if restarts > most {
				return
			}
			for down, n := range ways {
				if n.Sign() > 0 && !yield(life{restarts, down}, n) {
					return
				}
			}
		}
	}
}

// ends are the chains of one life. The field first tells whether the first crash is at a
// point. The field last tells whether the last crash is, if it is another crash and the
// process is down after it.
type ends struct {
	life
	first, last bool
	points      int
}

// endsOf returns the ends that a life can have when there are k points.
func endsOf(l life, k int) (all []ends) {
	for _, first := range []bool{false, true} {
		for _, last := range []bool{false, true} {
			if e := (ends{l, first, last, k}); (k > 0 || !first && !last) && (!first || e.crashes() > 0) && (!last || e.crashes() > 1 && l.down == 1) {
				all = append(all, e)
			}
		}
	}
	return all
}

func (e ends) crashes() int { return e.restarts + e.down }

// free returns the number of crashes that can be at a point or not, without a difference in
// their rounds.
func (e ends) free() int {
	if e.down == 1 {
		return max(e.crashes()-2, 0)
	}
	return max(e.crashes()-1, 0)
}

// places returns the number of rounds in the chain, and how many of them can be equal to
// the round before: the round of a restart after a crash that is at no point, and the round
// of a crash at a point after a restart.
func (e ends) places() (count, same int) {
	same = e.free()
	if !e.first && e.restarts > 0 {
		same++
	}
	if e.last {
		same++
	}
	return e.restarts + e.crashes(), same
}

// ways counts the chains: to choose count rounds in order, same of which may be equal to
// the round before, there are eot+same over count ways.
func (e ends) ways(eot int) *big.Int {
	count, same := e.places()
	ways := new(big.Int).Binomial(int64(eot+same), int64(count))
	for range e.free() {
		ways.Mul(ways, big.NewInt(int64(e.points)+1))
	}
	return ways.Mul(ways, e.atPoints())
}

// atPoints counts the ways in which the first and the last crash are at points.
func (e ends) atPoints() *big.Int {
	ways := 1
	for _, at := range []bool{e.first, e.last} {
		if at {
			ways *= e.points
		}
	}
	return big.NewInt(int64(ways))
}

// live draws a chain of a process that lives so.
func (u *Universe) live(c Chance, p int, l life) []int {
	all := endsOf(l, len(u.points(p)))
	if len(all) == 1 {
		return u.chain(c, p, all[0])
	}
	possible, weights := weighed(func(yield func(ends, *big.Int) bool) {
		for _, e := range all {
			if ways := e.ways(u.lifetime(p)); ways.Sign() > 0 && !yield(e, ways) {
				return
			}
		}
	})
	return u.chain(c, p, possible[c.Pick(weights)])
}

// chain draws a chain with the ends e: the kind of each crash, and the rounds. Numbers are
// drawn in order; a number that may be equal to the one before is then lowered by one.
func (u *Universe) chain(c Numbers, p int, e ends) (units []int) {
	kinds := make([]int, e.crashes()) // 0: at no point
	for i := range kinds {
		switch {
		case i == 0 && e.first || i > 0 && i == len(kinds)-1 && e.last:
			kinds[i] = 1 + c.IntN(e.points)
		case i > 0 && (i < len(kinds)-1 || e.down == 0) && e.points > 0:
			kinds[i] = c.IntN(e.points + 1)
		}
	}
	count, same := e.places()
	at := Sample(c, u.lifetime(p)+same, count)
	slices.Sort(at)
	less := 1 - u.since(p)
	for i, n := range at {
		crash := i / 2
		if i%2 == 1 {
			if kinds[crash] == 0 {
				less++
			}
			units = append(units, u.unitOf(restarts, p, n-less+1))
			continue
		}
		if i > 0 && kinds[crash] > 0 {
			less++
		}
		units = append(units, u.crashUnit(p, kinds[crash], u.anyOutcome(c), n-less+1))
	}
	return units
}

// anyOutcome returns a random outcome of a crash for a disk.
func (u *Universe) anyOutcome(c Numbers) int {
	if u.outcomes == 1 {
		return 0
	}
	return c.IntN(u.outcomes)
}

// crashUnit returns the unit of a crash at a point, counted from 1, or at none.
func (u *Universe) crashUnit(p, kind, outcome, round int) int {
	switch {
	case kind > 0:
		return u.unitOf(points, u.atPoint(p, kind-1, outcome), round)
	case outcome > 0:
		return u.unitOf(disks, u.outcome(p, outcome), round)
	}
	return u.unitOf(crashes, p, round)
}

// unitOf returns the unit that strikes one of the domain of a section.
func (u *Universe) unitOf(row, target, round int) int {
	s := &u.sections[row]
	number, _ := s.number(target)
	return s.unit(number, round)
}

// single draws crashes without restarts of processes with equally many points: the
// processes, and then the rounds.
type single struct {
	universe *Universe
	numbers  []int
	weights  *Weights // of how many crash
}

// newCrashes draws crashes and restarts.
func newCrashes(u *Universe) part {
	able := &u.sections[crashes]
	if u.dead != nil || u.sections[restarts].last > 0 {
		return newDowns(u)
	}
	k := len(u.points(able.target(0)))
	for i := range able.width {
		if len(u.points(able.target(i))) != k {
			return newDowns(u)
		}
	}
	if k == 0 && u.outcomes == 1 {
		return u.choices(able, able.budget)
	}
	most := able.width
	if able.budget != rounds.Unlimited {
		most = min(most, able.budget)
	}
	s := &single{universe: u}
	s.numbers, s.weights = weighed(slots{able.width, u.lifetime(0) * (1 + k) * u.outcomes}.using(most))
	return s
}

func (s *single) draw(c Chance, units []int) []int {
	able := &s.universe.sections[crashes]
	for _, i := range Sample(c, able.width, s.numbers[c.Pick(s.weights)]) {
		units = append(units, s.universe.anyCrash(c, able.target(i)))
	}
	return units
}

// anyCrash returns a crash of a process in any round, at any point or none.
func (u *Universe) anyCrash(c Numbers, p int) int {
	k := len(u.points(p)) + 1
	i := c.IntN(u.lifetime(p) * k)
	return u.crashUnit(p, i%k, u.anyOutcome(c), i/k+u.since(p))
}
