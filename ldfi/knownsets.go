package ldfi

import (
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// knownSets has the common results of the ways to decide a question. They find the same
// sets in the same order, some more than others.
type knownSets struct {
	universe *schedules.Universe
	compare  func(a, b []int) int

	mutex sync.Mutex
	sets  []finding // in order, as far as any way has come
	best  []int     // the first of all sets that are known to break the promise; nil if there is none
	least int       // no set that breaks the promise has fewer faults

	doing map[way]string
	tell  func(result.Stage) // nil: nothing is called
}

func newKnownSets(m *Model, tell func(result.Stage)) *knownSets {
	u := schedules.New(m.bounds)
	compare := func(a, b []int) int { return m.compare(u, a, b) }
	return &knownSets{universe: u, compare: compare, doing: map[way]string{}, tell: tell}
}

// does records the work of a way, and reports how far all ways are.
func (s *knownSets) does(w way, doing string) {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.doing[w] = doing
	s.told()
}

// told reports how far all ways are.
func (s *knownSets) told() {
	if s.tell == nil {
		return
	}
	t := result.Stage{Ways: map[string]string{}, AtLeast: s.least}
	for w, doing := range s.doing {
		t.Ways[string(w)] = doing
	}
	if s.best != nil {
		best := scheduleOf(s.universe, s.best)
		t.Best = &best
	}
	s.tell(t)
}

// bound returns the least number of faults of a set that breaks the promise.
func (s *knownSets) bound() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.least
}

// knows records a set that breaks the promise.
func (s *knownSets) knows(units []int) {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.offer(units)
}

func (s *knownSets) offer(units []int) {
	if s.best == nil || s.compare(units, s.best) < 0 {
		s.best = slices.Clone(units)
		if s.best == nil {
			s.best = []int{}
		}
		s.told()
	}
}

// beats tells whether a set with fewer faults is known.
func (s *knownSets) beats(faults int) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.best != nil && len(s.universe.Faults(s.best)) < faults
}

// atLeast records that no set with fewer faults breaks the promise.
func (s *knownSets) atLeast(faults int) {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if faults > s.least {
		s.least = faults
		s.told()
	}
}

// list returns a function that records the sets that one way finds, in order.
func (s *knownSets) list() func(finding) {
	n := 0
	return func(f finding) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.offer(f.units)
		if f.smallest {
			if n == len(s.sets) {
				s.sets = append(s.sets, f)
			}
			n++
		}
	}
}

// findings returns the sets in order, or if there are none a set that breaks the promise,
// if one is known.
func (s *knownSets) findings() []finding {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.sets) == 0 && s.best != nil {
		return []finding{{units: s.best}}
	}
	return slices.Clone(s.sets)
}
