//go:build unix

package processgroup_test

import (
	"bufio"
	"io"
	"os/exec"
	"testing"

	"github.com/lineage-driven/ldfi/internal/processgroup"
	"github.com/stretchr/testify/require"
)

// What a program started ends with it: nobody holds its output open any more.
func TestKill(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 600 & echo started; wait")
	processgroup.Separate(cmd)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	all := bufio.NewReader(out)
	line, err := all.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "started\n", line)
	require.NoError(t, processgroup.Kill(cmd))
	_, err = io.ReadAll(all) // which ends when sleep has ended
	require.NoError(t, err)
	require.Error(t, cmd.Wait())
}
