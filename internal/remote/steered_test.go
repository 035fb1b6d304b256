package remote

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Guides that lose and delay messages, lie, and stop processes. Executions start again where a
// process crashes in a round in which it has sent already.
var steeredBy = map[string]string{
	"loses":   `drop(M) :- message(M, "a", "b", _, _, R), R < 4. drop(M) :- message(M, P, "c", Kind, _, 2), P != "c", Kind != "".`,
	"delays":  `hold(M) :- message(M, "b", _, _, _, R), R > 1. release(M, 5) :- hold(M), message(M, _, _, _, _, R), R < 5.`,
	"crashes": `crash(P, R) :- delivered(_, P, _, _, S), S = 1, P != "a", P != "d", R = 3. restart(P, 4) :- crash(P, _). drop(M) :- message(M, "a", _, _, _, R), R > 2.`,
	"parts":   `part("a", P, R) :- process(P), P != "a", in("cut", S), R = fn:plus(S, 1). goto("start", "cut") :- delivered(_, "a", _, _, _). bad("cut").`,
	"nothing": `goto("start", "end") :- round(4). good("end").`,
}

// steering executes a system by a guide, and returns all that is said of it.
func steering(t *testing.T, s *System, g *guide.Guide, schedule string) string {
	session, err := search.NewSession(&s.Target, search.Options{Guide: g, Bounds: s.Whole(rounds.Bounds{}), Executions: 1})
	require.NoError(t, err)
	x, err := session.Guided(true)
	require.NoError(t, err)
	e, violations, err := x.Execute(t.Context(), parse(t, schedule))
	if err != nil {
		return err.Error()
	}
	session.Count(0, e)
	guidance, err := json.MarshalIndent(session.Guidance(false), "", " ")
	require.NoError(t, err)
	return fmt.Sprintf("%s\n%s\n%s\n%v\n%s", e.Schedule, e.Facts, e.Messages, violations, guidance)
}

// A host in which runs are steered, and one that executes whole schedules, come to the same.
func TestSteeredIsAsByExecuting(t *testing.T) {
	settled := 0 // turns of executions that have started again
	for _, local := range []*system.System{replog.Buggy(), election.Buggy(), gossip(), chattering(), panicking(), tendermint.Height(tendermint.NoBug)} {
		turns, again := 0, 0
		able := liar(t, local, Options{}, to(messages.DoRun, func(_, a object) {
			if turn := a["turn"]; turn != nil {
				turns++
				if turn.(object)["settled"] != nil {
					again++
				}
			}
		}))
		require.NoError(t, able.greet(t.Context()))
		old := liar(t, local, Options{}, to(messages.DoHello, func(_, a object) { delete(a, "turns") }))
		require.NoError(t, old.greet(t.Context()))
		require.True(t, able.turns && !old.turns)
		for name, text := range steeredBy {
			g, err := guide.Parse(name+".mg", text)
			require.NoError(t, err)
			want := steering(t, old.Systems()[0], g, "seed 1")
			require.Equal(t, want, steering(t, able.Systems()[0], g, "seed 1"), "%s, %s", local.Name, name)
		}
		require.Greater(t, turns, 2*local.Rounds, local.Name)
		settled += again
	}
	require.Positive(t, settled)
}

// panicking is gossip in which who hears nothing panics.
func panicking() *system.System {
	s := gossip()
	s.New = func(string, *rand.Rand) system.Process { return fearful{} }
	return s
}

type fearful struct{ greeter }

func (fearful) Receive(_ *system.Step, inbox []system.Message) {
	if len(inbox) < 2 {
		panic("it is too quiet")
	}
}

// chattering is a system whose processes send several messages of a kind to each other in a round.
func chattering() *system.System {
	s := chatters()
	s.Properties = gossip().Properties
	return s
}

// turnOf changes the turn of a round.
func turnOf(round float64, change func(turn object)) lie {
	return func(_, a object) {
		if turn, ok := a["turn"].(object); ok && turn["round"] == round {
			change(turn)
		}
	}
}

// Turns have to be those of the recording that the host answers with.
func TestLiesAboutTurns(t *testing.T) {
	first := func(turn object, of string) object { return turn[of].([]any)[0].(object) }
	swap := func(turn object) { sent := turn["sent"].([]any); sent[0], sent[1] = sent[1], sent[0] }
	for name, of := range map[string]struct {
		lie   lie
		wrong string
	}{
		"a fact less":         {turnOf(3, func(turn object) { turn["facts"] = turn["facts"].([]any)[1:] }), "round 3 was told with other events than the recording has: the fact "},
		"a fact changed":      {turnOf(3, func(turn object) { first(turn, "facts")["relation"] = "saw" }), "is not recorded"},
		"a fact of the round": {turnOf(3, func(turn object) { first(turn, "facts")["round"] = 3 }), "is not recorded"},
		"a message less":      {turnOf(2, func(turn object) { turn["sent"] = turn["sent"].([]any)[1:] }), "messages were sent before"},
		"a message changed":   {turnOf(2, func(turn object) { first(turn, "sent")["relation"] = "pang" }), "the message that was sent pang"},
		"a message twice":     {turnOf(2, func(turn object) { turn["sent"] = append(turn["sent"].([]any), turn["sent"].([]any)[0]) }), "identical ones once"},
		"no arrival":          {turnOf(2, func(turn object) { turn["arrived"] = turn["arrived"].([]any)[1:] }), "the message that arrived"},
		"no loss":             {turnOf(2, func(turn object) { delete(turn, "lost") }), "the message that was lost"},
		"another order":       {turnOf(1, swap), "hits another message than the one that is told in its place"},
		"another round":       {turnOf(2, func(turn object) { turn["round"] = 3 }), "round 2 is the next"},
		"settled":             {turnOf(2, func(turn object) { turn["settled"] = true }), "what was decided of it before cannot be said anew"},
		"other numbers":       {turnOf(2, func(turn object) { turn["first"] = 1 }), "messages were sent before, and not 1"},
		"another beginning":   {turnOf(1, func(turn object) { turn["begins"] = "crash b@1" }), `the recording is one of the schedule "crash b@1", and not "seed 1"`},
	} {
		host := liar(t, chattering(), Options{}, to(messages.DoRun, of.lie))
		require.NoError(t, host.greet(t.Context()))
		g, err := guide.Parse("x.mg", `drop(M) :- message(M, "a", "d", "ping", "1", 1).`)
		require.NoError(t, err)
		require.Contains(t, steering(t, host.Systems()[0], g, "seed 1"), of.wrong, name)
	}
}

// A host that is asked again for what is decided has to do the same until then.
func TestLiesWhenAskedAgain(t *testing.T) {
	for name, of := range map[string]struct {
		again func(execution object) // in the second execution, and later ones
		wrong string
	}{
		"a fact less":    {func(e object) { e["facts"] = e["facts"].([]any)[1:] }, "two executions differ before round 2"},
		"a message less": {func(e object) { e["messages"] = e["messages"].([]any)[1:] }, "two executions differ before round 2"},
	} {
		executions := 0
		host := liar(t, gossip(), Options{}, func(q, a object) {
			delete(a, "turns")
			if q["do"] != messages.DoRun || a["execution"] == nil {
				return
			}
			if executions++; executions > 1 {
				of.again(a["execution"].(object))
			}
		})
		require.NoError(t, host.greet(t.Context()))
		g, err := guide.Parse("x.mg", `drop(M) :- message(M, "a", "b", _, _, 2).`)
		require.NoError(t, err)
		require.Contains(t, steering(t, host.Systems()[0], g, "seed 1"), of.wrong, name)
	}
}
