package process_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// From the second execution on processes wait for the next one. They do not wait for ever,
// and what they do is what others do.
func TestProcessesAreStartedAhead(t *testing.T) {
	c := once(t, "random", "1", "3")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	file := filepath.Join(dir, "own")
	require.NoError(t, os.Link(c.Clients[0].File, file)) // other tests start the program, too
	c.Clients[0].File = file
	wait := func() (all int) {
		links, err := filepath.Glob("/proc/[0-9]*/exe")
		require.NoError(t, err)
		for _, link := range links {
			if to, err := os.Readlink(link); err == nil && to == file {
				all++
			}
		}
		return all
	}
	s, err := c.System()
	require.NoError(t, err)
	seen, most := map[string]bool{}, 0
	for range 5 {
		e, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
		require.NoError(t, err)
		seen[told(e)] = true
		most = max(most, wait())
	}
	assert.Len(t, seen, 1)
	assert.Positive(t, most)
	assert.LessOrEqual(t, most, runtime.GOMAXPROCS(0))
	assert.Eventually(t, func() bool { return wait() == 0 }, time.Minute, 100*time.Millisecond)
}
