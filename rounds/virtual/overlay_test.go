package virtual_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

var long = flag.Int("long", 0, "execute so many repeated in each program with the overlay")

// executions is how many are compared.
func executions() int { return max(*long, 50) }

func sum(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum64())
}

// built returns the tests of this package, built with the overlay.
func built(t *testing.T) string {
	t.Helper()
	installed, err := gobuild.Installed(t.Context(), "go", ".", os.Environ())
	require.NoError(t, err)
	list, err := installed.Write()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "virtual.test")
	out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay="+list, "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// The tests of exactness, and of what only the overlay can, in programs that are built
// with it: three at the same time, whose recordings are the same.
func TestOverlay(t *testing.T) {
	program := built(t)
	var outs [3]string
	var all errgroup.Group
	for i := range outs {
		all.Go(func() error {
			c := exec.CommandContext(t.Context(), program, "-test.run=^(TestExact|TestUnrecovered|TestUnchanged|TestConcreteTypes|TestTLS|TestSharedClients|TestSignals|TestMemory|TestSettingsArePutBack|TestExecutionsNeverOverlap|TestClock|TestConnections|TestAcceptLoops)$", "-test.count=1", "-test.v", fmt.Sprintf("-long=%d", *long))
			out, err := c.CombinedOutput()
			outs[i] = string(out)
			return err
		})
	}
	err := all.Wait()
	require.NoError(t, err, strings.Join(outs[:], "\n"))
	require.Equal(t, recordings(outs[0]), recordings(outs[1]))
	require.Equal(t, recordings(outs[0]), recordings(outs[2]))
	require.Len(t, recordings(outs[0]), len(repeated))
	// in a program of its own: goroutines that hang may disturb the executions after them
	out, err := exec.CommandContext(t.Context(), program, "-test.run=^TestHang$", "-test.count=1").CombinedOutput()
	require.NoError(t, err, string(out))
}

// recordings returns what a program says of its executions.
func recordings(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "RECORDING ") {
			lines = append(lines, line)
		}
	}
	return lines
}
