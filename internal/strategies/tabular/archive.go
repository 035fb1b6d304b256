package tabular

import "math/rand/v2"

// The parameters of an archive.
const (
	beforeOneIn = 3   // goes on from any waypoint before the target
	nearerOneIn = 4   // does so, and not from the farthest, while the target was not reached
	farBehind   = 4   // states are kept that come at most so long after the soonest target
	candidates  = 9   // of which the one that was visited least is taken
	keptOfEach  = 200 // of a waypoint before the target
)

// Archive keeps beginnings of executions that got far, so that others go on from them: one
// for each state that was seen behind the target, and some for each waypoint before it.
type Archive[B any] struct {
	before  [][]*beginning[B] // by waypoint, but for the last
	behind  []*beginning[B]
	states  map[string]*beginning[B] // of behind
	soonest int
	next    int // of those of a waypoint, to be replaced
}

// beginning is how an execution began.
type beginning[B any] struct {
	it     B
	length int
	visits int // of where it leads
}

// NewArchive returns an archive for a number of waypoints, the last of which is the target.
func NewArchive[B any](waypoints int) *Archive[B] {
	return &Archive[B]{before: make([][]*beginning[B], waypoints-1), states: map[string]*beginning[B]{}}
}

// Reach notes that an execution reached a waypoint before the target, from 1.
func (a *Archive[B]) Reach(waypoint, length int, it B) {
	b := &beginning[B]{it: it, length: length}
	of := &a.before[waypoint-1]
	if len(*of) < keptOfEach {
		*of = append(*of, b)
		return
	}
	(*of)[a.next%keptOfEach] = b
	a.next++
}

// Visit notes that an execution came to a state behind the target. Of those that did, the
// shortest is kept.
func (a *Archive[B]) Visit(state string, length int, it func() B) {
	if len(a.states) == 0 || length < a.soonest {
		a.soonest = length
	}
	b := a.states[state]
	switch {
	case b != nil:
		if b.visits++; length < b.length {
			b.it, b.length = it(), length
		}
	case length <= a.soonest+farBehind:
		b = &beginning[B]{it: it(), length: length}
		a.states[state] = b
		a.behind = append(a.behind, b)
	}
}

// Choose returns what an execution goes on from: of some that got behind the target, or to a
// waypoint before it, the one that was visited least. At first there is none.
func (a *Archive[B]) Choose(r *rand.Rand) (it B, ok bool) {
	farthest := len(a.before) - 1
	for farthest >= 0 && len(a.before[farthest]) == 0 {
		farthest--
	}
	var from []*beginning[B]
	switch {
	case len(a.behind) > 0 && (farthest < 0 || r.IntN(beforeOneIn) > 0):
		from = a.behind
	case farthest >= 0 && len(a.behind) == 0 && r.IntN(nearerOneIn) > 0:
		from = a.before[farthest]
	case farthest >= 0:
		from = a.before[r.IntN(farthest+1)]
	}
	if len(from) == 0 {
		return it, false
	}
	least := from[r.IntN(len(from))]
	for range candidates - 1 {
		if other := from[r.IntN(len(from))]; other.visits < least.visits {
			least = other
		}
	}
	least.visits++
	return least.it, true
}
