package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// What is left by somebody who was killed is removed by the next: a directory that
// was not even locked yet, and one that was just being removed. What others called alike stays.
func TestOfTheKilled(t *testing.T) {
	parent := t.TempDir()
	for _, name := range []string{"x-1", "x-2/0", "x-3.gone", "x-mine", "y-1"} {
		require.NoError(t, os.MkdirAll(filepath.Join(parent, name), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(parent, "x-2", Lock), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(parent, "x-2/0/file"), nil, 0o400))
	require.NoError(t, os.Chmod(filepath.Join(parent, "x-2/0"), 0o500))
	d, err := NewScratch(parent, "x-")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{filepath.Base(d.Path()), "x-mine", "y-1"}, names(t, parent))
	require.NoError(t, d.Remove())
	require.Equal(t, []string{"x-mine", "y-1"}, names(t, parent))
}

// Whoever has a directory keeps it, however many others begin meanwhile.
func TestOfTheLiving(t *testing.T) {
	parent := t.TempDir()
	var all errgroup.Group
	for range 16 {
		all.Go(func() error {
			for range 20 {
				d, err := NewScratch(parent, "x-")
				if err != nil {
					return err
				}
				if _, err := d.Mkdir("0"); err != nil {
					return err
				}
				prune(parent, "x-")
				if _, err := os.Stat(filepath.Join(d.Path(), "0")); err != nil {
					return err
				}
				if err := d.Remove(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	require.Empty(t, names(t, parent))
}

// A directory stays while somebody holds it whom its owner started.
func TestHold(t *testing.T) {
	parent := t.TempDir()
	d, err := NewScratch(parent, "x-")
	require.NoError(t, err)
	require.NoError(t, Hold(d.Path()))
	require.NoError(t, d.lock.Close()) // as when its owner is killed
	prune(parent, "x-")
	require.DirExists(t, d.Path())
}

// What may not be written to, or not even be looked into, is removed too; what a link leads
// to stays as it is.
func TestRemoveAll(t *testing.T) {
	parent := t.TempDir()
	at := func(name string) string { return filepath.Join(parent, name) }
	require.NoError(t, os.MkdirAll(at("x/deep/deeper"), 0o700))
	require.NoError(t, os.WriteFile(at("x/deep/deeper/file"), nil, 0o400))
	require.NoError(t, os.Mkdir(at("other"), 0o500))
	require.NoError(t, os.Symlink("../../other", at("x/deep/link")))
	for _, dir := range []string{"x/deep/deeper", "x/deep", "x"} {
		require.NoError(t, os.Chmod(at(dir), 0))
	}
	root, err := os.OpenRoot(parent)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, RemoveAll(root, "x"))
	require.NoDirExists(t, at("x"))
	info, err := os.Stat(at("other"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o500), info.Mode().Perm())
	require.NoError(t, RemoveAll(root, "x")) // which is gone
}

// What a process has not removed by its end is removed there, once.
func TestRemoveLeft(t *testing.T) {
	parent := t.TempDir()
	first, err := NewScratch(parent, "x-")
	require.NoError(t, err)
	_, err = NewScratch(parent, "x-")
	require.NoError(t, err)
	require.NoError(t, first.Remove())
	require.Len(t, names(t, parent), 1)
	RemoveLeftScratch()
	require.Empty(t, names(t, parent))
	RemoveLeftScratch()
}
