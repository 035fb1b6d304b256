package process_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built builds a program below testdata as a node.
func built(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, process.Build(t.Context(), ".", "./testdata/"+name, file))
	return file
}

// executed executes a cluster of one node.
func executed(t *testing.T, c process.Cluster, faults string) *recording.Execution {
	t.Helper()
	s, err := c.System()
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule(faults)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	return e
}

// printed returns the lines that a node has printed, by round and then sorted.
func printed(e *recording.Execution, node string) (lines []string) {
	for _, f := range e.Facts {
		if f.Relation == "log" && f.Args[0] == specs.String(node) {
			lines = append(lines, f.Args[1].Text())
		}
	}
	return lines
}

func TestFilesOfANodeAreLikeRealOnes(t *testing.T) {
	node, plain := built(t, "files"), filepath.Join(t.TempDir(), "files")
	out, err := exec.Command("go", "build", "-o", plain, "./testdata/files").CombinedOutput()
	require.NoError(t, err, "%s", out)
	const sequences = 20
	for seed := range 3 {
		args := []string{fmt.Sprint(seed), fmt.Sprint(sequences)}
		cmd := exec.Command(plain, args...)
		cmd.Dir = t.TempDir()
		text, err := cmd.Output()
		require.NoError(t, err)
		want := strings.Split(strings.TrimSpace(string(text)), "\n")

		e := executed(t, process.Cluster{Rounds: 2, Clients: []process.Node{{Name: "n1", File: node, Args: args}}}, "")
		got := printed(e, "n1")
		slices.Sort(got)
		require.Greater(t, len(want), 300*sequences)
		for i := range min(len(want), len(got)) {
			require.Equal(t, want[i], got[i], "seed %d, line %d, after\n%s", seed, i, strings.Join(want[max(i-15, 0):i], "\n"))
		}
		assert.Equal(t, len(want), len(got))
	}
}
