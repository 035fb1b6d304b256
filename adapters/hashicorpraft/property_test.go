package hashicorpraft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// recorded returns an execution of a, b and c with facts.
func recorded(eot int, facts ...recording.Fact) *recording.Execution {
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: abc, EOT: eot}, Facts: slices.Clone(facts)}
	e.Sort()
	return e
}

func fact(round int, relation string, args ...any) recording.Fact {
	f := recording.Fact{Relation: relation, Round: round}
	for _, a := range args {
		if n, ok := a.(int); ok {
			f.Args = append(f.Args, specs.Int(int64(n)))
		} else {
			f.Args = append(f.Args, specs.String(a.(string)))
		}
	}
	return f
}

// violates tells which texts a property says of facts.
func violates(t *testing.T, p property.Property, e *recording.Execution) string {
	t.Helper()
	violations, err := p.Check(e)
	require.NoError(t, err)
	var texts []string
	for _, v := range violations {
		texts = append(texts, v.Text)
	}
	return strings.Join(texts, "\n")
}

func TestOneLeader(t *testing.T) {
	facts := []recording.Fact{fact(5, "leader", "a", 2), fact(6, "leader", "a", 2), fact(6, "leader", "b", 3)}
	require.Empty(t, violates(t, hashicorpraft.OneLeader, recorded(9, facts...)))
	require.Contains(t, violates(t, hashicorpraft.OneLeader, recorded(9, append(facts, fact(7, "leader", "c", 3))...)), `leader("b", 3)`)
}

func TestNonvotersNeverLead(t *testing.T) {
	facts := []recording.Fact{
		fact(1, "configuration", "a", 1, "a b c", "d"), fact(1, "configuration", "d", 1, "a b c", "d"),
		fact(5, "leader", "a", 2), fact(6, "configuration", "a", 9, "b c", "a"), fact(6, "leader", "a", 2),
	}
	require.Empty(t, violates(t, hashicorpraft.NonvotersNeverLead, recorded(9, facts...)), "a lost its vote while it led")
	require.Contains(t, violates(t, hashicorpraft.NonvotersNeverLead, recorded(9, append(facts, fact(8, "leader", "d", 3))...)), "d leads term 3 from round 8 on without a vote")
	require.NotEmpty(t, violates(t, hashicorpraft.NonvotersNeverLead, recorded(9, append(facts, fact(8, "leader", "a", 3))...)))
}

func TestOneLog(t *testing.T) {
	facts := []recording.Fact{
		fact(5, "applied", "a", 4, 2, "x", 100), fact(6, "applied", "b", 4, 2, "x", 100),
		fact(7, "applied", "a", 5, 2, "y", 200), fact(8, "restored", "c", 5, 200),
	}
	require.Empty(t, violates(t, hashicorpraft.OneLog, recorded(9, facts...)))
	require.NotEmpty(t, violates(t, hashicorpraft.OneLog, recorded(9, append(facts, fact(8, "applied", "b", 5, 3, "z", 300))...)))
	require.NotEmpty(t, violates(t, hashicorpraft.OneLog, recorded(9, append(facts, fact(9, "restored", "b", 5, 300))...)))
}

func TestFreshReads(t *testing.T) {
	told := func(answer int) *recording.Execution {
		return recorded(20,
			fact(5, "request", "a", 1, "apply x"), fact(7, "wrote", "a", 1, 10),
			fact(8, "request", "b", 2, "read"), fact(9, "read", "b", 2, answer),
			fact(7, "request", "b", 3, "read"), fact(9, "read", "b", 3, 9)) // asked in the round of the answer
	}
	require.Empty(t, violates(t, hashicorpraft.FreshReads, told(10)))
	require.Equal(t, "a told a client of index 10 in round 7; a client asked b to read in round 8, and was told of index 9 in round 9",
		violates(t, hashicorpraft.FreshReads, told(9)))
}

// living returns an execution of 100 rounds in which all servers are up, and a leads
// in these.
func living(led func(round int) bool) []recording.Fact {
	var facts []recording.Fact
	for _, p := range abc {
		facts = append(facts, fact(1, "configuration", p, 1, "a b c", ""))
	}
	for round := 1; round <= 100; round++ {
		for _, p := range abc {
			facts = append(facts, fact(round, "role", p, "follower", 2))
		}
		if led(round) {
			facts = append(facts, fact(round, "leader", "a", 2))
		}
	}
	return facts
}

func TestLeaderAfter(t *testing.T) {
	always, sometimes := living(func(int) bool { return true }), living(func(round int) bool { return round%3 == 0 })
	p := hashicorpraft.LeaderAfter(40)
	require.Empty(t, violates(t, p, recorded(100, always...)))
	require.Contains(t, violates(t, p, recorded(100, sometimes...)), `["a" "b" "c"] are up and connected since round 1, and of the last 20 rounds only 7 have a leader`)
	require.Empty(t, violates(t, p, recorded(100, append(sometimes, fact(70, "request", "a", 1, "transfer"))...)), "something has happened")
	require.NotEmpty(t, violates(t, p, recorded(100, append(sometimes, fact(70, "request", "a", 1, "apply x"))...)), "nothing that could cost a leader")
	require.Empty(t, violates(t, p, recorded(100, append(sometimes, fact(50, "configuration", "b", 7, "a d e", ""))...)), "b goes by voters that are not up")
	e := recorded(100, sometimes...)
	e.Schedule.Faults = []rounds.Fault{{Kind: rounds.Isolate, Process: "a", Round: 61, Until: 80}}
	require.Empty(t, violates(t, p, e), "too late to elect")
}

func TestWritesAfter(t *testing.T) {
	p := hashicorpraft.WritesAfter(40)
	facts := append(living(func(int) bool { return true }),
		fact(10, "request", "a", 1, "apply x"), fact(50, "request", "a", 2, "apply y"), fact(55, "request", "b", 3, "apply z"))
	require.Contains(t, violates(t, p, recorded(100, facts...)), "a is the leader; of 1 values that it was asked to write from round 50 on it has written none")
	require.NotEmpty(t, violates(t, p, recorded(100, append(facts, fact(11, "wrote", "a", 1, 5))...)))
	require.Empty(t, violates(t, p, recorded(100, append(facts, fact(60, "wrote", "a", 2, 5))...)))
	short := append(living(func(round int) bool { return round < 60 }), fact(50, "request", "a", 2, "apply y"))
	require.Empty(t, violates(t, p, recorded(100, short...)), "it does not stay the leader")
}
