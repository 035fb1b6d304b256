package diagram_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// statement is all that a sequence diagram may consist of. What it takes as
// text has no character with a meaning to Mermaid, HTML or Markdown.
var statement = regexp.MustCompile(`^(sequenceDiagram|    participant p\d+ as TEXT|    Note over p\d+(,p\d+)?: TEXT|    p\d+(-?->>|-x)p\d+: TEXT)$`)

var opening = regexp.MustCompile(` as |: `)

var entity = regexp.MustCompile(`#\d+;`)

// requireMermaid checks that every line is a statement.
func requireMermaid(t *testing.T, diagram string) {
	t.Helper()
	for line := range strings.Lines(diagram) {
		line = strings.TrimSuffix(line, "\n")
		if at := opening.FindStringIndex(line); at != nil {
			text := entity.ReplaceAllString(line[at[1]:], "")
			require.NotRegexp(t, "[\x00-\x1f;#:\"<{}%$&`\\\\|*~^!]", text, "in the line %q", line)
			line = line[:at[1]] + "TEXT"
		}
		require.Regexp(t, statement, line)
	}
}

func TestMermaidIsCutWhereRenderersGiveUp(t *testing.T) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: names, EOT: 100}, Schedule: rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "p7", Round: 90}}}}
	for round := 1; round < 100; round++ {
		for i := range names {
			e.Messages = append(e.Messages, recording.Message{From: names[i], To: names[(i+round)%20], Round: round, Relation: strings.Repeat("long", 10)})
		}
	}
	var out bytes.Buffer
	require.NoError(t, diagram.WriteMermaid(&out, e, diagram.Options{Notes: []diagram.Note{{Round: 100, Text: "no post"}}}))
	golden.Equal(t, "long.mmd", out.Bytes())
	requireMermaid(t, out.String())
	require.Less(t, strings.Count(out.String(), "->>"), 500)
	require.Less(t, out.Len(), 50_000)
}

func FuzzMermaid(f *testing.F) {
	f.Add("a", "b", "log", "no post(c)")
	f.Add("参加者", "👩\u200d🚀", "e\u0301", "🇦🇹: #;")
	f.Add("a; b", "end", "x: y\n->> z", "```\n<script>&amp; %%{init}%%")
	f.Add("#35;", "a as b", "$$x$$", "\x00\xff\u2028wrap:\"'|")
	f.Fuzz(func(t *testing.T, from, to, relation, note string) {
		e := &recording.Execution{
			System: "clients", Facts: []recording.Fact{operation("request", from, 1, note, 1), operation("reply", to, 1, relation, 2), operation("request", note, 2, to, 2)},
			Bounds:   rounds.Bounds{Processes: []string{from, to}, EOT: 2},
			Schedule: rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: to, Round: 2}}},
			Messages: []recording.Message{{From: from, To: to, Round: 1, Relation: relation}, {From: to, To: note, Round: 1, Relation: relation}, {To: to, Round: 1, Lost: true}},
		}
		var out bytes.Buffer
		require.NoError(t, diagram.WriteMermaid(&out, e, diagram.Options{Notes: []diagram.Note{{Round: 1, Text: note}}}))
		requireMermaid(t, out.String())
	})
}
