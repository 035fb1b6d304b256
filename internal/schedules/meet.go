package schedules

import (
	"sync"

	"github.com/lineage-driven/ldfi/rounds"
)

// mostTries limits the schedules that are drawn until one meets the assumptions of the
// bounds. If none does, faults of the last schedule are left out, one after the other,
// until it does.
const mostTries = 1000

// meeting keeps the assumptions of bounds about the messages of each round.
type meeting struct{ idle sync.Pool }

// newMeeting returns nil if the bounds have no assumptions.
func newMeeting(u *Universe) *meeting {
	if networkOf(u.bounds) == nil {
		return nil
	}
	return &meeting{sync.Pool{New: func() any { return u.thinning() }}}
}

// Meet draws schedules until one meets the assumptions about each round: each schedule
// that does has at least its probability in draw. After many vain attempts, faults of
// the last schedule are left out.
func (u *Universe) Meet(r Numbers, draw func() rounds.Schedule) rounds.Schedule {
	if u.meeting == nil {
		return draw()
	}
	t := u.meeting.idle.Get().(*thinning)
	defer u.meeting.idle.Put(t)
	s := draw()
	for range mostTries {
		if t.meets(s) {
			return s
		}
		s = draw()
	}
	return t.thin(r, s)
}

// Thin leaves random faults out of s until it meets the assumptions about each round.
func (u *Universe) Thin(r Numbers, s rounds.Schedule) rounds.Schedule {
	if u.meeting == nil {
		return s
	}
	t := u.meeting.idle.Get().(*thinning)
	defer u.meeting.idle.Put(t)
	return t.thin(r, s)
}

func (t *thinning) thin(r Numbers, s rounds.Schedule) rounds.Schedule {
	for len(s.Faults) > 0 && !t.meets(s) {
		s = WithoutTurn(s, r.IntN(len(s.Faults)))
	}
	return s
}
