//go:build linux && (amd64 || arm64)

package subprocess_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/stretchr/testify/require"
)

// A confined program reads files and changes none; this one, and what else it starts, goes
// on as before.
func TestConfined(t *testing.T) {
	if left := subprocess.Unconfined(); left != "" {
		t.Skip("programs are not confined on this machine: " + left)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "there")
	require.NoError(t, os.WriteFile(file, []byte("text\n"), 0o644))
	run := func(start func(*exec.Cmd) error, script string) string {
		t.Helper()
		out := &subprocess.LastOutput{Size: 1 << 16}
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
		subprocess.Separate(cmd)
		require.NoError(t, start(cmd))
		_ = cmd.Wait()
		return out.String()
	}
	require.Equal(t, "text\n", run(subprocess.StartConfined, "cat there; echo nowhere > /dev/null"))
	for _, script := range []string{
		"echo more >> there", ": > there", "echo new > new", "rm there", "mkdir new", "mv there new", "ln there new", "ln -s there new", "mkfifo new",
		"chmod 600 there", "chown 1:1 there", "touch -d 2001-01-01 there", "kill -0 " + "$PPID", "sh -c 'rm there'",
	} {
		require.Regexp(t, "(?i)denied|not permitted|cannot create", run(subprocess.StartConfined, script), script)
		text, err := os.ReadFile(file)
		require.NoError(t, err, script)
		require.Equal(t, "text\n", string(text), script)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "changed\n", run(subprocess.Start, "echo changed > there; cat there"))
}
