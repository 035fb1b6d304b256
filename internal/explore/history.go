package explore

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// state is the part that can be undone. It is not changed, but replaced.
type state struct {
	schedule rounds.Schedule
	locks    []Lock
}

func (s state) equal(o state) bool {
	return s.schedule.String() == o.schedule.String() && slices.Equal(s.locks, o.locks)
}

// history has the current state, the states before it, and those that were undone.
type history struct {
	now          state
	past, future []state
}

// move makes another state the current one. What was undone is forgotten.
func (h *history) move(to state) {
	if to.equal(h.now) {
		return
	}
	h.past, h.future, h.now = append(h.past, h.now), nil, to
}

// Undo goes back by one change, and tells whether there was one.
func (h *history) Undo() bool { return h.step(&h.past, &h.future) }

// Redo takes back an Undo.
func (h *history) Redo() bool { return h.step(&h.future, &h.past) }

func (h *history) step(from, to *[]state) bool {
	last := len(*from) - 1
	if last < 0 {
		return false
	}
	*to = append(*to, h.now)
	h.now, *from = (*from)[last], (*from)[:last]
	return true
}
