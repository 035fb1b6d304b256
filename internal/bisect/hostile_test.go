package bisect

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/stretchr/testify/require"
)

// What versions are called, and what they do, moves no cursor, makes no line, and
// ends no block of Markdown.
func TestHostileReport(t *testing.T) {
	write := func(hostile, diff string) (text, page string) {
		m := &Matrix{System: hostile, Inputs: []string{hostile, "second"}, Findings: []Finding{
			{Version: hostile, Input: hostile, Note: hostile, State: Holds, Warnings: []string{hostile}, Instead: []string{hostile}},
			{Version: "v2", Input: "second", Note: hostile, State: Skipped, Reason: hostile},
		}}
		m.Changes = []Change{{
			From: 0, To: 1, Before: hostile, After: "v2", Diff: diff, Input: hostile,
			Inputs:     &InputChange{Before: []subject.Element{{Kind: "fact", Text: hostile, File: hostile}}},
			Left:       []Move{{Element: subject.Element{Kind: "rule", Text: hostile}}},
			Divergence: &execution.Divergence{Round: 1, Before: []string{hostile}, After: []string{hostile + "2"}},
		}}
		m.Conclusion.Sentences = []string{hostile}
		r := &Report{Matrices: []*Matrix{m}}
		var out, md bytes.Buffer
		require.NoError(t, r.WriteText(&out))
		require.NoError(t, r.WriteMarkdown(&md))
		return out.String(), md.String()
	}
	s, page := write("harmless", "+x\n")
	for _, hostile := range []string{"\x1b[2J", "x\r::error::y", "\u202e\u200b", "\xff", "```\n</details><script>", "a\n```\n# heading\n| b |", "##[error]"} {
		hostileText, hostilePage := write(hostile, "+```\n")
		for _, out := range []string{hostileText, hostilePage} {
			require.Equal(t, text.SafeLines(out), out, "%q", hostile)
		}
		if !strings.Contains(hostile, "\n") { // what is written in several lines is told in several
			require.Equal(t, strings.Count(s, "\n"), strings.Count(hostileText, "\n"), hostileText)
		}
		require.Equal(t, strings.Count(page, "\n"), strings.Count(hostilePage, "\n"), hostilePage)
		require.NotContains(t, outsideOfCode(hostilePage), "<")
	}
}

// outsideOfCode leaves out blocks of code, as CommonMark delimits them, and what
// is escaped.
func outsideOfCode(page string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(page) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && len(ticks) >= len(fence) && strings.TrimSpace(line) == ticks:
			fence = ""
		case fence == "":
			out.WriteString(line)
		}
	}
	text := strings.NewReplacer(`\<`, "", "\\`", "").Replace(out.String())
	for code := strings.Split(text, "`"); len(code) > 2; code = strings.Split(text, "`") {
		text = code[0] + strings.Join(code[2:], "`")
	}
	return text
}

// The name of a version with an end of line stays one line of a diff.
func TestDiffOfHostileNames(t *testing.T) {
	rule := []subject.Element{{Kind: "rule", Key: "1", Text: "a(X) :- b(X, \"1\n2\");"}}
	text := diffOf("old\n+x", rule, "new\n-y", nil)
	require.Equal(t, "--- old\\n+x\n+++ new\\n-y\n@@ -1,1 +0,0 @@\n-a(X) :- b(X, \"1\\n2\");\n", text)
}
