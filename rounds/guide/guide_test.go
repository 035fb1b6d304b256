package guide

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	_ "github.com/lineage-driven/ldfi/specs/property/rules" // reads guides
	"github.com/stretchr/testify/require"
)

func sent(round int, from, to, kind, text string) recording.Message {
	return recording.Message{From: from, To: to, Round: round, Relation: kind, Args: []specs.Value{specs.String(to), specs.String(text)}}
}

func fact(relation string, args ...any) recording.Fact {
	f := recording.Fact{Relation: relation, Round: args[len(args)-1].(int)}
	for _, a := range args[:len(args)-1] {
		switch a := a.(type) {
		case int:
			f.Args = append(f.Args, specs.Int(int64(a)))
		case string:
			f.Args = append(f.Args, specs.String(a))
		}
	}
	return f
}

func boundsOf(last int) rounds.Bounds { return rounds.Bounds{Processes: names, EOT: last} }

func newRun(t *testing.T, text string) *Run {
	t.Helper()
	g, err := Parse("votes.mg", text)
	require.NoError(t, err)
	r, err := g.NewRun(boundsOf(10), nil)
	require.NoError(t, err)
	return r
}

func TestVotesGetLostUntilTheLeaderIsBack(t *testing.T) {
	r := newRun(t, `
		drop(M) :- message(M, _, _, "Vote", _, R), !down(R).
		down(R) :- crashed(P, S), round(R), R > S.
		crash(P, S) :- leader(P, T, R), S = fn:plus(R, 2).
		goto("start", "led") :- leader(_, _, _).
		goto("led", "late") :- message(_, _, _, "Vote", T, _), :string:contains(T, "term 2").
		good("late").
		waypoint(1, R) :- leader(_, 1, R).
		waypoint(2, R) :- leader(P, 2, R), crashed(Q, _), P != Q.
	`)
	votes := func(round int) []recording.Message {
		return []recording.Message{sent(round, "a", "b", "Vote", "term 1"), sent(round, "a", "c", "App", ""), sent(round, "b", "c", "Vote", "term 2")}
	}
	d, err := r.Decide(t.Context(), Past{}, votes(1))
	require.NoError(t, err)
	require.Equal(t, []Fate{{Message: 1, Do: "drop", Rule: 0}, {Message: 3, Do: "drop", Rule: 0}}, d.Fates)
	d, err = r.Decide(t.Context(), Past{Facts: []recording.Fact{fact("leader", "a", 1, 1)}}, votes(2))
	require.NoError(t, err)
	require.Equal(t, []Fate{{Message: 4, Do: "drop", Rule: 0}, {Message: 6, Do: "drop", Rule: 0}}, d.Fates)
	require.Empty(t, d.Acts)
	d, err = r.Decide(t.Context(), Past{}, nil)
	require.NoError(t, err)
	require.Equal(t, []Act{{Do: "crash", Process: "a", Rule: 2}}, d.Acts)
	d, err = r.Decide(t.Context(), Past{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "a", Round: 3}}}, votes(4))
	require.NoError(t, err)
	require.Empty(t, d.Fates)
	o, err := r.End(t.Context(), Past{Facts: []recording.Fact{fact("leader", "b", 2, 4)}})
	require.NoError(t, err)
	require.Equal(t, []Move{{"led", 1, 3}, {"late", 2, 4}}, o.Moves)
	require.Equal(t, []int{1, 4}, o.Reached)
	require.Equal(t, []int{4, 1, 1, 1, 1, 0, 1, 1}, o.Fired)
}

