//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// endless has a billion facts in its first round: no limit below that ends it
// before a signal does.
const endless = `// ldfi: processes=a,b eot=4 eff=3 crashes=1
n("a", 0)@1;
n(X, I + 1) :- n(X, I), I < 999;
triple(X, I, J, K) :- n(X, I), n(X, J), n(X, K);
violation(X) :- triple(X, 1, 1, 1), triple(X, I, J, K), I + J + K < 0;
`

// startReading starts ldfi on a named pipe and returns when it waits for the
// program: by then it handles signals.
func startReading(t *testing.T, args ...string) (*exec.Cmd, *os.File, *bytes.Buffer) {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "endless.ded")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	var out bytes.Buffer
	cmd := exec.Command("ldfi", append(args, pipe)...)
	cmd.Stdout = &out
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	program, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
	require.NoError(t, err)
	return cmd, program, &out
}

func TestCtrlCSaysWhatIsKnown(t *testing.T) {
	cmd, program, out := startReading(t, "run", "--max-facts", "2000000000", "--max-gates", "2000000000")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_, err := program.WriteString(endless)
	require.NoError(t, err)
	require.NoError(t, program.Close())

	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, exitInconclusive, exit.ExitCode())
	require.Regexp(t, `^inconclusive  interrupted`, out.String())
}

func TestSecondCtrlCEndsTheProcess(t *testing.T) {
	cmd, program, _ := startReading(t, "run")
	defer program.Close()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		_ = cmd.Process.Signal(os.Interrupt) // fails once the process has ended
		select {
		case err := <-done:
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, exitInconclusive, exit.ExitCode())
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestAFullDiskIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	var stderr bytes.Buffer
	cmd := exec.Command("ldfi", "version")
	cmd.Stdout, cmd.Stderr = full, &stderr
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Run(), &exit)
	require.Equal(t, exitUsage, exit.ExitCode())
	require.Contains(t, stderr.String(), "writing the result")
}
