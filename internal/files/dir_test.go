//go:build unix

package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/stretchr/testify/require"
)

// confined makes a directory with a file, ways out of it, and what is no file; beside it
// lies a secret.
func confined(t *testing.T) *files.Dir {
	t.Helper()
	outer := t.TempDir()
	name := func(n string) string { return filepath.Join(outer, "in", n) }
	require.NoError(t, os.MkdirAll(name("deep"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(outer, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.WriteFile(name("full"), []byte("said"), 0o600))
	require.NoError(t, os.WriteFile(name("deep/full"), []byte("said"), 0o600))
	require.NoError(t, syscall.Mkfifo(name("pipe"), 0o600))
	for link, to := range map[string]string{
		"inside": "deep/full", "deep/up": "../full", "out": "../secret", "absolute": filepath.Join(outer, "secret"), "nowhere": "../none",
		"dir": "..", "round": "../in/full", "zero": "/dev/zero", "piped": "pipe", "loop": "loop", "stdin": "/dev/stdin",
	} {
		require.NoError(t, os.Symlink(to, name(link)))
	}
	dir, err := files.OpenDir(filepath.Join(outer, "in"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dir.Close()) })
	return dir
}

const leads = "this leads out of the directory, and only what is in it is read"

// No name leads out of a directory, and what leads out is refused in the same words
// whether there is something or not.
func TestDir(t *testing.T) {
	dir := confined(t)
	for name, want := range map[string]string{
		"full": "", "./full": "", "deep/full": "", "deep/../full": "", "inside": "", "deep/up": "",
		"../secret": leads, "../none": leads, "/etc/passwd": leads, "/none": leads, "deep/../../secret": leads, "..": leads,
		"out": leads, "absolute": leads, "nowhere": leads, "dir": leads, "dir/secret": leads, "dir/none": leads, "round": leads,
		"zero": leads, "stdin": leads, "pipe": "this is not a regular file", "piped": "this is not a regular file",
		"deep": "this is a directory", "": "this is a directory", ".": "this is a directory", "none": "open none: no such file or directory",
		"loop": "too many levels of symbolic links", "full/x": "not a directory", "a\x00b": "invalid argument",
	} {
		data, err := files.ReadFrom(dir, name, limit)
		if want == "" {
			require.NoError(t, err, name)
			require.Equal(t, "said", string(data), name)
			continue
		}
		require.ErrorContains(t, err, want, "%q", name)
		require.NotContains(t, err.Error(), "secret: no such")
		_, err = dir.Stat(name)
		if want == leads {
			require.ErrorContains(t, err, want, "%q", name)
		}
	}
	_, err := files.ReadFrom(dir, "full", 3)
	require.ErrorContains(t, err, "too large")
	entries, err := fs.ReadDir(dir, "deep")
	require.NoError(t, err)
	require.Len(t, entries, 2)
	for _, name := range []string{"dir", "..", "/"} {
		_, err = fs.ReadDir(dir, name)
		require.ErrorContains(t, err, leads, name)
	}
}

// A link that is changed all the time, from a file to what lies outside, is never read
// where it leads out.
func TestDirWithChangingLinks(t *testing.T) {
	outer := t.TempDir()
	in := filepath.Join(outer, "in")
	require.NoError(t, os.MkdirAll(filepath.Join(in, "d"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(outer, "d"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(in, "d", "f"), []byte("said"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(outer, "d", "f"), []byte("secret"), 0o600))
	swapped, err := files.OpenDir(in)
	require.NoError(t, err)
	defer swapped.Close()
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-end:
				return
			default:
			}
			next := filepath.Join(in, "next")
			_ = os.Symlink([]string{"d", "../d"}[i%2], next)
			_ = os.Rename(next, filepath.Join(in, "now"))
		}
	}()
	read := 0
	for range 20_000 {
		data, err := files.ReadFrom(swapped, "now/f", limit)
		if err == nil {
			read++
			require.Equal(t, "said", string(data))
		}
	}
	close(end)
	<-ended
	require.Positive(t, read)
}
