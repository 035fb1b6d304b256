package schedules

import (
	"math/big"

	"github.com/lineage-driven/ldfi/rounds"
)

// grantedWalk visits the possible ways of a round.
type grantedWalk struct {
	*grantedCounts
	round   int
	up      uint32 // take part
	way     grantedWay
	yield   func(*grantedWay, *big.Int) bool
	stopped bool
}

// chainStep is an event with its conditions and its effect.
type chainStep struct {
	event             chainEvent
	crashes, restarts int32
	outcomes, points  int // how many of the crashes are at the start of the round, and within it
	down, up          bool
}

var (
	fromUp = []chainStep{
		{event: stays, up: true},
		{event: falls, crashes: 1, outcomes: 1, down: true},
		{event: fallsReturns, crashes: 1, restarts: 1, outcomes: 1, up: true},
		{event: fallsReturnsFallsWithin, crashes: 2, restarts: 1, outcomes: 1, points: 1, down: true},
		{event: fallsWithin, crashes: 1, points: 1, down: true},
	}
	fromDown = []chainStep{
		{event: stays, down: true},
		{event: returns, restarts: 1, up: true},
		{event: returnsFallsWithin, crashes: 1, restarts: 1, points: 1, down: true},
	}
)

// process makes the processes from p on crash and restart in every way.
func (w *grantedWalk) process(p int, times *big.Int) {
	if p == w.Processes {
		w.lasting(0, times)
		return
	}
	before, up := w.way.Next, w.up
	all := fromUp
	if before.Down>>p&1 == 1 {
		all = fromDown
	}
	for _, h := range all {
		if h.event != stays && !w.Mortal[p] || w.stopped {
			continue
		}
		ways := w.Variants(h.event, p)
		if ways == 0 || !w.spend(crashBudget, h.crashes) || !w.spend(restartBudget, h.restarts) {
			w.way.Next, w.up = before, up
			continue
		}
		w.way.Events[p] = h.event
		w.way.Next.Down &^= 1 << p
		if h.down {
			w.way.Next.Down |= 1 << p
		}
		if !h.up {
			w.up &^= 1 << p
		}
		more := times
		if ways > 1 {
			more = new(big.Int).Mul(times, big.NewInt(int64(ways)))
		}
		w.process(p+1, more)
		w.way.Next, w.up = before, up
	}
	w.way.Events[p] = stays
}

// Variants returns the number of ways in which an event can happen to a process: with each
// outcome of its crashes, and at each point.
func (s *grantedSpace) Variants(e chainEvent, p int) int {
	start, within := s.Outcomes, s.Points[p]*s.Outcomes
	switch e {
	case falls, fallsReturns:
		return start
	case fallsReturnsFallsWithin:
		return start * within
	case fallsWithin, returnsFallsWithin:
		return within
	default:
		return 1
	}
}

// spend takes so much from a budget, and returns false if there is less left.
func (w *grantedWalk) spend(budget int, n int32) bool {
	switch most := w.limit[budget]; {
	case n == 0:
		return true
	case w.Budgets[budget] == 0:
		return false
	case most == rounds.Unlimited:
		return true
	case int(w.way.Next.Used[budget]+n) > most:
		return false
	}
	w.way.Next.Used[budget] += n
	return true
}

// lasting makes the lasting faults from i on begin in every way.
func (w *grantedWalk) lasting(i int, times *big.Int) {
	for i < len(w.Lasting) && (w.round > w.LastLoss || w.way.Next.Active>>i&1 == 1) {
		i++
	}
	if i == len(w.Lasting) {
		w.omissions(times)
		return
	}
	w.lasting(i+1, times)
	before := w.way.Next
	for _, budget := range w.Lasting[i].Costs {
		if w.stopped || !w.spend(budget, 1) {
			w.way.Next = before
			return
		}
	}
	w.way.Next.Active |= 1 << i
	w.way.Starts |= 1 << i
	w.lasting(i+1, times)
	w.way.Starts &^= 1 << i
	w.way.Next = before
}

// omissions makes messages omitted in every way that leaves enough.
func (w *grantedWalk) omissions(times *big.Int) {
	if w.stopped {
		return
	}
	up := w.up
	for i, l := range w.Lasting {
		if w.way.Next.Active>>i&1 == 1 {
			up &^= l.Pauses
		}
	}
	cfg := grantedConfig{up, w.way.Next.Active, w.Budgets[omissionBudget] != 0 && w.round <= w.LastLoss}
	w.way.config = cfg
	counts := w.waysToOmit(cfg)
	if w.limit[omissionBudget] == rounds.Unlimited {
		all := new(big.Int)
		for _, n := range counts {
			all.Add(all, n)
		}
		w.way.Omitted = rounds.Unlimited
		w.tell(times, all)
		return
	}
	before := w.way.Next
	for omitted, n := range counts {
		w.way.Omitted = omitted
		if w.spend(omissionBudget, int32(omitted)) {
			w.tell(times, n)
		}
		w.way.Next = before
	}
}

// tell yields a way.
func (w *grantedWalk) tell(times, omissions *big.Int) {
	if w.stopped || omissions.Sign() == 0 {
		return
	}
	after := w.After(w.round+1, w.way.Next)
	if w.err != nil {
		w.stopped = true
		return
	}
	weight := new(big.Int).Mul(times, omissions)
	w.stopped = !w.yield(&w.way, weight.Mul(weight, after))
}
