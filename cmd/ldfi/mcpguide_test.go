package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// toolBlock is a call in the guide, with the text that answers it.
var toolBlock = regexp.MustCompile("(?s)```tool\n(\\w+) (.*?)\n(.*?)```\n")

// The calls in the guide are answered as it says, in a directory that ldfi init has
// filled.
func TestGuideOfAssistants(t *testing.T) {
	page, err := filepath.Abs("../../docs/guide/assistants.md")
	require.NoError(t, err)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	dir := t.TempDir()
	client := assistantHere(t, dir)
	require.Equal(t, 0, run(t.Context(), []string{"init"}, streams{out: io.Discard, err: io.Discard}))
	calls := 0
	played := toolBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		calls++
		m := toolBlock.FindStringSubmatch(block)
		answer := call(t, client, m[1], m[2])
		note := ""
		if answer.wrong {
			note = "error: "
		}
		return "```tool\n" + m[1] + " " + m[2] + "\n" + note + strings.TrimRight(answer.text, "\n") + "\n```\n"
	})
	require.Positive(t, calls)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(played), 0o644))
		return
	}
	require.Equal(t, string(text), played, "run go test ./cmd/ldfi -run TestGuideOfAssistants -update")
}

// The guide names the arguments that the tools have.
func TestGuideNamesArguments(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/assistants.md")
	require.NoError(t, err)
	for _, tool := range new(toolServer).tools() {
		row := regexp.MustCompile("(?m)^\\| `" + tool.Name + "` \\| (.*) \\|$").FindStringSubmatch(string(text))
		require.NotNil(t, row, tool.Name)
		var names []string
		for _, p := range tool.Parameters {
			if p.Name != "files" && p.Name != "case" && p.Name != "bounds" && p.Name != "timeout" {
				names = append(names, p.Name)
			}
		}
		var said []string
		for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(row[1], -1) {
			said = append(said, m[1])
		}
		require.Equal(t, said, names, tool.Name)
	}
}
