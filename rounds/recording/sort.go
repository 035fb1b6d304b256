package recording

import "slices"

// Sort brings facts and messages into their order, each once.
func (e *Execution) Sort() {
	e.Facts = sorted(e.Facts, order[Fact]{func(f *Fact) int { return f.Round }, compareFacts, Fact.Compare})
	e.Messages = sorted(e.Messages, order[Message]{func(m *Message) int { return m.Round }, compareMessages, Message.compare})
}

// order is that of a list, which begins with the round. The two functions compare
// the same: places do not have to be copied, and copies do not have to be allocated.
type order[T any] struct {
	round  func(*T) int
	places func(a, b *T) int
	copies func(a, b T) int
}

// sorted sorts a list and returns it with each element once. What was recorded is
// mostly in the order of rounds already; then each is sorted on its own, which takes
// a fraction of the time.
func sorted[T any](list []T, o order[T]) []T {
	same := func(a, b T) bool { return o.copies(a, b) == 0 }
	for i := 1; i < len(list); i++ {
		if o.round(&list[i-1]) > o.round(&list[i]) {
			slices.SortFunc(list, o.copies)
			return slices.CompactFunc(list, same)
		}
	}
	twice := false
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && o.round(&list[to]) == o.round(&list[from]) {
			to++
		}
		twice = o.sort(list[from:to]) || twice
		from = to
	}
	if twice {
		return slices.CompactFunc(list, same)
	}
	return list
}

// few is how many elements are inserted one by one.
const few = 32

// sort sorts what is of one round. It tells whether something may be there twice.
func (o *order[T]) sort(list []T) (twice bool) {
	if len(list) > few {
		slices.SortFunc(list, o.copies)
		return true
	}
	for i := range list {
		to, c := i, 1
		for ; to > 0; to-- {
			if c = o.places(&list[to-1], &list[i]); c <= 0 {
				break
			}
		}
		twice = twice || c == 0
		if to < i {
			moved := list[i]
			copy(list[to+1:i+1], list[to:i])
			list[to] = moved
		}
	}
	return twice
}
