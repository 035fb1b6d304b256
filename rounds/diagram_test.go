package rounds_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go test -update if the change is meant")
}

// play makes an execution in which every round has the same messages, each
// given as {from, to, relation, args...}, with the losses of the schedule.
func play(t *testing.T, b rounds.Bounds, schedule string, messages ...[]string) *rounds.Execution {
	t.Helper()
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	env, err := rounds.NewEnvironment(b, s)
	require.NoError(t, err)
	index := map[string]int{"": -1}
	for i, name := range b.Processes {
		index[name] = i
	}
	e := &rounds.Execution{Bounds: b, Schedule: env.Schedule()}
	for round := 1; round <= b.EOT; round++ {
		for _, m := range messages {
			message := rounds.Message{From: m[0], To: m[1], Round: round, Relation: m[2], Args: []specs.Value{specs.String(m[1])}}
			for _, arg := range m[3:] {
				message.Args = append(message.Args, specs.String(arg))
			}
			if to, ok := index[m[1]]; ok {
				message.Cause, message.Lost = env.Cause(index[m[0]], to, round)
			}
			e.Messages = append(e.Messages, message)
		}
	}
	e.Sort()
	return e
}

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
		execution *rounds.Execution
		options   rounds.DiagramOptions
	}{
		{"retry", play(t, three, "crash a@2; omit a>c@1", retry...), rounds.DiagramOptions{
			Notes: []rounds.DiagramNote{{Round: 6, Text: `no post(c, "hello")`}},
		}},
		{"notes", play(t, three, "", retry...), rounds.DiagramOptions{Notes: []rounds.DiagramNote{
			{2, "v(1)"}, {2, "v(2)"}, {2, "v(3)"}, {2, "v(4)"}, {2, "v(5)"}, {2, "v(6)"},
			{3, "v(2)"}, {3, "v(1)"}, {5, "v(1)"}, {5, "v(7)"}, {6, "v(1)"},
		}}},
		{"many", play(t, rounds.Bounds{Processes: strings.Split("p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12", " "), EOT: 2}, "crash p2@1",
			[]string{"p1", "p12", "acknowledged"}, []string{"p2", "p3", "acknowledged"}), rounds.DiagramOptions{}},
		{"quiet", play(t, three, ""), rounds.DiagramOptions{}},
		{"gossip", play(t, three, "isolate b@2..3; omit c>a@4", gossip...), rounds.DiagramOptions{}},
		{"gossip-all", play(t, three, "isolate b@2..3; omit c>a@4", gossip...), rounds.DiagramOptions{All: true}},
		{"gossip-ack", play(t, three, "isolate b@2..3; omit c>a@4", gossip...), rounds.DiagramOptions{Relations: []string{"ack"}}},
		{"painted", play(t, three, "crash a@2; omit a>c@1", retry...), rounds.DiagramOptions{
			Highlight: []string{"log"},
			Notes:     []rounds.DiagramNote{{Round: 3, Text: "a bell\a"}},
			Style:     rounds.DiagramStyle{Fault: mark("<", ">"), Strong: mark("{", "}"), Faint: mark("(", ")")},
		}},
		{"wide", play(t, rounds.Bounds{Processes: []string{"coordinator-1", "参加者", "ü"}, EOT: 3}, "",
			[]string{"coordinator-1", "参加者", "投票"}, []string{"ü", "coordinator-1", "yes"}), rounds.DiagramOptions{}},
		{"one", play(t, rounds.Bounds{Processes: []string{"a"}, EOT: 3}, "crash a@2", []string{"a", "a", "tick"}), rounds.DiagramOptions{All: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, test.execution.WriteDiagram(&out, test.options))
			golden(t, "diagram/"+test.name+".txt", out.Bytes())
			out.Reset()
			require.NoError(t, test.execution.WriteMermaid(&out, test.options))
			golden(t, "diagram/"+test.name+".mmd", out.Bytes())
		})
	}
}

func TestDiagramOfNothing(t *testing.T) {
	for _, e := range []*rounds.Execution{
		{},
		{Bounds: rounds.Bounds{EOT: 2}, Schedule: rounds.Schedule{{Kind: rounds.Crash, Process: "?", Round: 1}}},
		{Bounds: rounds.Bounds{EOT: 3}, Messages: []rounds.Message{{From: "a", To: "b", Round: 1, Relation: ""}, {Round: -1}}},
	} {
		require.NoError(t, e.WriteDiagram(&bytes.Buffer{}, rounds.DiagramOptions{All: true}))
		require.NoError(t, e.WriteMermaid(&bytes.Buffer{}, rounds.DiagramOptions{All: true}))
	}
}
