package hashicorpraft_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/raft"
	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

var abc = []string{"a", "b", "c"}

// transports are the two ways in which servers call each other.
var transports = map[string][]hashicorpraft.Option{"datagrams": nil, "tcp": {hashicorpraft.TCP()}}

// execute executes a schedule, checks all properties, and counts the facts.
func execute(t *testing.T, s *system.System, schedule string) (e *recording.Execution, facts map[string]int) {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err = s.Run(context.Background(), parsed, system.RunOptions{})
	require.NoError(t, err)
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		require.Empty(t, violations)
	}
	facts = map[string]int{}
	for _, f := range e.Facts {
		facts[f.Relation]++
	}
	return e, facts
}

// A cluster elects a leader, writes, reads, and survives the crash and the isolation of
// whoever leads.
func TestCluster(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(transports)) {
		t.Run(name, func(t *testing.T) {
			s := hashicorpraft.System(abc, transports[name]...)
			s.Requests = append(hashicorpraft.Every(abc, 60, 460, 10, hashicorpraft.Value),
				hashicorpraft.Every(abc, 65, 460, 10, func(int) any { return hashicorpraft.Read{} })...)
			s.Properties = append(s.Properties, hashicorpraft.LeaderAfter(100), hashicorpraft.WritesAfter(100))
			_, facts := execute(t, s, "seed 1")
			require.Equal(t, 41, facts["wrote"])
			require.Equal(t, 40, facts["read"])
			require.Equal(t, 3*41, facts["applied"])
			_, facts = execute(t, s, "seed 1; isolate a@100..160; crash b@200; restart b@240; crash c@260; restart c@280")
			require.Greater(t, facts["wrote"], 10)
			require.Greater(t, facts["applied"], 3*facts["wrote"], "who has restarted applies the log again")
		})
	}
}

// Members are added and removed, with and without a vote.
func TestMembers(t *testing.T) {
	all := []string{"a", "b", "c", "d"}
	s := hashicorpraft.System(all, hashicorpraft.Voters(abc...))
	for i, change := range []any{
		hashicorpraft.AddNonvoter{Server: "d"}, hashicorpraft.AddVoter{Server: "d"}, hashicorpraft.DemoteVoter{Server: "d"}, hashicorpraft.Remove{Server: "d"},
	} {
		s.Requests = append(s.Requests, hashicorpraft.Every(all, 80+30*i, 80+30*i, 1, func(int) any { return change })...)
	}
	e, _ := execute(t, s, "seed 1")
	var seen []string
	for _, f := range e.Facts {
		if f.Relation == "configuration" && f.Args[0].Text() == "a" {
			seen = append(seen, f.Args[2].Text()+"|"+f.Args[3].Text())
		}
	}
	require.Equal(t, []string{"a b c|", "a b c|d", "a b c d|", "a b c|d", "a b c|"}, seen)
}

// A server that was away for long gets a snapshot, and a restart begins with one.
func TestSnapshot(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(transports)) {
		t.Run(name, func(t *testing.T) {
			s := hashicorpraft.System(abc, append(transports[name], hashicorpraft.Configure(func(c *raft.Config) { c.TrailingLogs = 1 }))...)
			s.Requests = append(hashicorpraft.Every(abc, 60, 300, 5, hashicorpraft.Value),
				hashicorpraft.Every(abc, 200, 200, 1, func(int) any { return hashicorpraft.Snapshot{} })...)
			e, facts := execute(t, s, "seed 1; crash c@100; restart c@230; crash a@330; restart a@340")
			require.Equal(t, 2, facts["restored"])
			by := map[string]bool{}
			for _, f := range e.Facts {
				if f.Relation == "restored" {
					by[f.Args[0].Text()] = true
				}
			}
			require.Equal(t, map[string]bool{"a": true, "c": true}, by)
		})
	}
}

// Another server is made the leader.
func TestTransfer(t *testing.T) {
	s := hashicorpraft.System(abc)
	s.Requests = hashicorpraft.Every(abc, 100, 300, 100, func(int) any { return hashicorpraft.Transfer{} })
	e, _ := execute(t, s, "seed 1")
	leaders := map[int64]string{}
	for _, f := range e.Facts {
		if f.Relation == "leader" {
			leaders[f.Args[1].Int()] = f.Args[0].Text()
		}
	}
	require.Len(t, leaders, 4, "each transfer begins a term")
}

// What a client asks to verify and to wait for is answered by the leader only.
func TestVerify(t *testing.T) {
	s := hashicorpraft.System(abc)
	s.Requests = append(hashicorpraft.Every(abc, 100, 100, 1, func(int) any { return hashicorpraft.Verify{} }),
		hashicorpraft.Every(abc, 100, 100, 1, func(int) any { return hashicorpraft.Barrier{} })...)
	_, facts := execute(t, s, "seed 1")
	require.Equal(t, 1, facts["verified"])
	require.Equal(t, 1, facts["barrier"])
}

// No crash makes a server forget its vote.
func TestDurable(t *testing.T) {
	s := hashicorpraft.System(abc)
	s.Rounds = 120
	require.NoError(t, s.CheckDurability(context.Background(), 20, 1))
}

// Messages say what they are.
func TestMessages(t *testing.T) {
	s := hashicorpraft.System(abc)
	s.Rounds = 100
	s.Requests = hashicorpraft.Every(abc, 80, 80, 1, hashicorpraft.Value)
	e, _ := execute(t, s, "seed 1")
	texts := map[string]bool{}
	for _, m := range e.Messages {
		texts[m.Args[1].Text()] = true
	}
	require.Contains(t, texts, "AppendEntries heartbeat term 2")
	require.Contains(t, texts, "RequestVote term 2 last 1/1")
	require.Contains(t, texts, "RequestVote ok term 2")
}
