package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What init writes stands in the documentation as well.
func TestInitWritesTheWorkflow(t *testing.T) {
	documented, err := os.ReadFile("../../docs/github-workflow.yml")
	require.NoError(t, err)
	written, err := starterFiles.ReadFile("init/ldfi.yml")
	require.NoError(t, err)
	require.Equal(t, string(documented), string(written), "copy the one over the other")
}

// The protocol can be mended as it says itself.
func TestInitCanBeMended(t *testing.T) {
	text, err := starterFiles.ReadFile("init/broadcast.ded")
	require.NoError(t, err)
	mended := strings.Replace(string(text), "@async :- send(P, M)", "@async :- log(P, M)", 1)
	require.NotEqual(t, string(text), mended)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("broadcast.ded", []byte(mended), 0o666))
	var shown bytes.Buffer
	code := run(t.Context(), []string{"run", "broadcast.ded"}, streams{in: strings.NewReader(""), out: &shown, err: &shown})
	require.Equal(t, exitHolds, code, shown.String())
}

// A file where a directory has to be is reported before anything is written.
func TestInitWritesAllOrNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile(".github", nil, 0o666))
	var shown bytes.Buffer
	code := run(t.Context(), []string{"init"}, streams{in: strings.NewReader(""), out: &shown, err: &shown})
	require.Equal(t, exitUsage, code)
	require.Equal(t, "ldfi: making a directory for .github/workflows/ldfi.yml: mkdir .github: not a directory; name another directory: ldfi init DIR\n", shown.String())
	require.NoFileExists(t, "broadcast.ded")
}
