package strategies

import (
	"encoding/binary"
)

// interner numbers texts from 0; equal texts have the same number.
type interner map[string]int32

// number returns the number of a text, and whether it is new.
func (n interner) number(text string) (int32, bool) {
	if i, ok := n[text]; ok {
		return i, false
	}
	i := int32(len(n))
	n[text] = i
	return i, true
}

// text returns the text with a number. It is slow.
func (n interner) text(number int32) string {
	for text, i := range n {
		if i == number {
			return text
		}
	}
	return ""
}

// all returns all texts, by their numbers.
func (n interner) all() []string {
	texts := make([]string, len(n))
	for text, i := range n {
		texts[i] = text
	}
	return texts
}

// key packs numbers into a comparable thing.
func key(numbers ...int32) string { return string(pack(nil, numbers...)) }

func pack(b []byte, numbers ...int32) []byte {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// sequences numbers lists of numbers; equal lists have the same number. The empty list has
// the number 0.
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

// unpack returns the numbers of a key.
func unpack(key string) []int32 {
	numbers := make([]int32, len(key)/4)
	for i := range numbers {
		numbers[i] = int32(binary.LittleEndian.Uint32([]byte(key[4*i:])))
	}
	return numbers
}
