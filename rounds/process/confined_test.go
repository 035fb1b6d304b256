package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// confined skips a test of what destroys, where nothing would hold it back that gets out.
func confined(t *testing.T) {
	t.Helper()
	if left := subprocess.Unconfined(); left != "" {
		t.Skip("nodes are not confined on this machine: " + left)
	}
}

// A program that asks Linux past package syscall, so that no call of it is intercepted,
// changes no real file and makes no socket: Linux refuses it.
func TestANodeHasNoRightToChangeRealFiles(t *testing.T) {
	confined(t)
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	require.NoError(t, os.WriteFile(real, []byte("is there"), 0o644))
	before := kept(t, real)

	c := process.Cluster{Rounds: 2, Clients: []process.Node{{Name: "n1", File: built(t, "./testdata/raw"), Args: []string{real}}}}
	lines := printed(executed(t, c, ""), "n1")
	require.Len(t, lines, 23)
	for _, line := range lines {
		what, answer, _ := strings.Cut(line, ": ")
		switch what {
		case "open the null device":
			assert.Equal(t, "done", answer)
		case "write to it":
			assert.Equal(t, "bad file descriptor", answer)
		default:
			assert.Contains(t, []string{"permission denied", "operation not permitted", "invalid cross-device link", "inappropriate ioctl for device"}, answer, what)
		}
	}
	text, err := os.ReadFile(real)
	require.NoError(t, err)
	assert.Equal(t, "is there", string(text))
	assert.Equal(t, before, kept(t, real))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// kept is what is known of a file besides its content and when it was read last.
func kept(t *testing.T, file string) syscall.Stat_t {
	t.Helper()
	var st syscall.Stat_t
	require.NoError(t, syscall.Lstat(file, &st))
	st.Atim = syscall.Timespec{}
	return st
}
