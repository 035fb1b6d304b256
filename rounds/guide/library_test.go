package guide

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// derived returns what a relation of the library has when processes report facts in round 1.
func derived(t *testing.T, relation string, facts ...recording.Fact) []string {
	t.Helper()
	head := library[relation][:strings.Index(library[relation], ")")+1]
	columns := strings.Split(strings.TrimSuffix(head[strings.Index(head, "(")+1:], ")"), ", ")
	g, err := Parse("one.mg", fmt.Sprintf("waypoint(1, R) :- %s(%s, R), round(R).", relation, strings.Join(slices.Repeat([]string{"_"}, len(columns)-1), ", ")))
	if len(columns) == 1 {
		g, err = Parse("one.mg", fmt.Sprintf("waypoint(1, R) :- %s(R), round(R).", relation))
	}
	require.NoError(t, err, relation)
	r, err := g.NewRun(boundsOf(2), nil)
	require.NoError(t, err, relation)
	_, err = r.Decide(t.Context(), Past{}, nil)
	require.NoError(t, err)
	_, err = r.End(t.Context(), Past{Facts: facts})
	require.NoError(t, err)
	var rows []string
	for _, row := range r.way.Rows(r.way.Relation(relation), 0) {
		var texts []string
		for _, v := range row[:len(row)-1] {
			texts = append(texts, v.Text())
		}
		require.Equal(t, specs.Int(1), row[len(row)-1])
		rows = append(rows, strings.Join(texts, " "))
	}
	slices.Sort(rows)
	return rows
}

// The predicates of the literature, in a state of Raft in which a leads in term 2, b is a
// candidate in term 3, and c follows in term 2 with the log of a up to its first entry.
func TestPredicatesOfRaft(t *testing.T) {
	state := []recording.Fact{
		fact("term", "a", 2, 1), fact("term", "b", 3, 1), fact("term", "c", 2, 1),
		fact("role", "a", "leader", 1), fact("role", "b", "candidate", 1), fact("role", "c", "follower", 1),
		fact("log", "a", 1, 1, 1), fact("log", "a", 2, 2, 1), fact("log", "a", 3, 2, 1), fact("log", "c", 1, 1, 1),
		fact("commit", "a", 3, 1), fact("commit", "b", 0, 1), fact("commit", "c", 1, 1),
	}
	for relation, want := range map[string][]string{
		"raft.one_in_term":               {"2", "3"},
		"raft.processes_in_term":         {"1 3", "2 2"},
		"raft.all_in_term":               nil,
		"raft.term_diff":                 {"0", "1"},
		"raft.process_in_role":           {"candidate", "follower", "leader"},
		"raft.process_in_role_term":      {"candidate 3", "follower 2", "leader 2"},
		"raft.leader_in_term":            {"2"},
		"raft.one_leader_one_candidate":  {""},
		"raft.commit_entries":            {"0", "1", "3"},
		"raft.all_committed":             {"0"},
		"raft.committed_entries_in_term": {"0 3", "1 2", "3 2"},
		"raft.entries_in_term":           {"1 1", "2 2"},
		"raft.log_diff":                  {"0", "1", "2", "3"},
		"raft.log_commit_diff":           {"0", "1", "2", "3"},
	} {
		require.Equal(t, want, derived(t, relation, state...), relation)
	}
	same := []recording.Fact{fact("term", "a", 2, 1), fact("term", "b", 2, 1)}
	require.Empty(t, derived(t, "raft.all_in_term", same...), "c says nothing")
	require.Equal(t, []string{"2"}, derived(t, "raft.all_in_term", append(same, fact("term", "c", 2, 1))...))
}

func TestPredicatesOfPaxos(t *testing.T) {
	state := []recording.Fact{
		fact("ballot", "a", 3, 1), fact("ballot", "b", 3, 1), fact("ballot", "c", 1, 1), fact("role", "a", "primary", 1), fact("role", "b", "secondary", 1),
		fact("decree", "a", 2, 1), fact("log", "a", 1, 2, 1), fact("decided", "a", 4, 1), fact("decided", "c", 1, 1),
	}
	for relation, want := range map[string][]string{
		"paxos.any_ballot": {"1", "3"}, "paxos.all_ballot": nil, "paxos.ballot_diff": {"0", "2"}, "paxos.entry_ballot": {"2"},
		"paxos.primary_ballot": {"3"}, "paxos.any_decree": {"2"}, "paxos.any_decided": {"1", "4"}, "paxos.decided_diff": {"0", "3"},
	} {
		require.Equal(t, want, derived(t, relation, state...), relation)
	}
}

// A guide says how its system reports, and reads only what is there.
func TestTheLibraryFitsTheSystem(t *testing.T) {
	g, err := Parse("etcd.mg", `
raft.term(P, T, R) :- role(P, _, T, R).
raft.role(P, Role, R) :- role(P, Role, _, R).
waypoint(1, R) :- raft.leader_in_term(2, R).`)
	require.NoError(t, err)
	require.Equal(t, []Named{{"relation", "role", 4, specs.Position{File: "etcd.mg", Line: 2, Column: 23}}}, g.named)
	require.Len(t, g.Rules(), 3)
	r, err := g.NewRun(boundsOf(2), nil)
	require.NoError(t, err)
	decideAll(t, r, nil)
	o, err := r.End(t.Context(), Past{Facts: []recording.Fact{fact("role", "a", "leader", 2, 1)}})
	require.NoError(t, err)
	require.Equal(t, []int{1}, o.Reached)

	_, err = Parse("etcd.mg", "waypoint(1, R) :- raft.leader_in_trm(2, R).")
	require.EqualError(t, err, "etcd.mg:1:19: there is no relation raft.leader_in_trm (did you mean \"raft.leader_in_term\"?): neither the guide nor the library has rules for it\n    waypoint(1, R) :- raft.leader_in_trm(2, R).\n                      ^")
	_, err = Parse("etcd.mg", "waypoint(1, R) :- raft.leader_in_term(R).")
	require.ErrorContains(t, err, "etcd.mg:1:19: ")
	_, err = Parse("etcd.mg", "waypoint(1, R) :- raft.leader_in_term(2, R).\nraft.role(P, 3, R) :- leader(P, R).")
	require.ErrorContains(t, err, "etcd.mg:1:19: in the library: column 1 of raft.process_in_role_term is a number, and \"leader\" is none")
	rules := 0
	for _, text := range library {
		rules += strings.Count(text, ":-")
	}
	require.Equal(t, strings.Count(libraryText, ":-"), rules)
}
