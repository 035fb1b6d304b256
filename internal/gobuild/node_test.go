package gobuild

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A package below a directory of another module is built there, and one of the same module
// where it is named.
func TestElsewhere(t *testing.T) {
	dir := t.TempDir()
	for _, module := range []string{"a", "b"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, module, "cmd"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, module, "go.mod"), []byte("module "+module+"\n"), 0o644))
	}
	a, cmd := filepath.Join(dir, "a"), filepath.Join(dir, "a", "cmd")
	require.Equal(t, node{where: filepath.Join(dir, "b", "cmd"), pkg: "."}, node{where: a, pkg: "../b/cmd"}.moved())
	require.Equal(t, node{where: filepath.Join(dir, "b"), pkg: "."}, node{where: a, pkg: filepath.Join(dir, "b")}.moved())
	for _, n := range []node{{where: a, pkg: "./cmd"}, {where: cmd, pkg: ".."}, {where: a, pkg: cmd}, {where: a, pkg: "b/cmd"}, {where: a, pkg: ".."}} {
		require.Equal(t, n, n.moved())
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module all\n"), 0o644))
	require.Equal(t, node{where: cmd, pkg: "."}, node{where: dir, pkg: "./a/cmd"}.moved(), "a module below")
}
