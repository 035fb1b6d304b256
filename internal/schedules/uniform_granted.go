package schedules

import (
	"math/big"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/rounds"
)

// granted draws the faults that together decide which messages are received in a round, if
// the bounds have assumptions about these. It draws one round after the other, in
// proportion to the number of ways to continue.
type granted struct {
	universe *Universe
	counts   *grantedCounts
	lasting  []slotted // in the order of the counts
	mutex    sync.Mutex
	steps    map[before]*grantedStep
	tries    int // to draw the omissions of a round, before they are drawn one by one
}

// spaceOfGranted is the ways that granted draws.
type spaceOfGranted struct{ *granted }

func (s spaceOfGranted) count() *big.Int { return s.counts.Total() }
func (s spaceOfGranted) draw() part      { return s.granted }

// slotted is the target of a fault that lasts, in its section.
type slotted struct{ row, number int }

// before is where a round begins.
type before struct {
	round int
	state grantedState
}

// grantedStep has the possible ways of a round.
type grantedStep struct {
	ways    []grantedWay
	weights *Weights
}

// together are the kinds of fault that granted draws; other kinds must not affect which
// messages are received.
var together = []int{crashes, isolations, omissions, restarts, pauses, points, partitions, disks, cuts}

// newGranted returns nil if there are too many schedules to be counted, or if a fault
// affects in an unknown way which messages are received: a process that loses its messages
// to itself, and messages that come late or twice; or if nothing fails in the last rounds.
func newGranted(u *Universe) *granted {
	if b := u.bounds; b.FaultFree > 0 || b.OwnLost && u.sections[isolations].budget != 0 || b.Delays != 0 || b.Duplicates != 0 {
		return nil
	}
	g := &granted{universe: u, steps: map[before]*grantedStep{}, tries: 100}
	var err error
	if g.counts, err = newGrantedCounts(g.space()); err != nil {
		return nil
	}
	return g
}

// space returns the schedules of the universe as a grantedSpace.
func (g *granted) space() *grantedSpace {
	u, b := g.universe, g.universe.bounds
	s := &grantedSpace{
		Processes: u.n, Rounds: b.EOT, First: b.FirstFault(), LastLoss: max(b.LastLoss(), 0), Period: b.Period, Outcomes: u.outcomes,
		Lossy:   func(from, to int) bool { return !u.reliable.Has(from, to) },
		Budgets: [...]int{b.Crashes, b.Restarts, u.sections[isolations].budget, b.Partitions, b.Pauses, b.Omissions, b.Cuts},
	}
	s.least, s.kernel = b.Network()
	for p := range u.n {
		s.Mortal, s.Points = append(s.Mortal, canCrash(u, p)), append(s.Points, len(u.points(p)))
	}
	for _, row := range []int{isolations, pauses, partitions, cuts} {
		section := &u.sections[row]
		for number := range section.width {
			if section.last == 0 {
				break
			}
			l := grantedLasting{Costs: []int{sideBudget}}
			switch target := section.target(number); row {
			case isolations:
				l.Side = 1 << target
			case pauses:
				l.Pauses, l.Costs = 1<<target, []int{pauseBudget}
			case cuts:
				from, to := u.ends(target)
				l.Cut, l.Costs = &fromTo{From: from, To: to}, []int{cutBudget}
			case partitions:
				l.Costs = append(l.Costs, partitionBudget)
				for p, other := range u.sidesOf(target) {
					if other {
						l.Side |= 1 << p
					}
				}
			}
			s.Lasting = append(s.Lasting, l)
			g.lasting = append(g.lasting, slotted{row, number})
		}
	}
	return s
}

func (g *granted) draw(c Chance, units []int) []int {
	at := before{g.universe.bounds.FirstFault(), grantedState{}}
	for ; at.round <= g.universe.bounds.EOT; at.round++ {
		s := g.step(at)
		w := &s.ways[c.Pick(s.weights)]
		units = g.happen(c, w, at.round, units)
		at.state = w.Next
	}
	return units
}

// step returns the possible ways of a round from a state.
func (g *granted) step(at before) *grantedStep {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if s := g.steps[at]; s != nil {
		return s
	}
	s := &grantedStep{}
	var weights []*big.Int
	g.counts.Ways(at.round, at.state, func(w *grantedWay, weight *big.Int) bool {
		if weight.Sign() > 0 {
			kept := *w
			kept.Events = slices.Clone(w.Events)
			s.ways, weights = append(s.ways, kept), append(weights, new(big.Int).Set(weight))
		}
		return true
	})
	s.weights = NewWeights(slices.Values(weights))
	g.steps[at] = s
	return s
}

// happen appends the units of the faults of a round.
func (g *granted) happen(c Chance, w *grantedWay, round int, units []int) []int {
	for p, e := range w.Events {
		units = g.event(c, e, p, round, units)
	}
	for i, l := range g.lasting {
		if w.Starts>>i&1 == 1 {
			units = append(units, g.universe.sections[l.row].unit(l.number, round))
		}
	}
	for _, l := range g.omitted(c, g.counts.Omittable(w)) {
		s := &g.universe.sections[omissions]
		number, _ := s.number(g.universe.link(l.From, l.To)) // it can lose messages
		units = append(units, s.unit(number, round))
	}
	return units
}

// event appends the crashes and restarts of a process in a round, with any outcome and
// at any point.
func (g *granted) event(c Chance, e chainEvent, p, round int, units []int) []int {
	var crash, again, within bool
	switch e {
	case falls:
		crash = true
	case fallsReturns:
		crash, again = true, true
	case fallsReturnsFallsWithin:
		crash, again, within = true, true, true
	case fallsWithin:
		within = true
	case returns:
		again = true
	case returnsFallsWithin:
		again, within = true, true
	}
	for _, m := range g.universe.chainIn(p, round) {
		switch {
		case m.Kind == rounds.Restart && again,
			m.Kind == rounds.Crash && !m.within && crash,
			m.Kind == rounds.Crash && m.within && within:
			units = append(units, m.Units[c.IntN(len(m.Units))])
		}
	}
	return units
}

// momentIn is a moment of a round.
type momentIn struct {
	Moment
	within bool
}

// chainIn returns the moments of a round at which a process can crash or restart.
func (u *Universe) chainIn(p, round int) (all []momentIn) {
	for _, m := range u.Chain(p) {
		if m.Round == round {
			all = append(all, momentIn{m, m.Kind == rounds.Crash && u.Fault(m.Units[0]).Point() != ""})
		}
	}
	return all
}

// omitted draws the messages of a round that are omitted, until enough are received. If
// that is improbable, it decides for one message after the other.
func (g *granted) omitted(c Chance, o *omittable) []fromTo {
	if o.Number == 0 || len(o.Links) == 0 {
		return nil
	}
	for range g.tries {
		var links []fromTo
		for _, i := range anyOf(c, len(o.Links), o.Number) {
			links = append(links, o.Links[i])
		}
		if o.Enough(links) {
			return links
		}
	}
	return o.Choose(func(with, without *big.Int) bool {
		if with.Sign() == 0 || without.Sign() == 0 {
			return with.Sign() > 0
		}
		return c.Pick(NewWeights(slices.Values([]*big.Int{with, without}))) == 0
	})
}

// anyOf returns count random numbers below n, or any number of them.
func anyOf(c Chance, n, count int) (all []int) {
	if count != rounds.Unlimited {
		return Sample(c, n, count)
	}
	for i := range n {
		if c.IntN(2) == 1 {
			all = append(all, i)
		}
	}
	return all
}
