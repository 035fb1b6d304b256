package etcd_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// fact returns relation(args...) in a round.
func fact(round int, relation string, args ...any) recording.Fact {
	f := recording.Fact{Relation: relation, Round: round}
	for _, arg := range args {
		switch a := arg.(type) {
		case int:
			f.Args = append(f.Args, specs.Int(int64(a)))
		case string:
			f.Args = append(f.Args, specs.String(a))
		}
	}
	return f
}

// check returns the texts of what is violated in an execution of 100 rounds.
func check(t *testing.T, p property.Property, schedule string, facts ...recording.Fact) []string {
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 100}, Schedule: s, Facts: facts}
	e.Sort()
	violations, err := p.Check(e)
	require.NoError(t, err)
	var texts []string
	for _, v := range violations {
		texts = append(texts, v.Text)
	}
	return texts
}

func TestOneLeader(t *testing.T) {
	require.Empty(t, check(t, etcd.OneLeader, "", fact(1, "leader", "a", 1), fact(2, "leader", "a", 1), fact(3, "leader", "b", 2)))
	require.Equal(t, []string{`leader("a", 1)@1, and leader("b", 1)@2`},
		check(t, etcd.OneLeader, "", fact(1, "leader", "a", 1), fact(2, "leader", "b", 1)))
}

func TestOneLog(t *testing.T) {
	require.Empty(t, check(t, etcd.OneLog, "", fact(1, "committed", "a", 1, 1, "x"), fact(2, "committed", "b", 1, 1, "x"), fact(3, "committed", "b", 2, 1, "y")))
	require.Len(t, check(t, etcd.OneLog, "", fact(1, "committed", "a", 1, 1, "x"), fact(2, "committed", "b", 1, 1, "y")), 1)
	require.Len(t, check(t, etcd.OneLog, "", fact(1, "committed", "a", 1, 1, "x"), fact(2, "committed", "b", 1, 2, "x")), 1)
}

// A read is stale if it misses what was committed before it was asked for, and
// not if it misses what was committed later, or in the same round.
func TestFreshReads(t *testing.T) {
	read := []recording.Fact{fact(5, "request", "b", 1, "read"), fact(8, "read", "b", 1, 2)}
	require.Empty(t, check(t, etcd.FreshReads, "", append(read, fact(4, "committed", "a", 2, 1, "x"), fact(5, "committed", "a", 3, 1, "y"), fact(5, "committed", "a", 4, 1, "z"))...))
	require.Equal(t, []string{"a had committed index 3 in round 4; a client asked b to read in round 5, and was told index 2 in round 8"},
		check(t, etcd.FreshReads, "", append(read, fact(4, "committed", "a", 3, 1, "x"), fact(5, "committed", "a", 4, 1, "y"))...))
}

// A leader that does not ask the others answers in the round of the request.
func TestFreshReadsAtOnce(t *testing.T) {
	require.Equal(t, []string{"a had committed index 3 in round 4; a client asked b to read in round 5, and was told index 2 in round 5"},
		check(t, etcd.FreshReads, "", fact(4, "committed", "a", 3, 1, "x"), fact(5, "request", "b", 1, "read"), fact(5, "read", "b", 1, 2)))
}

// A leader that was removed, or is a learner, answers from what it knows.
func TestFreshReadsFromOutside(t *testing.T) {
	stale := []recording.Fact{fact(14, "committed", "a", 3, 1, "x"), fact(15, "request", "b", 1, "read"), fact(17, "read", "b", 1, 2)}
	leads := func(round int) []recording.Fact {
		return join(configured(1, "c", 1, 1, "a", "b", "c"), configured(10, "c", 1, 2, "a", "b"), fact(round, "leader", "c", 1))
	}
	require.Empty(t, check(t, etcd.FreshReads, "", join(stale, leads(16))...))
	require.Len(t, check(t, etcd.FreshReads, "", join(stale, leads(9))...), 1, "c was a member")
	require.Len(t, check(t, etcd.FreshReads, "", join(stale, leads(14))...), 1, "before the request")
}

func TestLeaderAfter(t *testing.T) {
	p := etcd.LeaderAfter(80)
	require.Empty(t, check(t, p, "crash a@5", fact(100, "leader", "b", 1)))
	require.Equal(t, []string{`["b" "c"] are up and connected since round 6, and have no leader in round 100`},
		check(t, p, "crash a@5", fact(99, "leader", "b", 1)))
	require.Empty(t, check(t, p, "crash a@30"), "too late for an election")
	require.Empty(t, check(t, p, "isolate a@10..21"), "too late for an election")
	require.Empty(t, check(t, p, "crash a@5; crash b@5"), "no majority is up")
	require.Len(t, check(t, p, "crash a@5; crash b@5; restart b@9"), 1)
	require.Len(t, check(t, p, "crash a@5; crash b@5; restart b@5"), 1)
	require.Empty(t, check(t, p, "crash a@5; crash b@3; restart b@5; crash b@5/sent"), "b crashes again while it comes back")
	require.Len(t, check(t, p, "crash a@5; crash b@3; restart b@5; crash b@5/sent; restart b@6"), 1)
}
