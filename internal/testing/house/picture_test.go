package house_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// way is how ldfi run FILE goes through the house: each step is a file, what is done there,
// and the step by whose package it is called (0: the command).
var way = []struct {
	file, does string
	from       int
}{
	{"cmd/ldfi/run.go", "flags", 0},
	{"cmd/ldfi/question.go", "a question: FILE within bounds", 0},
	{"internal/subject/where.go", "here, or handed out", 0},
	{"internal/subject/protocol.go", "the protocol that it is about, and its options", 0},
	{"ldfi/check.go", "all rounds at once, and fewer rounds where these take long", 3},
	{"ldfi/race.go", "the ways to decide, side by side", 3},
	{"ldfi/bycircuit.go", "one way: conditions of all facts in one circuit", 3},
	{"provenance/evaluate.go", "the program under all schedules at once", 6},
	{"solver/search.go", "a smallest set of faults that breaks the promise, or none", 6},
	{"ldfi/executor.go", "the set is executed, by another evaluator", 3},
	{"ldfi/result/answer.go", "verdict, scope, counterexamples", 3},
	{"internal/answertext/answer.go", "the answer in words", 0},
}

// The page begins with a picture of one question that goes through the house. Each file is
// there, and each package is imported by the one that calls it. They are twelve at most.
func TestPicture(t *testing.T) {
	all := imports(t)
	width := 0
	for _, step := range way {
		width = max(width, len(step.file))
	}
	picture := "```text\n"
	require.LessOrEqual(t, len(way), 12, "a reader can name these files from memory")
	for _, step := range way {
		_, err := os.Stat(filepath.Join(root, step.file))
		require.NoError(t, err)
		caller, callee := filepath.Dir(way[step.from].file), filepath.Dir(step.file)
		require.True(t, caller == callee || slices.Contains(all[caller], callee), "%s does not import %s", caller, callee)
		depth := 0
		for i := step.from; i != 0; i = way[i].from {
			depth++
		}
		picture += fmt.Sprintf("%-*s   %s%s\n", width, step.file, strings.Repeat("  ", depth), step.does)
	}
	picture += "```\n"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), pictureHead)
	require.True(t, ok, "the head of the picture is missing")
	_, after, ok := strings.Cut(rest, "```\n\n")
	require.True(t, ok, "the picture does not end")
	want := before + pictureHead + picture + "\n" + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.True(t, want == string(text), "the picture is not what the test draws: run go test ./internal/testing/house -update")
}

const pictureHead = "`ldfi run FILE` goes this way:\n\n"
