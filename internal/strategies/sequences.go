package strategies

// sequences gives equal lists of numbers the same number. The empty list has the
// number 0.
type sequences struct {
	numbers interner
	lists   [][]int32
}

func newSequences() *sequences {
	s := &sequences{numbers: interner{}}
	s.number(nil)
	return s
}

// number returns the number of a list, which may change afterwards.
func (s *sequences) number(list []int32) int32 {
	i, fresh := s.numbers.number(key(list...))
	if fresh {
		s.lists = append(s.lists, append([]int32(nil), list...))
	}
	return i
}
