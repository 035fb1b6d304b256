//go:build unix

package subprocess_test

import (
	"bufio"
	"io"
	"os/exec"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/stretchr/testify/require"
)

// What a program started ends with it: nobody holds its output open any more.
func TestKill(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 600 & echo started; wait")
	subprocess.Separate(cmd)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	all := bufio.NewReader(out)
	line, err := all.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "started\n", line)
	require.NoError(t, subprocess.Kill(cmd))
	_, err = io.ReadAll(all) // which ends when sleep has ended
	require.NoError(t, err)
	require.Error(t, cmd.Wait())
}
