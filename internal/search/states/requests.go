package states

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// requests is what clients ask, and lists of it that wait for paused processes.
type requests struct {
	all   []system.Request
	own   [][]int32 // by round and process: the places of those that are made then
	n     int       // processes
	lists *sequences
}

func newRequests(s *search.Session) *requests {
	b := s.Bounds
	r := &requests{n: len(b.Processes), lists: newSequences()}
	r.own = make([][]int32, (b.EOT+1)*r.n)
	for i, q := range s.System.Requests {
		q.ID = cmp.Or(q.ID, i+1)
		r.all = append(r.all, q)
		if p := slices.Index(b.Processes, q.Process); q.Round <= b.EOT && p >= 0 {
			at := q.Round*r.n + p
			r.own[at] = append(r.own[at], int32(i))
		}
	}
	return r
}

// wait returns a list with the requests that are made of a process in a round
// behind it.
func (r *requests) wait(list int32, process, round int) int32 {
	own := r.own[round*r.n+process]
	if len(own) == 0 {
		return list
	}
	return r.lists.number(slices.Concat(r.lists.lists[list], own))
}

// of returns the requests of a list.
func (r *requests) of(list int32) []system.Request {
	var all []system.Request
	for _, i := range r.lists.lists[list] {
		all = append(all, r.all[i])
	}
	return all
}

// waited returns the list of the requests that a process gets in a round besides
// those that are made then.
func (r *requests) waited(given []system.Request, process, round int) int32 {
	var list []int32
	for _, q := range given[:len(given)-len(r.own[round*r.n+process])] {
		list = append(list, int32(slices.IndexFunc(r.all, func(known system.Request) bool { return known.ID == q.ID })))
	}
	return r.lists.number(list)
}
