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
	{"internal/subject/protocol.go", "the protocol that it is about, and its options", 0},
	{"ldfi/check.go", "all rounds at once, and fewer rounds where these take long", 2},
	{"ldfi/race.go", "the ways to decide, side by side", 2},
	{"ldfi/bycircuit.go", "one way: conditions of all facts in one circuit", 2},
	{"provenance/evaluate.go", "the program under all schedules at once", 5},
	{"solver/search.go", "a smallest set of faults that breaks the promise, or none", 5},
	{"ldfi/executor.go", "the set is executed", 2},
	{"internal/lockstep/execute.go", "one execution, by another evaluator", 8},
	{"ldfi/result/answer.go", "verdict, scope, counterexamples", 2},
	{"internal/answertext/answer.go", "the answer in words", 0},
}

// The page begins with a picture of one question that goes through the house. Each file is
// there, and each package is imported by the one that calls it.
func TestPicture(t *testing.T) {
	all := imports(t)
	width := 0
	for _, step := range way {
		width = max(width, len(step.file))
	}
	picture := "```text\n"
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
