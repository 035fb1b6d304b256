package bisect

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// What is left by somebody who was killed is removed by the next: a directory that
// was not even locked yet, and one that was just being removed.
func TestScratchOfTheKilled(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, name := range []string{"ldfi-bisect-1", "ldfi-bisect-2/0", "ldfi-bisect-3.gone"} {
		require.NoError(t, os.MkdirAll(filepath.Join(temporary, name), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(temporary, "ldfi-bisect-2", scratchLock), nil, 0o600))
	s, err := newScratch()
	require.NoError(t, err)
	entries, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, s.remove())
}

// Whoever has a directory keeps it, however many others begin meanwhile.
func TestScratchOfTheLiving(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var all errgroup.Group
	for range 16 {
		all.Go(func() error {
			for range 20 {
				s, err := newScratch()
				if err != nil {
					return err
				}
				if _, err := s.mkdir("0"); err != nil {
					return err
				}
				prune(temporary)
				if _, err := os.Stat(filepath.Join(s.dir, "0")); err != nil {
					return err
				}
				if err := s.remove(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	entries, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, entries)
}
