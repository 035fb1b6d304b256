package etcd_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// configured returns what a process reports in a round of a configuration in which
// these vote, with its term.
func configured(round int, process string, term, index int, voters ...string) []recording.Fact {
	facts := []recording.Fact{fact(round, "role", process, "follower", term)}
	for _, v := range voters {
		facts = append(facts, fact(round, "voter", process, index, v))
	}
	return facts
}

func join(lists ...any) (all []recording.Fact) {
	for _, l := range lists {
		switch l := l.(type) {
		case recording.Fact:
			all = append(all, l)
		case []recording.Fact:
			all = append(all, l...)
		}
	}
	return all
}

// b had gone on from a b c to c d e when a is elected by those whom it knows.
func TestNoTwoMajorities(t *testing.T) {
	changed := join(configured(1, "a", 1, 3, "a", "b", "c"), configured(20, "c", 1, 5, "c", "d", "e"))
	require.Equal(t, []string{`a leads term 2 from round 30 on with the configuration of index 3, [a b c], and c had applied that of index 5, [c d e], in round 20, in a lower term: they have majorities without a common process`},
		check(t, etcd.NoTwoMajorities, "", join(changed, fact(30, "leader", "a", 2))...))
	require.Empty(t, check(t, etcd.NoTwoMajorities, "", join(changed, fact(30, "leader", "a", 1))...), "its term was over, which it did not know")
	require.Empty(t, check(t, etcd.NoTwoMajorities, "", join(changed, configured(30, "a", 2, 5, "c", "d", "e"), fact(30, "leader", "a", 2))...),
		"which of the two it had in its first round is not known")
	require.Empty(t, check(t, etcd.NoTwoMajorities, "", join(configured(1, "a", 1, 3, "a", "b", "c"),
		configured(20, "c", 1, 5, "a", "b", "c", "d"), fact(30, "leader", "a", 2))...), "one more changes no majority that much")
	joint := join(configured(20, "c", 1, 5, "c", "d", "e"), fact(20, "outgoing", "c", 5, "a"), fact(20, "outgoing", "c", 5, "b"), fact(20, "outgoing", "c", 5, "c"))
	require.Empty(t, check(t, etcd.NoTwoMajorities, "", join(configured(1, "a", 1, 3, "a", "b", "c"), joint, fact(30, "leader", "a", 2))...),
		"a joint configuration needs the old majority as well")
}

func TestLearnersNeverLead(t *testing.T) {
	learns := join(configured(1, "a", 1, 3, "b", "c"), fact(1, "learner", "a", 3, "a"))
	require.Equal(t, []string{`a leads term 2 from round 9 on, though it is a learner in the configuration of index 3, which it applied in round 1`},
		check(t, etcd.LearnersNeverLead, "", join(learns, fact(9, "leader", "a", 2))...))
	require.Empty(t, check(t, etcd.LearnersNeverLead, "", join(learns, configured(5, "a", 1, 4, "a", "b", "c"), fact(9, "leader", "a", 2))...), "it was promoted")
	require.Empty(t, check(t, etcd.LearnersNeverLead, "", join(fact(1, "voter", "a", 2, "a"), fact(2, "leader", "a", 2),
		configured(5, "a", 2, 4, "b"), fact(5, "learner", "a", 4, "a"), fact(9, "leader", "a", 2))...), "it led already")
}

func TestLeavesJoint(t *testing.T) {
	p := etcd.LeavesJoint(20)
	joint := func(round int, how string) []recording.Fact {
		return join(configured(round, "a", 1, 5, "a"), fact(round, "joint", "a", 5, how),
			fact(round, "outgoing", "a", 5, "a"), fact(round, "outgoing", "a", 5, "b"), fact(round, "outgoing", "a", 5, "c"), fact(100, "leader", "a", 2))
	}
	require.Len(t, check(t, p, "", joint(50, "implicit")...), 1)
	require.Empty(t, check(t, p, "", joint(50, "explicit")...), "a client has to")
	require.Empty(t, check(t, p, "", joint(90, "implicit")...), "it has just been entered")
	require.Empty(t, check(t, p, "isolate a@70..81", joint(50, "implicit")...), "something has just happened")
	require.Empty(t, check(t, p, "crash b@50; crash c@50", joint(50, "implicit")...), "the old majority is not up")
	require.Empty(t, check(t, p, "", join(joint(50, "implicit"), configured(60, "a", 1, 6, "a"))...), "it was left")
	ahead := join(fact(60, "role", "b", "candidate", 7), fact(61, "role", "c", "candidate", 8))
	require.Empty(t, check(t, p, "", join(joint(50, "implicit"), ahead)...), "the others are in higher terms")
	require.Len(t, check(t, p, "", join(joint(50, "implicit"), ahead[:1])...), 1)
	require.Empty(t, check(t, p, "", join(configured(50, "a", 1, 5, "b"), fact(50, "joint", "a", 5, "implicit"),
		fact(50, "outgoing", "a", 5, "c"), fact(100, "leader", "a", 2))...), "the leader is no member, and cannot")
}

// With configurations, majorities are those of their voters.
func TestLeaderAfterChanges(t *testing.T) {
	p := etcd.LeaderAfter(80)
	require.Len(t, check(t, p, "crash a@5; crash b@5", configured(9, "c", 1, 3, "c")...), 1)
	require.Empty(t, check(t, p, "crash a@5", configured(3, "b", 1, 3, "a", "b")...), "a and b are needed")
	require.Empty(t, check(t, p, "crash a@5", join(configured(3, "b", 1, 4, "b"), configured(3, "c", 1, 3, "a", "c"))...), "c does not know better")
	require.Len(t, check(t, p, "crash a@5", join(configured(1, "a", 1, 3, "a", "b", "c"), configured(1, "b", 1, 3, "a", "b", "c"), configured(1, "c", 1, 3, "a", "b", "c"))...), 1)
	require.Empty(t, check(t, p, "", join(configured(9, "b", 1, 4, "c"), fact(9, "learner", "b", 4, "b"), configured(3, "c", 1, 3, "b", "c"))...),
		"c needs the vote of b, which is a learner, and may have a longer log")
	require.Empty(t, check(t, p, "crash a@5", join(configured(3, "a", 1, 4, "a", "b", "c"), configured(3, "b", 1, 4, "a", "b", "c"))...),
		"c does not know yet that it votes, and may have any log")
	unaware := func(index, term int) []recording.Fact {
		return join(configured(3, "a", 1, 4, "a", "b", "c"), configured(3, "b", 1, 4, "a", "b", "c"),
			fact(3, "committed", "b", 4, 1, "voter c"), fact(100, "log", "c", index, term))
	}
	require.Len(t, check(t, p, "crash a@5", unaware(3, 1)...), 1, "c votes for b though it does not know that it votes")
	require.Len(t, check(t, p, "crash a@5", unaware(4, 1)...), 1)
	require.Empty(t, check(t, p, "crash a@5", unaware(5, 1)...), "the log of c may be longer than that of b")
	require.Empty(t, check(t, p, "crash a@5", unaware(2, 2)...))
	require.Empty(t, check(t, p, "crash a@5; crash c@5", unaware(3, 1)...))
}
