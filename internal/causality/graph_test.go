package causality_test

import (
	"bytes"
	"testing"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var bounds = rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6}

func fact(t *testing.T, relation string, round int, args ...string) recording.Fact {
	t.Helper()
	f := recording.Fact{Relation: relation, Round: round}
	for _, a := range args {
		f.Args = append(f.Args, specs.String(a))
	}
	return f
}

func schedule(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// alarm is how an alarm that nobody acknowledges comes to be raised twice.
func alarm(t *testing.T) *result.Difference {
	t.Helper()
	lost := result.Cause{How: causality.Lost, Fault: schedule(t, "omit a>b@1"), From: "a", To: "b", Round: 1}
	return &result.Difference{
		Bad:     result.Side{Schedule: schedule(t, "crash c@2; omit a>b@1"), Verdict: result.Violated},
		Outcome: 3, Chain: []int{1, 2, 3},
		Changes: []result.Change{
			{Number: 1, Fact: fact(t, "ack", 2, "b"), Until: 5, Missing: true, Rule: "ack", Causes: []result.Cause{lost}, Position: specs.Position{File: "dir/x.ded", Line: 3}},
			{Number: 2, Fact: fact(t, "waits", 3, "b", `"]|-->`), Until: 3, Rule: "waits", Causes: []result.Cause{{Change: 1}}, Position: specs.Position{File: "dir/x.ded", Line: 4}},
			{Number: 3, Fact: fact(t, "violation", 4, "b"), Until: 4, Rule: "violation", Causes: []result.Cause{{Change: 2}}, Shared: []recording.Fact{fact(t, "raised", 4, "a")}, Position: specs.Position{File: "dir/x.ded", Line: 5}},
		},
		Without: []result.Without{
			{Fault: schedule(t, "omit a>b@1"), Mends: true, Changes: []result.Change{{Number: 1, Fact: fact(t, "ack", 2, "b"), Until: 5, Missing: true, Causes: []result.Cause{lost}}}},
			{Fault: schedule(t, "crash c@2"), Mends: true, Changes: []result.Change{
				{Number: 1, Fact: fact(t, "told", 3, "b"), Until: 3, Missing: true, Alike: true, Causes: []result.Cause{{How: causality.Stopped, Fault: schedule(t, "crash c@2"), From: "c", To: "b", Round: 2}}},
				{Number: 2, Fact: fact(t, "raised", 4, "a"), Until: 4, Alike: true, Causes: []result.Cause{{Change: 1}}},
				{Number: 3, Fact: fact(t, "violation", 4, "b"), Until: 4, Causes: []result.Cause{{Change: 2}}},
			}},
		},
	}
}

// The graph leads from the faults to the broken promise. A fact that both executions have,
// and that is gone without a fault, is one node; what would only come back without one has
// a node of its own.
func TestGraph(t *testing.T) {
	var dot, mermaid bytes.Buffer
	require.NoError(t, causality.WriteDOT(&dot, alarm(t), bounds))
	golden.Equal(t, "alarm.dot", dot.Bytes())
	require.NoError(t, causality.WriteMermaid(&mermaid, alarm(t), bounds))
	golden.Equal(t, "alarm.mmd", mermaid.Bytes())
}

// What is said, in the order in which it is said.
func TestSentences(t *testing.T) {
	require.Equal(t, []string{
		`first, ack(b)@2..5 is missing: what a sends b in round 1 is lost (omit a>b@1) [x.ded:3]`,
		`so waits(b, ""]|-->")@3 holds [x.ded:4]`,
		`so violation(b)@4 holds, with raised(a)@4 [x.ded:5]`,
		`also, told(b)@3 does not hold, as it would without crash c@2: c has stopped, and sends b nothing in round 2 (crash c@2)`,
		`so raised(a)@4 holds, as it would not without crash c@2`,
		`so violation(b)@4 holds`,
		`without omit a>b@1: ack(b)@2 comes back, sent by a in round 1, and the promise is kept`,
		`without crash c@2: told(b)@3 comes back, sent by c in round 2, and the promise is kept`,
	}, causality.Describe(alarm(t), bounds).Sentences())
	require.Equal(t, []string{"both executions keep the promise"}, causality.Describe(&result.Difference{}, bounds).Sentences())
}

// Of what is sent again it is said who sends it, until when, and what loses it; what gave
// the fact in other rounds, before it went missing, does not count.
func TestInstead(t *testing.T) {
	missing := result.Change{Fact: fact(t, "log", 3, "b"), Until: 6, Missing: true, Causes: []result.Cause{{How: causality.Lost, Fault: schedule(t, "omit a>b@2"), From: "a", To: "b", Round: 2}}}
	sent := func(from string, round int, by string) recording.Message {
		return recording.Message{From: from, To: "b", Relation: "log", Args: missing.Fact.Args, Round: round, Lost: true, Cause: schedule(t, by).Faults[0]}
	}
	e := &recording.Execution{Bounds: bounds, Messages: []recording.Message{
		{From: "a", To: "b", Relation: "log", Args: missing.Fact.Args, Round: 1},
		sent("a", 2, "omit a>b@2"), sent("a", 3, "crash a@3"), sent("a", 4, "crash a@3"), sent("a", 5, "crash a@3"), sent("a", 6, "crash a@3"),
	}}
	d := alarm(t)
	d.Changes[0] = missing
	d.Changes[0].Number, d.Without = 1, nil
	d.Instead, d.Only = causality.Instead(missing, e)
	require.Equal(t, "a sends it in rounds 3..5, which is lost too (crash a@3), and nobody else sends it", causality.Describe(d, bounds).Parts[0].Instead)
	e.Messages = append(e.Messages, sent("c", 3, "cut c>b@1..3"))
	d.Instead, d.Only = causality.Instead(missing, e)
	require.Equal(t, "a sends it in rounds 3..5, which is lost too (crash a@3), and c sends it in round 3, which is lost too (cut c>b@1..3)", causality.Describe(d, bounds).Parts[0].Instead)
	e.Messages = e.Messages[:2]
	d.Instead, d.Only = causality.Instead(missing, e)
	require.Equal(t, "nobody sends it again", causality.Describe(d, bounds).Parts[0].Instead)
}
