package strategies

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// requests has the requests of clients, and lists of them: those that wait for paused
// processes, and those that schedules choose.
type requests struct {
	all    []system.Request
	places map[int]int32  // by ID
	always int            // the number of requests that are always made; schedules choose the others
	faults []rounds.Fault // that choose the other requests
	own    [][]int32      // by round and process: the places of the requests that are made then
	chosen [][]int32      // by round: the places of the requests that may be chosen; nil: none are
	n      int            // processes
	lists  *sequences
}

func newRequests(s *search.Session) *requests {
	b := s.Bounds
	r := &requests{n: len(b.Processes), places: map[int]int32{}, lists: newSequences()}
	r.own = make([][]int32, (b.EOT+1)*r.n)
	for i, q := range s.System.Requests {
		q.ID = cmp.Or(q.ID, i+1)
		r.add(q)
		if p := slices.Index(b.Processes, q.Process); q.Round <= b.EOT && p >= 0 {
			at := q.Round*r.n + p
			r.own[at] = append(r.own[at], int32(i))
		}
	}
	r.always = len(r.all)
	if b.Choices == 0 {
		return r
	}
	faults, choosable := s.System.Choosable(b.EOT)
	if r.faults = faults; len(faults) > 0 {
		r.chosen = make([][]int32, b.EOT+1)
	}
	for _, q := range choosable {
		r.chosen[q.Round] = append(r.chosen[q.Round], r.add(q))
	}
	return r
}

// add adds a request, and returns its place.
func (r *requests) add(q system.Request) int32 {
	place := int32(len(r.all))
	r.all, r.places[q.ID] = append(r.all, q), place
	return place
}

// choosable counts the requests that schedules may choose.
func (r *requests) choosable() int { return len(r.all) - r.always }

// fault returns the fault that chooses the request at a place.
func (r *requests) fault(place int32) rounds.Fault { return r.faults[int(place)-r.always] }

// wait adds to a list the requests to a process in a round, with the chosen ones in asked
// last.
func (r *requests) wait(list int32, process, round int, asked int32) int32 {
	own := r.own[round*r.n+process]
	if len(own) == 0 && asked == 0 {
		return list
	}
	return r.lists.number(slices.Concat(r.lists.lists[list], own, r.lists.lists[asked]))
}

// given returns the requests that a process begins a round with: the ones that waited, the
// ones of the round, and its chosen ones.
func (r *requests) given(from beginning, process, round int) []system.Request {
	var all []system.Request
	for _, list := range [][]int32{r.lists.lists[from.waiting], r.own[round*r.n+process], r.lists.lists[from.asked]} {
		for _, i := range list {
			all = append(all, r.all[i])
		}
	}
	return all
}

// of returns the requests of a list to a process.
func (r *requests) of(list int32, process string) int32 {
	if list == 0 {
		return 0
	}
	var own []int32
	for _, i := range r.lists.lists[list] {
		if r.all[i].Process == process {
			own = append(own, i)
		}
	}
	return r.lists.number(own)
}

// shown returns the list of the requests that a process gets in a round besides those of
// the round, and the list of those of the round because they are chosen.
func (r *requests) shown(given []system.Request, round int) (waiting, asked int32) {
	var before, now []int32
	for _, q := range given {
		switch place := r.places[q.ID]; {
		case q.Round < round:
			before = append(before, place)
		case int(place) >= r.always:
			now = append(now, place)
		}
	}
	return r.lists.number(before), r.lists.number(now)
}
