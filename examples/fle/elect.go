package fle

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// elect takes a round of an election: the server ends it, follows a leader that it
// finds, joins a later election, or takes a better vote.
func (v *server) elect(s *system.Step) {
	from, better := v.better()
	leader, found := v.leader()
	later := v.later()
	full := v.heard() == len(servers)-1 && !better && later == 0
	switch {
	case full && found:
		s.Fact("usurps", servers[leader])
		v.end()
	case full:
		v.end()
	case found:
		v.position = position{State: following, Clock: v.queue.position[leader].Clock, Leader: leader}
	case later > 0:
		v.look(later)
	case better:
		v.Vote = v.queue.position[from].Vote
		if v.turns++; v.turns == patience {
			s.Fact("circles", v.Clock)
		}
	case v.agreed():
		v.end()
	}
}

// patience is how often a server may change its vote in an election: three servers that
// have begun an epoch and joined one have no more votes than this, of which each is better
// than the one before.
const patience = 6

// end leads, or follows who the vote is for.
func (v *server) end() {
	if v.Vote.Server == v.number {
		v.position = position{State: leading, Clock: v.Clock, Leader: v.number}
	} else {
		v.position = position{State: following, Clock: v.Clock, Leader: v.Vote.Server}
	}
}

// same tells whether a server takes part in the same election.
func (v *server) same(p position) bool { return p.State == looking && p.Clock == v.Clock }

// better returns the first server with a better vote.
func (v *server) better() (from int, ok bool) {
	for i, p := range v.queue.position {
		if v.same(p) && v.beats(p.Vote, v.Vote) {
			return i, true
		}
	}
	return 0, false
}

// beats tells whether a vote is better: of a later epoch, then with a greater zxid, then
// for the server with the greater number. Unordered, the number decides whatever the
// epochs are.
func (v *server) beats(a, b vote) bool {
	if v.unordered && a.Zxid == b.Zxid && a.Server > b.Server {
		return true
	}
	return slices.Compare([]int{a.Epoch, a.Zxid, a.Server}, []int{b.Epoch, b.Zxid, b.Server}) > 0
}

// leader returns a server that leads, and that another one follows.
func (v *server) leader() (leader int, ok bool) {
	for i, p := range v.queue.position {
		if p.State == leading && slices.ContainsFunc(v.queue.position[:], func(q position) bool { return q.State == following && q.Leader == i }) {
			return i, true
		}
	}
	return 0, false
}

// later returns the latest election that others have begun since, 0 if there is none.
func (v *server) later() (clock int) {
	for _, p := range v.queue.position {
		if p.State == looking && p.Clock > v.Clock {
			clock = max(clock, p.Clock)
		}
	}
	return clock
}

// heard counts the servers that it has heard from: who looks, and as long as all count
// who leads or follows since an election of the same number.
func (v *server) heard() (n int) {
	for _, p := range v.queue.position {
		if v.same(p) || v.countsAll && p.State > looking && p.Clock == v.Clock {
			n++
		}
	}
	return n
}

// agreed tells whether another server has the same vote, which is a majority.
func (v *server) agreed() bool {
	return slices.ContainsFunc(v.queue.position[:], func(p position) bool { return v.same(p) && p.Vote == v.Vote })
}
