//go:build unix

package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/stretchr/testify/require"
)

const limit = 1 << 20

// here makes one file of each kind in a directory.
func here(t *testing.T) string {
	dir := t.TempDir()
	name := func(n string) string { return filepath.Join(dir, n) }
	require.NoError(t, os.WriteFile(name("full"), []byte(strings.Repeat("x", limit)), 0o600))
	require.NoError(t, os.WriteFile(name("large"), []byte(strings.Repeat("x", limit+1)), 0o600))
	require.NoError(t, syscall.Mkfifo(name("pipe"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", name("zero")))
	require.NoError(t, os.Symlink("full", name("link")))
	require.NoError(t, os.Symlink("pipe", name("linkedpipe")))
	return dir
}

// Neither a pipe nor a device is read that a repository has: the test would not
// end.
func TestRead(t *testing.T) {
	dir := here(t)
	for name, want := range map[string]string{
		"full": "", "link": "",
		"large": "the file is too large (at most 1 MiB)", "pipe": "this is not a regular file", "linkedpipe": "this is not a regular file",
		"zero": "this is not a regular file", ".": "this is a directory", "none": "no such file or directory",
	} {
		data, err := files.Read(filepath.Join(dir, name), limit)
		if want == "" {
			require.NoError(t, err, name)
			require.Len(t, data, limit)
			continue
		}
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, dir)
	}
}

// What the user names is read, up to the limit, if it is no device: one may never end.
func TestReadNamed(t *testing.T) {
	dir := here(t)
	_, err := files.ReadNamed(filepath.Join(dir, "zero"), limit)
	require.ErrorContains(t, err, "zero: this is a device; a file or a pipe is read")
	_, err = files.ReadNamed(filepath.Join(dir, "large"), limit)
	require.ErrorContains(t, err, "too large (at most 1 MiB)")
	_, err = files.ReadNamed(dir, limit)
	require.ErrorContains(t, err, "this is a directory")
	pipe := filepath.Join(dir, "pipe")
	go func() { _ = os.WriteFile(pipe, []byte("said"), 0) }()
	data, err := files.ReadNamed(pipe, limit)
	require.NoError(t, err)
	require.Equal(t, "said", string(data))
	data, err = files.ReadAll(strings.NewReader("said"), "standard input", limit)
	require.NoError(t, err)
	require.Equal(t, "said", string(data))
}
