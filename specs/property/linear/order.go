package linear

import (
	"reflect"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// searching is the search for an order of some requests in which the model gives
// the replies that they got. It goes on from states that were not met before, as Wing
// and Gong, and Lowe, do it. A request that was answered comes before the later ones of
// its group: that is all requests, those of one client, or itself alone.
//
// A request without a reply need not be in the order. So a state that is met again
// after the same requests with a reply, and after all those without one that were
// needed the first time, leads nowhere where the first did not. The search takes
// requests without a reply only when it comes no further with those that are in the order.
type searching struct {
	model      porcupine.Model
	operations []porcupine.Operation
	group      []int   // of each operation
	twin       []int   // which may as well come before it; none if there is none
	first      []int64 // by group: see firstReplies
	until      time.Time
	late       bool // the time was up before the end

	longest *beginning // the one with most replies so far
	met     map[met][]*beginning
}

// beginning is the beginning of an order.
type beginning struct {
	before *beginning
	last   int  // the request that it ends with
	placed bits // its requests with a reply
	used   bits // those without
	left   int  // how many requests with a reply are missing from it
	state  any
}

// met is what the index of states has: the requests with a reply, and the state as
// far as it can be an index.
type met struct {
	placed string
	state  any
}

// bits is a set of numbers.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// and returns the set with one more number.
func (b bits) and(i int) bits {
	more := slices.Clone(b)
	more[i/64] |= 1 << (i % 64)
	return more
}

// within tells whether the set is a part of another.
func (b bits) within(o bits) bool {
	for i := range b {
		if b[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

func (b bits) text() string {
	text := make([]byte, 0, 8*len(b))
	for _, word := range b {
		for i := range 8 {
			text = append(text, byte(word>>(8*i)))
		}
	}
	return string(text)
}

func newSearching(model porcupine.Model, operations []porcupine.Operation, kept consistency, until time.Time) *searching {
	s := &searching{model: model, operations: operations, until: until, met: map[met][]*beginning{}}
	for i, op := range operations {
		group := kept.group(i, op)
		s.group = append(s.group, group)
		for len(s.first) <= group {
			s.first = append(s.first, 0)
		}
	}
	for i := range operations {
		s.twin = append(s.twin, s.twinOf(i, kept.timeless))
	}
	return s
}

// twinOf returns a request before this one that asks and gets the same, and was neither
// asked for nor answered later: where they stand the other way round they can change
// places.
func (s *searching) twinOf(i int, timeless bool) int {
	a := s.operations[i]
	if a.Output == nil || !equatable(a.Input) || !equatable(a.Output) {
		return none
	}
	for j, b := range slices.Backward(s.operations[:i]) {
		if same := b.Input == a.Input && b.Output == a.Output; same && (timeless || s.group[i] == s.group[j] && b.Call <= a.Call && b.Return <= a.Return) {
			return j
		}
	}
	return none
}

func equatable(v any) bool { return v == nil || reflect.ValueOf(v).Comparable() }

// find looks for an order.
func (s *searching) find() bool {
	words := len(s.operations)/64 + 1
	first := &beginning{last: -1, placed: make(bits, words), used: make(bits, words), state: s.model.Init()}
	for _, op := range s.operations {
		if op.Output != nil {
			first.left++
		}
	}
	s.longest = first
	now, later := []*beginning{first}, []*beginning(nil)
	for steps := 1; len(now) > 0; steps++ {
		b := now[len(now)-1]
		now = now[:len(now)-1]
		if b.left < s.longest.left {
			s.longest = b
		}
		if b.left == 0 {
			return true
		}
		if steps%256 == 0 && time.Now().After(s.until) {
			s.late = true
			return false
		}
		if !s.again(b) {
			more, others := s.further(b)
			now, later = append(now, more...), append(later, others...)
		}
		if len(now) == 0 {
			now, later = later, nil
		}
	}
	return false
}

// further returns the orders with one more request, those with a reply apart.
func (s *searching) further(b *beginning) (answered, others []*beginning) {
	s.firstReplies(b)
	for i, op := range slices.Backward(s.operations) { // so that the first is the next
		if first := s.first[s.group[i]]; first != none && op.Call > first || b.placed.has(i) || b.used.has(i) {
			continue
		}
		if twin := s.twin[i]; twin != none && !b.placed.has(twin) {
			continue
		}
		ok, state := s.model.Step(b.state, op.Input, op.Output)
		switch {
		case !ok:
		case op.Output != nil:
			answered = append(answered, &beginning{b, i, b.placed.and(i), b.used, b.left - 1, state})
		default:
			others = append(others, &beginning{b, i, b.placed, b.used.and(i), b.left, state})
		}
	}
	return answered, others
}

// none is a request that there is not, and when its reply comes.
const none = -1

// firstReplies finds when the first of the replies of each group came that are missing
// from an order: what is asked after it comes after its request.
func (s *searching) firstReplies(b *beginning) {
	for group := range s.first {
		s.first[group] = none
	}
	for i, op := range s.operations {
		first := &s.first[s.group[i]]
		if op.Output != nil && !b.placed.has(i) && (*first == none || op.Return < *first) {
			*first = op.Return
		}
	}
}

// again tells whether a state was met before, after no more requests; if not, it is
// from now on.
func (s *searching) again(b *beginning) bool {
	key := met{b.placed.text(), s.index(b.state)}
	for _, old := range s.met[key] {
		if old.used.within(b.used) && s.equal(old.state, b.state) {
			return true
		}
	}
	s.met[key] = append(s.met[key], b)
	return false
}

// order returns the requests of a beginning.
func (b *beginning) order() []int {
	var all []int
	for ; b.before != nil; b = b.before {
		all = append(all, b.last)
	}
	slices.Reverse(all)
	return all
}

func (s *searching) index(state any) any {
	switch t := reflect.TypeOf(state); {
	case s.model.Hash != nil:
		return s.model.Hash(state)
	case s.model.Equal == nil && t != nil && t.Comparable():
		return state
	default:
		return nil
	}
}

func (s *searching) equal(a, b any) bool {
	if s.model.Equal == nil {
		return a == b
	}
	return s.model.Equal(a, b)
}
