package recording_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

func TestExecutionLines(t *testing.T) {
	for name, e := range map[string]*recording.Execution{
		"strange": strange(t),
		"paused":  paused(t),
		"empty":   {Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 1, Period: 1}},
	} {
		var out bytes.Buffer
		require.NoError(t, e.WriteLines(&out))
		golden.Equal(t, "lines/"+name+".jsonl", out.Bytes())
		again, err := recording.ReadLines(bytes.NewReader(out.Bytes()))
		require.NoError(t, err)
		require.Equal(t, e.Schedule.String(), again.Schedule.String())
		var rewritten bytes.Buffer
		require.NoError(t, again.WriteLines(&rewritten))
		require.Equal(t, out.String(), rewritten.String())
	}
}

func TestExecutionOfSystem(t *testing.T) {
	e := paused(t)
	var out bytes.Buffer
	require.NoError(t, text.WriteJSON(&out, e))
	golden.Equal(t, "json/paused.json", out.Bytes())
	again, err := recording.ReadExecution(&out)
	require.NoError(t, err)
	require.Equal(t, e, again)

	out.Reset()
	require.NoError(t, datalog.WriteMangle(&out, e))
	golden.Equal(t, "mangle/paused.mg", out.Bytes())
}

func TestReadLinesErrors(t *testing.T) {
	head := `{"ldfi":1,"bounds":{"processes":["a","b"],"eot":3,"crashes":0,"omissions":0,"isolations":0,"period":1,"crash":"stop"},"schedule":""}` + "\n"
	fact := `{"fact":{"relation":"x","args":[1],"round":1}}` + "\n"
	for text, message := range map[string]string{
		"":                                    "line 1: the text ends too early",
		"{}\n":                                "line 1: its version is 0, and only version 1 can be read",
		strings.Replace(head, "1", "2", 1):    "line 1: its version is 2, and only version 1 can be read",
		"[]\n":                                "line 1: cannot unmarshal array",
		head:                                  "line 2: the text ends too early",
		head + fact:                           "line 3: the text ends too early",
		head + fact + `{"events":2}`:          "line 3: there are 1 events before, and not 2",
		head + `{"events":0}` + "\n\n" + fact: "line 4: there is something behind the end of the execution",
		head + `{"events":0} {}`:              "line 2: there is something behind the end of the event",
		head + "{}":                           "line 2: a line is one message, fact or number of events",
		head + "\n":                           "line 2: the text ends too early",
		head + `{"fact":{"relation":"x","args":[1.5],"round":1}}`: "line 2: ",
		head + `{"what":1}`: "line 2: unknown field \"what\"",
		head + `{"fact":{"relation":"x","args":[1],"round":9}}` + "\n" + `{"events":1}`:                                   "fact x(1)@9: there is no round 9",
		head + `{"message":{"from":"a","to":"b","round":2,"arrival":1,"relation":"x","args":[]}}` + "\n" + `{"events":1}`: "it cannot arrive in round 1",
	} {
		_, err := recording.ReadLines(strings.NewReader(text))
		require.ErrorContains(t, err, "reading an execution: ")
		require.ErrorContains(t, err, message, text)
	}
}

func FuzzReadLines(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(`{"ldfi":1,"bounds":{"processes":["a"],"eot":1,"crashes":0,"omissions":0,"isolations":0,"period":1,"crash":"stop"},"schedule":"seed 1"}` +
		"\n" + `{"fact":{"relation":"x","args":[1,"y",{"bytes":"/w=="}],"round":1}}` + "\n" + `{"events":1}`))
	f.Add([]byte(`{"ldfi":1,"system":"s","bounds":{"processes":["a","b"],"eot":2,"crashes":"unlimited","omissions":0,"isolations":0,"period":1,"crash":"mute"},"schedule":"pause b@1"}` +
		"\n" + `{"message":{"from":"a","to":"b","round":1,"arrival":2,"relation":"m","args":["b","hi"]}}` + "\n" + `{"events":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := recording.ReadLines(bytes.NewReader(text))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		var out, again bytes.Buffer
		require.NoError(t, e.WriteLines(&out))
		read, err := recording.ReadLines(bytes.NewReader(out.Bytes()))
		require.NoError(t, err)
		require.NoError(t, read.WriteLines(&again))
		require.Equal(t, out.String(), again.String())
	})
}

// paused is an execution of a system written in Go with the faults that only
// those have.
func paused(t *testing.T) *recording.Execution {
	t.Helper()
	s, err := rounds.ParseSchedule("seed 7; ticks 2; crash a@2; restart a@3; pause b@1..2")
	require.NoError(t, err)
	text := specs.String
	message := func(from, to string, round, arrival int, payload string) recording.Message {
		return recording.Message{From: from, To: to, Round: round, Arrival: arrival, Relation: "vote", Args: []specs.Value{text(to), text(payload)}}
	}
	lost := message("b", "a", 2, 0, "no")
	lost.Lost, lost.Cause = true, s.Faults[0]
	e := &recording.Execution{
		System: "election", Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Period: 1, CrashStop: true, Restarts: 1, Pauses: rounds.Unlimited}, Schedule: s,
		Facts:    []recording.Fact{{Relation: "leader", Args: []specs.Value{text("a"), specs.Int(3)}, Round: 1}, {Relation: "payload", Args: []specs.Value{text("b")}, Round: 3}},
		Messages: []recording.Message{message("a", "b", 1, 3, `{"term":3}`), lost, message("a", "b", 3, 0, "")},
	}
	e.Sort()
	require.NoError(t, e.Validate())
	return e
}
