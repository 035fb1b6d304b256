package recording

import "slices"

// Sort sorts facts and messages, and removes duplicates.
func (e *Execution) Sort() {
	e.Facts = sorted(e.Facts, order[Fact]{func(f *Fact) int { return f.Round }, func(f *Fact) uint64 { return leading(f.Relation) }, compareFacts, Fact.Compare})
	e.Messages = sorted(e.Messages, order[Message]{func(m *Message) int { return m.Round }, func(m *Message) uint64 { return leading(m.From) }, compareMessages, Message.compare})
}

// order is that of a list: by round, then by a number, and then as the two functions
// say, which compare the same: places do not have to be copied, and copies do not
// have to be allocated.
type order[T any] struct {
	round  func(*T) int
	number func(*T) uint64 // most of what is compared has another
	places func(a, b *T) int
	copies func(a, b T) int
}

// leading returns the first 8 bytes of a text as a number: one that is less belongs
// to a text that is.
func leading(text string) (number uint64) {
	for i := range min(len(text), 8) {
		number |= uint64(text[i]) << (56 - 8*i)
	}
	return number
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
	var numbers [few]uint64
	for i := range list {
		number := o.number(&list[i])
		to := i
		for ; to > 0 && numbers[to-1] >= number; to-- {
			if numbers[to-1] == number {
				if c := o.places(&list[to-1], &list[i]); c <= 0 {
					twice = twice || c == 0
					break
				}
			}
		}
		if to < i {
			moved := list[i]
			copy(list[to+1:i+1], list[to:i])
			copy(numbers[to+1:i+1], numbers[to:i])
			list[to] = moved
		}
		numbers[to] = number
	}
	return twice
}
