package strategies

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// histories numbers sets of facts, as a lens shows them. The empty set has the
// number 0.
type histories struct {
	lens  *search.Lens
	seen  interner
	facts []recording.Fact // by number in seen, the first that looks so
	sets  interner
	lists [][]int32 // by number in sets: the numbers of the facts, ascending
	union map[[2]int32]int32
}

func newHistories(l *search.Lens) *histories {
	h := &histories{lens: l, seen: interner{}, sets: interner{}, union: map[[2]int32]int32{}}
	h.set(nil)
	return h
}

// of returns the set of some facts.
func (h *histories) of(facts []recording.Fact) int32 {
	var numbers []int32
	for _, f := range facts {
		text, ok := h.lens.See(f)
		if !ok {
			continue
		}
		i, fresh := h.seen.number(text)
		if fresh {
			h.facts = append(h.facts, f)
		}
		numbers = append(numbers, i)
	}
	return h.set(numbers)
}

func (h *histories) set(numbers []int32) int32 {
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	i, fresh := h.sets.number(key(numbers...))
	if fresh {
		h.lists = append(h.lists, numbers)
	}
	return i
}

// add returns the union of two sets.
func (h *histories) add(a, b int32) int32 {
	switch {
	case b == 0 || a == b:
		return a
	case a == 0:
		return b
	}
	k := [2]int32{a, b}
	if i, ok := h.union[k]; ok {
		return i
	}
	i := h.set(slices.Concat(h.lists[a], h.lists[b]))
	h.union[k] = i
	return i
}

// text returns the facts of a set.
func (h *histories) text(set int32) string {
	var texts []string
	for _, i := range h.lists[set] {
		texts = append(texts, h.facts[i].String())
	}
	return strings.Join(texts, ", ")
}

// execution returns an execution with the facts of a set.
func (h *histories) execution(s *search.Session, set int32) *recording.Execution {
	e := &recording.Execution{System: s.Name, Bounds: s.Bounds}
	for _, i := range h.lists[set] {
		e.Facts = append(e.Facts, h.facts[i])
	}
	e.Sort()
	return e
}
