package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The manual page names every command, with the sentence that its help has.
func TestManualPage(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var want [][]string
	for _, c := range new(session).root().Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" && c.Name() != "help" {
			want = append(want, []string{c.Name(), c.Short})
		}
	}
	var got [][]string
	for _, m := range regexp.MustCompile(`(?m)^\t([a-z]+) {2,}([A-Z].*)$`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1:])
	}
	require.ElementsMatch(t, want, got)
}