// decideAll decides in rounds in which these messages are sent, and nothing is recorded.
func decideAll(t *testing.T, r *Run, sends ...[]recording.Message) (all []Decisions) {
	t.Helper()
	for _, sent := range sends {
		d, err := r.Decide(t.Context(), Past{}, sent)
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

// The kind of a message that is recorded as json is its first word.
func TestTypesOfMessagesOfMaelstrom(t *testing.T) {
	r := newRun(t, `
		drop(M) :- message(M, _, _, "broadcast", Text, _), :string:contains(Text, "\"message\":7").
		hold(M) :- message(M, _, _, "gossip", _, _).
	`)
	d := decideAll(t, r, []recording.Message{
		sent(1, "a", "b", "json", `broadcast {"message":6}`), sent(1, "a", "b", "json", `broadcast {"message":7}`), sent(1, "a", "c", "json", "gossip"),
	})
	require.Equal(t, []Fate{{Message: 2, Do: "drop"}, {Message: 3, Do: "hold", Rule: 1}}, d[0].Fates)
}

func TestTheFirstRuleOfTheFileWins(t *testing.T) {
	r := newRun(t, `
		drop(M) :- message(M, "a", _, _, _, _).
		deliver(M) :- message(M, _, "b", _, _, _).  # first
		hold(M) :- message(M, _, _, "Vote", _, _).
		lie(M, "ToNil") :- message(M, _, _, "Vote", _, _).
	`)
	d := decideAll(t, r, []recording.Message{sent(1, "a", "b", "Vote", ""), sent(1, "c", "b", "Vote", ""), sent(1, "c", "a", "Vote", ""), sent(1, "c", "a", "App", "")})
	require.Equal(t, []Fate{{Message: 1, Do: "drop", Rule: 0}, {Message: 2, Do: "deliver", Lie: "ToNil", Rule: 1, liar: 3}, {Message: 3, Do: "hold", Lie: "ToNil", Rule: 2, liar: 3}}, d[0].Fates)
	o, err := r.End(t.Context(), Past{})
	require.NoError(t, err)
	var said []string
	for _, f := range o.Findings {
		said = append(said, f.String())
	}
	require.Equal(t, []string{
		"votes.mg:2:3: warning: drop wins over deliver of line 3: they want opposite things of one message; if that is meant, end the line with # first\n    \t\tdrop(M) :- message(M, \"a\", _, _, _, _).\n    \t\t^",
		"votes.mg:2:3: warning: drop wins over hold of line 4: they want opposite things of one message; if that is meant, end the line with # first\n    \t\tdrop(M) :- message(M, \"a\", _, _, _, _).\n    \t\t^",
		"votes.mg:2:3: warning: drop wins over lie of line 5: they want opposite things of one message; if that is meant, end the line with # first\n    \t\tdrop(M) :- message(M, \"a\", _, _, _, _).\n    \t\t^",
	}, said)
}

func TestWhatIsHeldArrivesWithTheFirstRelease(t *testing.T) {
	r := newRun(t, `
		hold(M) :- message(M, _, _, "Vote", _, _).
		release(M, R) :- message(M, _, _, "Vote", Text, _), :string:contains(Text, "soon"), round(R), R >= 2.
		release(M, 4) :- message(M, _, _, _, _, _).
	`)
	votes := func(round int) []recording.Message {
		return []recording.Message{sent(round, "a", "b", "Vote", "soon"), sent(round, "a", "c", "Vote", "late")}
	}
	d := decideAll(t, r, votes(1), votes(2), nil, votes(4), votes(5))
	require.Equal(t, []Fate{{Message: 1, Do: "hold"}, {Message: 2, Do: "hold"}}, d[0].Fates)
	require.Equal(t, []Fate{{Message: 4, Do: "hold"}}, d[1].Fates, "message 3 arrives in its own round")
	require.Equal(t, []int{1}, d[1].Releases)
	require.Empty(t, d[2].Releases)
	require.Equal(t, []int{2, 4}, d[3].Releases)
	require.Equal(t, []Fate{{Message: 8, Do: "hold"}}, d[4].Fates, "no release of a round before counts")
}

func TestWhatNeverHappenedIsSaid(t *testing.T) {
	g, err := Parse("votes.mg", `
drop(M) :- message(M, _, _, "Veto", _, _).
crash(P, S) :- led(P, R), S = fn:plus(R, 1).   # may never
led(P, R) :- leader(P, _, R).
goto("start", "voted") :- message(_, _, _, "Vote", _, _).
goto("voted", "led") :- led(P, _),
    crashed(Q, _), P != Q.
waypoint(1, R) :- message(_, _, _, "Vote", _, R).
waypoint(2, R) :- message(_, P, _, "Vote", _, R), !lost(P, _, _, _, R), led(P, _).
goto("voted", "lost") :- lost(_, _, _, _, _).
bad("lost").
`)
	require.NoError(t, err)
	r, err := g.NewRun(boundsOf(3), nil)
	require.NoError(t, err)
	tally := g.NewTally()
	for _, facts := range [][]recording.Fact{nil, {fact("leader", "b", 1, 1)}} {
		require.NoError(t, r.reset())
		decideAll(t, r, []recording.Message{sent(1, "a", "b", "Vote", "")})
		o, err := r.End(t.Context(), Past{Facts: facts})
		require.NoError(t, err)
		tally.Add(o)
	}
	require.Equal(t, []string{
		`state "voted" was reached last, in 2 of 2 executions; the rule for state "led" lacked crashed(Q, _) (votes.mg:7:5)`,
		`waypoint 1 was reached last, in 2 of 2 executions; the rule for waypoint 2 lacked led(P, _) (votes.mg:9:73)`,
	}, tally.nearest())
	var said []string
	for _, w := range tally.Vacuous() {
		said = append(said, w.Message)
	}
	require.Equal(t, []string{"this rule never fires", `the state "led" is never entered`, "waypoint 2 is never reached"}, said)
	require.Equal(t, []Named{
		{"kind", "Veto", 0, specs.Position{File: "votes.mg", Line: 2, Column: 12}},
		{"relation", "leader", 3, specs.Position{File: "votes.mg", Line: 4, Column: 14}},
		{"kind", "Vote", 0, specs.Position{File: "votes.mg", Line: 5, Column: 27}},
	}, g.named)
}

// Another number of columns than the guide reads is an error, and so is a derived relation
// that processes report.
func TestWhatDoesNotFitTheRecordingIsAnError(t *testing.T) {
	r := newRun(t, `drop(M) :- message(M, P, _, _, _, _), led(P). led(P) :- leader(P, _).`)
	decideAll(t, r, nil)
	_, err := r.Decide(t.Context(), Past{Facts: []recording.Fact{fact("leader", "a", 1, 1)}}, nil)
	require.EqualError(t, err, `votes.mg: round 1: the rules read leader with 2 columns, and leader("a", 1)@1 has 3, with the round as the last`)
	require.NoError(t, r.reset())
	decideAll(t, r, nil)
	_, err = r.Decide(t.Context(), Past{Facts: []recording.Fact{fact("led", "a", 1)}}, nil)
	require.EqualError(t, err, `votes.mg: round 1: the rules derive led, and the recording has facts of it, as in led("a")@1: call the derived relation something else`)
}

// A message that is on its way has been sent, and is neither delivered nor lost.
func TestWhatIsOnItsWayIsSent(t *testing.T) {
	r := newRun(t, `
		pause(P, S) :- sent(P, _, "App", _, R), S = fn:plus(R, 1).
		crash(P, S) :- delivered(_, P, "App", _, R), S = fn:plus(R, 1).
		isolate(P, S) :- lost(P, _, "App", _, R), S = fn:plus(R, 1).
	`)
	app := sent(1, "a", "b", "App", "")
	require.Empty(t, decideAll(t, r, []recording.Message{app})[0].Acts)
	require.Equal(t, []Act{{Do: "pause", Process: "a", Rule: 0}}, decideAll(t, r, nil)[0].Acts)
	d, err := r.Decide(t.Context(), Past{Delivered: []recording.Message{app}}, nil)
	require.NoError(t, err)
	require.Equal(t, []Act{{Do: "crash", Process: "b", Rule: 1}}, d.Acts, "in the round after that of its arrival")
	require.Empty(t, decideAll(t, r, nil)[0].Acts)
}
