package etcdraft

import (
	"math"
	"slices"

	"go.etcd.io/raft/v3"
)

// targets are the rows of Table 4.4 for etcd, with the waypoints of the published code; the
// last one is the target. Where text and code differ, this is the code: TermDiff is more
// than 2, and MinCommit is of any process.
var targets = []target{
	{"LogCommitGap(3)", [4]int{4717, 5692, 6411, 13336}, 2.8, 5.6, []predicate{logGap(1), logGap(2), logGap(3), commitGap(3)}},
	{"OneInTerm(4)", [4]int{25309, 29545, 29739, 33011}, 1.3, 1.3, []predicate{inTerm(2), inTerm(3), inTerm(4)}},
	{"MinCommit(2)", [4]int{21765, 25015, 24031, 29862}, 1.4, 1.4, []predicate{committed(1), both(committed(1), inRole(raft.StateLeader)), committed(2)}},
	{"TermDiff(2)", [4]int{4879, 4673, 7792, 15289}, 3.1, 6.2, []predicate{termsApart(3)}},
	{"LeaderInTerm(4)", [4]int{9571, 10684, 11171, 15727}, 1.6, 1.6, []predicate{inTerm(3), leaderIn(4)}},
	{"AtLeastOneCommitInTerm(2)", [4]int{23903, 28169, 25863, 32709}, 1.4, 1.4, []predicate{inTerm(2), leaderIn(2), commitIn(2)}},
	{"OneLeaderOneCandidate", [4]int{29021, 36178, 32891, 35403}, 1.25, 1.25, []predicate{inRole(raft.StateLeader), termsApart(2), both(inRole(raft.StateLeader), inRole(raft.StateCandidate))}},
	{"LogGap(2)", [4]int{27445, 31372, 33040, 37832}, 1.4, 1.4, []predicate{logGap(1), logGap(2)}},
	{"AllInTerm(5)", [4]int{6682, 8202, 7888, 10346}, 1.55, 3.1, []predicate{fromTerm(3), fromTerm(5), allFromTerm(5)}},

	// The other reading of three rows.
	{"MinCommit(2), of all", [4]int{21765, 25015, 24031, 29862}, 0, 0, []predicate{committed(1), committed(2), allCommitted(2)}},
	{"TermDiff(2), 2 and more", [4]int{4879, 4673, 7792, 15289}, 0, 0, []predicate{termsApart(2)}},
	{"AllInTerm(5), exactly", [4]int{6682, 8202, 7888, 10346}, 0, 0, []predicate{inTerm(3), inTerm(5), allInTerm(5)}},
}

// target is what executions are to come to, and to explore then.
type target struct {
	name      string
	published [4]int  // states: random, bonus, negrl, waypoint
	best      float64 // the best published ratio to random; 0: none
	wanted    float64 // the ratio that is asked for
	waypoints []predicate
}

func (t *target) last() predicate { return t.waypoints[len(t.waypoints)-1] }

// highest is the highest waypoint that holds, from 1; 0 if none does.
func (t *target) highest(w *world) int {
	for i := len(t.waypoints); i > 0; i-- {
		if t.waypoints[i-1](w) {
			return i
		}
	}
	return 0
}

// predicate is something about the nodes. Of those that are down it sees what they were.
type predicate func(*world) bool

func both(a, b predicate) predicate { return func(w *world) bool { return a(w) && b(w) } }

// some is a predicate of one node.
func some(is func(p *placed) bool) predicate {
	return func(w *world) bool { return slices.ContainsFunc(w.nodes, is) }
}

// all is a predicate of all nodes that have a term: one that has come back has none at first.
func all(is func(p *placed) bool) predicate {
	return func(w *world) bool {
		return !slices.ContainsFunc(w.nodes, func(p *placed) bool { return p.term() > 0 && !is(p) })
	}
}

func inTerm(t uint64) predicate      { return some(func(p *placed) bool { return p.term() == t }) }
func fromTerm(t uint64) predicate    { return some(func(p *placed) bool { return p.term() >= t }) }
func allInTerm(t uint64) predicate   { return all(func(p *placed) bool { return p.term() == t }) }
func allFromTerm(t uint64) predicate { return all(func(p *placed) bool { return p.term() >= t }) }

func inRole(r raft.StateType) predicate {
	return some(func(p *placed) bool { return p.status.RaftState == r })
}

func leaderIn(t uint64) predicate {
	return some(func(p *placed) bool { return p.status.RaftState == raft.StateLeader && p.term() == t })
}

// committed counts the entries behind those that added the members.
func committed(n int) predicate { return some(func(p *placed) bool { return p.commits() >= n }) }

func allCommitted(n int) predicate { return all(func(p *placed) bool { return p.commits() >= n }) }

func (p *placed) commits() int { return int(number(p.status.Commit)) - 3 }

// certain is the part of the log that is committed.
func (p *placed) certain() []byte { return p.log[:min(len(p.log), int(number(p.status.Commit)))] }

func commitIn(t byte) predicate {
	return some(func(p *placed) bool { return slices.Contains(p.certain(), t) })
}

func termsApart(n uint64) predicate {
	return func(w *world) bool {
		least, most := uint64(math.MaxUint64), uint64(0)
		for _, p := range w.nodes {
			if t := p.term(); t > 0 {
				least, most = min(least, t), max(most, t)
			}
		}
		return most >= least && most-least >= n
	}
}

func logGap(n int) predicate { return apartBy(n, func(p *placed) int { return len(p.log) }) }

func commitGap(n int) predicate {
	return apartBy(n, func(p *placed) int { return len(p.certain()) })
}

func apartBy(n int, size func(*placed) int) predicate {
	return func(w *world) bool {
		least, most := math.MaxInt, 0
		for _, p := range w.nodes {
			least, most = min(least, size(p)), max(most, size(p))
		}
		return least > 0 && most-least >= n
	}
}
