package subject_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// What breaks without faults may do so since the servers of a host share a package
// variable: the answer names where that is written. Nothing is named where it holds.
func TestSharedVariablesAreNamed(t *testing.T) {
	program := filepath.Join(t.TempDir(), "shared-host")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/sharedhost").CombinedOutput()
	require.NoError(t, err, string(out))
	about := &subject.System{Command: text.ShellQuote(program), Name: "shared", Executions: 20}
	const named = `testdata/sharedhost/main.go:50:2: warning: a likely cause of a failure without faults: the package variable main.handed, which all servers of the host share, is written here after its start; give each server its own`

	o := open(t, about)
	a, err := o.Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Empty(t, a.First().Schedule.String())
	require.Len(t, a.Warnings, 1)
	require.Equal(t, named, a.Warnings[0].String())

	in, err := o.Replay(t.Context(), schedule(t, ""))
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
	require.Len(t, in.Warnings, 1)
	require.Equal(t, named, in.Warnings[0].String())

	in, err = o.Replay(t.Context(), schedule(t, "isolate b@2"))
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
	require.Empty(t, in.Warnings, "the faults may be the cause")

	about.Name = "cut off"
	a, err = open(t, about).Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, 1, a.First().Size)
	require.Empty(t, a.Warnings, "the fault is the cause")

	about.Name = "own"
	o = open(t, about)
	in, err = o.Replay(t.Context(), schedule(t, ""))
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict)
	require.Empty(t, in.Warnings)
}
