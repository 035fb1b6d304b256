package diagram_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

func TestDiagram(t *testing.T) {
	three := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6}
	retry := [][]string{{"a", "b", "log", "hello"}, {"a", "c", "log", "hello"}}
	gossip := [][]string{
		{"a", "b", "log", "x"}, {"a", "c", "log", "x"}, {"a", "c", "log", "y"},
		{"b", "a", "ack", "1"}, {"b", "c", "ack", "1"}, {"c", "a", "acknowledgement_of_everything", "1"},
		{"b", "b", "ack", "1"}, {"", "c", "tick"}, {"c", "nobody", "ack", "1"},
	}
	mark := func(open, shut string) func(string) string {
		return func(text string) string { return open + text + shut }
	}
	for _, test := range []struct {
		name      string
		execution *recording.Execution
		options   diagram.Options
	}{
		{"retry", oracle.Play(t, three, "crash a@2; omit a>c@1", retry...), diagram.Options{
			Notes: []diagram.Note{{Round: 6, Text: `no post(c, "hello")`}},
		}},
		{"notes", oracle.Play(t, three, "", retry...), diagram.Options{Notes: []diagram.Note{
			{2, "v(1)"}, {2, "v(2)"}, {2, "v(3)"}, {2, "v(4)"}, {2, "v(5)"}, {2, "v(6)"},
			{3, "v(2)"}, {3, "v(1)"}, {5, "v(1)"}, {5, "v(7)"}, {6, "v(1)"},
		}}},
		{"many", oracle.Play(t, rounds.Bounds{Processes: strings.Split("p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12", " "), EOT: 2}, "crash p2@1",
			[]string{"p1", "p12", "acknowledged"}, []string{"p2", "p3", "acknowledged"}), diagram.Options{}},
		{"quiet", oracle.Play(t, three, ""), diagram.Options{}},
		{"gossip", oracle.Play(t, three, "isolate b@2..3; omit c>a@4", gossip...), diagram.Options{}},
		{"gossip-all", oracle.Play(t, three, "isolate b@2..3; omit c>a@4", gossip...), diagram.Options{All: true}},
		{"gossip-ack", oracle.Play(t, three, "isolate b@2..3; omit c>a@4", gossip...), diagram.Options{Relations: []string{"ack"}}},
		{"painted", oracle.Play(t, three, "crash a@2; omit a>c@1", retry...), diagram.Options{
			Highlight: []string{"log"},
			Notes:     []diagram.Note{{Round: 3, Text: "a bell\a"}},
			Style:     diagram.Style{Fault: mark("<", ">"), Strong: mark("{", "}"), Faint: mark("(", ")")},
		}},
		{"idle", oracle.Play(t, three, "omit a>b@1; omit b>c@2; isolate c@3; crash a@4; crash b@2", []string{"a", "b", "log"}), diagram.Options{}},
		{"lost", lost(t), diagram.Options{Notes: []diagram.Note{{Round: 1, Text: "the host ends: nothing is recorded"}}}},
		{"wide", oracle.Play(t, rounds.Bounds{Processes: []string{"coordinator-1", "参加者", "ü"}, EOT: 3}, "",
			[]string{"coordinator-1", "参加者", "投票"}, []string{"ü", "coordinator-1", "yes"}), diagram.Options{}},
		{"characters", characters(), diagram.Options{}},
		{"one", oracle.Play(t, rounds.Bounds{Processes: []string{"a"}, EOT: 3}, "crash a@2", []string{"a", "a", "tick"}), diagram.Options{All: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, diagram.Write(&out, test.execution, test.options))
			golden.Equal(t, test.name+".txt", out.Bytes())
			out.Reset()
			require.NoError(t, diagram.WriteMermaid(&out, test.execution, test.options))
			golden.Equal(t, test.name+".mmd", out.Bytes())
		})
	}
}

// lost is an execution of a system of which nothing is recorded.
func lost(t *testing.T) *recording.Execution {
	e := oracle.Play(t, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3}, "omit a>b@2; isolate b@1")
	e.System = "gone"
	return e
}

// characters is an execution whose names are not as wide as they are long.
func characters() *recording.Execution {
	e := &recording.Execution{Bounds: rounds.Bounds{
		Processes: []string{"e\u0301tienne", "👨\u200d👩\u200d👧", "参加者", "🇦🇹", "z"}, EOT: 2,
	}}
	for _, m := range [][3]string{
		{"e\u0301tienne", "z", "👍🏽 u\u0308ber"}, {"👨\u200d👩\u200d👧", "e\u0301tienne", "はい"},
		{"z", "参加者", "✔\ufe0f"}, {"🇦🇹", "z", "its name: " + strings.Repeat("👩\u200d🚀", 5)},
	} {
		e.Messages = append(e.Messages, recording.Message{Round: 1, From: m[0], To: m[1], Relation: m[2]})
	}
	return e
}

// The lifelines of a diagram stand below each other in a terminal, whatever
// characters names and relations have.
func TestLifelinesLineUp(t *testing.T) {
	drawing, err := os.ReadFile("testdata/characters.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(drawing)) {
		if last := strings.LastIndexAny(line, "│┤✗"); last >= 0 && strings.ContainsAny(line, "│┼├┤") {
			require.Equal(t, 7+4*19, uniseg.StringWidth(line[:last]), line)
		}
	}
}

func TestDiagramOfNothing(t *testing.T) {
	for _, e := range []*recording.Execution{
		{},
		{Bounds: rounds.Bounds{EOT: 2}, Schedule: rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "?", Round: 1}}}},
		{Bounds: rounds.Bounds{EOT: 3}, Messages: []recording.Message{{From: "a", To: "b", Round: 1, Relation: ""}, {Round: -1}}},
	} {
		require.NoError(t, diagram.Write(&bytes.Buffer{}, e, diagram.Options{All: true}))
		require.NoError(t, diagram.WriteMermaid(&bytes.Buffer{}, e, diagram.Options{All: true}))
	}
}
