package heard

import "math/big"

// walk goes through what can happen in a round.
type walk struct {
	*Counts
	round   int
	up      uint32 // take part
	way     Way
	yield   func(*Way, *big.Int) bool
	stopped bool
}

// happening is an event: what it takes, and what it leaves.
type happening struct {
	event             Event
	crashes, restarts int32
	outcomes, points  int // how many of the crashes are at the start of the round, and within it
	down, up          bool
}

var (
	fromUp = []happening{
		{event: Stays, up: true},
		{event: Falls, crashes: 1, outcomes: 1, down: true},
		{event: FallsReturns, crashes: 1, restarts: 1, outcomes: 1, up: true},
		{event: FallsReturnsFallsWithin, crashes: 2, restarts: 1, outcomes: 1, points: 1, down: true},
		{event: FallsWithin, crashes: 1, points: 1, down: true},
	}
	fromDown = []happening{
		{event: Stays, down: true},
		{event: Returns, restarts: 1, up: true},
		{event: ReturnsFallsWithin, crashes: 1, restarts: 1, points: 1, down: true},
	}
)

// process lets processes from one on crash and restart in every way.
func (w *walk) process(p int, times *big.Int) {
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
		if h.event != Stays && !w.Mortal[p] || w.stopped {
			continue
		}
		ways := w.Variants(h.event, p)
		if ways == 0 || !w.spend(Crashes, h.crashes) || !w.spend(Restarts, h.restarts) {
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
	w.way.Events[p] = Stays
}

// Variants returns in how many ways an event can happen to a process: with each
// outcome of its crashes, and at each point.
func (s *Space) Variants(e Event, p int) int {
	start, within := s.Outcomes, s.Points[p]*s.Outcomes
	switch e {
	case Falls, FallsReturns:
		return start
	case FallsReturnsFallsWithin:
		return start * within
	case FallsWithin, ReturnsFallsWithin:
		return within
	default:
		return 1
	}
}

// spend takes so much from a budget, and returns false if there is less left.
func (w *walk) spend(budget int, n int32) bool {
	switch most := w.limit[budget]; {
	case n == 0:
		return true
	case w.Budgets[budget] == 0:
		return false
	case most == Unlimited:
		return true
	case int(w.way.Next.Used[budget]+n) > most:
		return false
	}
	w.way.Next.Used[budget] += n
	return true
}

// lasting lets what lasts, from one on, begin in every way.
func (w *walk) lasting(i int, times *big.Int) {
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

// omissions lets messages be omitted in every way that leaves enough.
func (w *walk) omissions(times *big.Int) {
	if w.stopped {
		return
	}
	up := w.up
	for i, l := range w.Lasting {
		if w.way.Next.Active>>i&1 == 1 {
			up &^= l.Pauses
		}
	}
	cfg := config{up, w.way.Next.Active, w.Budgets[Omissions] != 0 && w.round <= w.LastLoss}
	w.way.config = cfg
	counts := w.waysToOmit(cfg)
	if w.limit[Omissions] == Unlimited {
		all := new(big.Int)
		for _, n := range counts {
			all.Add(all, n)
		}
		w.way.Omitted = Unlimited
		w.tell(times, all)
		return
	}
	before := w.way.Next
	for omitted, n := range counts {
		w.way.Omitted = omitted
		if w.spend(Omissions, int32(omitted)) {
			w.tell(times, n)
		}
		w.way.Next = before
	}
}

// tell yields a way.
func (w *walk) tell(times, omissions *big.Int) {
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
