package ldfi_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// anyRounds asks a program of testdata about any number of rounds.
func anyRounds(t *testing.T, file string) (*result.Answer, error) {
	p, err := dedalus.Parse("../testdata/protocols/" + file)
	require.NoError(t, err)
	return anyRoundsOf(t, p)
}

func anyRoundsOf(t *testing.T, p *dedalus.Program) (*result.Answer, error) {
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	require.NoError(t, err)
	return m.AnyRounds(t.Context())
}

// TestAPromiseForAnyNumberOfRounds asks programs whose answers are known: proofs of textbooks, and
// protocols that break only in a late round.
func TestAPromiseForAnyNumberOfRounds(t *testing.T) {
	for _, c := range []struct {
		file      string
		round     int      // in which the promise breaks; 0: in none
		sentences []string // that a reader looks for in the proof
	}{
		// An acknowledged write is at all in-sync replicas, whoever leads and whatever was lost.
		{"replication/kafka_min_isr.ded", 0, []string{`acknowledged("k", "w"), insync(_, P) => stored(P, "w")`}},
		{"rounds/uniform_voting.ded", 0, []string{"never decided(_, V) and decided(_, W)"}},
		{"rounds/last_voting.ded", 0, []string{"never decided(_, V) and decided(_, W)"}},
		// What is logged before anybody hears of it survives the crash of the coordinator.
		{"restart/2pc_recovers.ded", 0, []string{`decision(_, D) => logged("c", D)`}},
		// An old value is not read again after a restart, as soon as the repair has asked both replicas.
		{"catalogue/cassandra_3395_fixed.ded", 0, []string{`never stale("a", 1)`}},
		{"catalogue/mapreduce_5489_fixed.ded", 0, nil},
		{"catalogue/mapreduce_5505_fixed.ded", 0, []string{`never done("c") and stored("r", 1)`}},
		{"catalogue/zookeeper_1653_fixed.ded", 0, []string{`ready(P, "a", 1) => marked(P)`}},
		{"catalogue/zookeeper_769_fixed.ded", 0, []string{`never leads("a") and alone("a", 4)`}},
		{"partitions/acknowledged.ded", 0, []string{`never active(P) and active(Q)`}},
		{"partitions/majority.ded", 0, []string{`never vote(P, Q) and vote(R, Q)`}},
		{"choices/primary_common.ded", 0, []string{"never kept(_, V) and kept(_, W)"}},

		{"choices/primary_own.ded", 3, nil},
		{"partitions/half.ded", 3, nil},
		{"catalogue/mapreduce_5505.ded", 3, nil},
		{"catalogue/raft_third.ded", 4, nil},
		{"catalogue/zookeeper_1653.ded", 5, nil},
		{"catalogue/zookeeper_769.ded", 6, nil},
		{"replication/kafka_isr.ded", 6, nil},
		{"restart/2pc_forgets.ded", 6, nil},
		{"partitions/heartbeats.ded", 7, nil},
		{"catalogue/view_change_quorum.ded", 7, nil},
		{"catalogue/ben_or_keeps.ded", 7, nil},
		{"replog/digits_buggy.ded", 13, nil},
		{"catalogue/mapreduce_5489.ded", 17, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			a, err := anyRounds(t, c.file)
			require.NoError(t, err)
			require.Equal(t, c.round, a.Rounds.Round)
			if c.round > 0 {
				require.Equal(t, result.Violated, a.Verdict)
				require.NotEmpty(t, a.Counterexamples)
				require.True(t, a.Counterexamples[0].Confirmed)
				require.Equal(t, c.round-1, a.Rounds.Depth, "each earlier round is decided")
				return
			}
			require.Equal(t, result.Holds, a.Verdict)
			require.Subset(t, a.Rounds.Invariant, c.sentences)
			require.NotEmpty(t, a.Rounds.Invariant)
			require.False(t, a.Rounds.Vacuous)
			require.Less(t, a.Rounds.Calls, 15_000, "such proofs are found fast")
		})
	}
}

// election is one term of Raft: whoever's timer runs out votes for itself and asks the others for their votes.
const election = `
// ldfi: processes=a,b,c eot=6 omissions=unlimited crashes=1
server("a")@1; server("b")@1; server("c")@1;
choose some timeout(any)@each;
begins(S) :- timeout(S), notin voted(S, _);
voted(S, S)@next :- begins(S);
request(P, S)@async :- voted(S, S), server(P)@1;
granted(P, min<S>) :- request(P, S), notin voted(P, _), notin begins(P);
voted(P, S)@next :- granted(P, S);
voted(P, S)@next :- voted(P, S);
vote(S, P)@async :- voted(P, S);
votes(S, P) :- vote(S, P);
votes(S, P)@next :- votes(S, P);
leads(S) :- tally(S, N), N >= 2;
tally(S, count<P>) :- votes(S, P);
violation(S, R) :- leads(S), leads(R), S < R;
`

// TestAnElection has one leader in a term, however often timers run out: nobody votes twice. Where a server
// grants a vote in the round in which its own timer runs out, two lead.
func TestAnElection(t *testing.T) {
	p, err := dedalus.ParseText("election.ded", election)
	require.NoError(t, err)
	a, err := anyRoundsOf(t, p)
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.Subset(t, a.Rounds.Invariant, []string{"never voted(P, Q) and voted(P, R)"})
	require.LessOrEqual(t, len(a.Rounds.Invariant), 8)

	p, err = dedalus.ParseText("election.ded", strings.Replace(election, ", notin begins(P)", "", 1))
	require.NoError(t, err)
	a, err = anyRoundsOf(t, p)
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, 7, a.Rounds.Round)
}

// TestWhatARunOfFewRoundsDoesNotHave is there for any number of rounds: a choice of a later round. A rule that
// reads a later round is refused, for a run of few rounds finds nothing there.
func TestWhatARunOfFewRoundsDoesNotHave(t *testing.T) {
	p, err := dedalus.ParseText("late.ded", `
// ldfi: processes=a eot=2
choose maybe violation("a")@4;
`)
	require.NoError(t, err)
	a, err := anyRoundsOf(t, p)
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, 4, a.Rounds.Round)
	require.Equal(t, "the promise breaks in round 4, and in no earlier one", a.Rounds.Breaks())

	p, err = dedalus.ParseText("known.ded", `
// ldfi: processes=a eot=4
p("a")@1;
q("a")@3;
violation(X) :- p(X), q(X)@3;
`)
	require.NoError(t, err)
	a, err = anyRoundsOf(t, p)
	require.NoError(t, err)
	require.Equal(t, "a run of 3 rounds breaks the promise", a.Rounds.Breaks()) // in round 1

	p, err = dedalus.ParseText("later.ded", `
// ldfi: processes=a eot=4
p("a")@1;
q("a")@9;
violation(X) :- p(X), notin q(X)@9;
`)
	require.NoError(t, err)
	_, err = anyRoundsOf(t, p)
	require.EqualError(t, err, "later.ded:5:29: q is read at round 9, which no run of 4 rounds has: for any number of rounds take --eot 9 or more")
}

// TestAProofAboutNothing is a promise whose rules can never fire: it holds, and the answer says why.
func TestAProofAboutNothing(t *testing.T) {
	a, err := anyRounds(t, "traps/vacuous_violation.ded")
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.True(t, a.Rounds.Vacuous)
}

// TestAPromiseOfTheEndOnly is refused where the question makes no sense.
func TestAPromiseOfTheEndOnly(t *testing.T) {
	_, err := anyRounds(t, "traps/good.ded")
	require.ErrorAs(t, err, new(*provenance.UntimedError))
}
