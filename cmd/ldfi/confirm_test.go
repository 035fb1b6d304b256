//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/stretchr/testify/require"
)

// confirmed carries out confirm in the root of the repository, with scratch directories of
// its own, which have to be gone. It skips the test where there are no rights.
func confirmed(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	scratch := t.TempDir()
	cmd := exec.Command("ldfi", append([]string{"confirm"}, args...)...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "TMPDIR="+scratch)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	if strings.Contains(stderr.String(), "needs the right") || strings.Contains(stderr.String(), "/dev/net/tun") {
		t.Skip(stderr.String())
	}
	t.Log(stdout.String(), stderr.String())
	left, err := filepath.Glob(filepath.Join(scratch, "ldfi-confirm-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	return stdout.String() + stderr.String(), cmd.ProcessState.ExitCode()
}

// kvd is examples/kvd with two servers and a client.
func kvd(further ...string) []string {
	return append([]string{"--server", "./examples/kvd", "--nodes", "2", "--client", "./examples/kvd/load {peers:8080}", "--eot", "54"}, further...)
}

// A server that answers before others have a value loses it in real life, too, when it is
// killed or cut off soon enough; one that waits for them does not.
func TestConfirm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	dir := t.TempDir()
	shipped := []string{"--executions", "5"}
	for pkg, file := range map[string]string{"./examples/kvd": "kvd", "./examples/kvd/load": "load"} {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, file), pkg)
		build.Dir = "../.."
		said, err := build.CombinedOutput()
		require.NoError(t, err, "%s", said)
		shipped = append(shipped, "--program", pkg+"="+filepath.Join(dir, file))
	}
	busy := func(out string, code int) {
		if code == exitHolds && strings.Contains(out, "this machine is too busy") {
			t.Skip(out)
		}
		require.Equal(t, exitViolated, code)
	}
	kept := filepath.Join(dir, "kept.txt")
	command := "# kvd breaks clients succeed: what was stored is lost\n# ldfi inject --server ./examples/kvd --nodes 2 --client './examples/kvd/load {peers:8080}' --crashes 1 --eot 54 --faults 'crash n1@13' -- -others {others:8080} -async\ncrash n1@13\n"
	require.NoError(t, os.WriteFile(kept, []byte(command), 0o644))
	out, code := confirmed(t, append(shipped, kept)...)
	busy(out, code)
	require.Regexp(t, `(?s)^seen       in [1-5] of 5 executions of the programs as they are\n  faults   crash n1@13\n  broken   [1-5]× clients succeed: client ends with status 1: what was stored is lost`, out)

	out, code = confirmed(t, append(shipped, kvd("--faults", "isolate n1@14..54", "--output", "json", "--", "-others", "{others:8080}", "-async")...)...)
	text := []byte(out[:strings.LastIndex(out, "}")+1])
	require.NoError(t, checkJSON([]string{"confirm", "--output", "json"}, text))
	busy(out, code)
	var c answertext.Confirmation
	require.NoError(t, json.Unmarshal(text, &c))
	require.Positive(t, c.Seen)

	shipped[1] = "1"
	out, code = confirmed(t, append(shipped, kvd("--faults", "crash n1@16; restart n1@30; terminate n2@20..25; pause n2@40..42", "--", "-others", "{others:8080}")...)...)
	require.Equal(t, exitHolds, code)
	require.Contains(t, out, "not seen   in 1 execution of the programs as they are\n")
	require.Contains(t, out, "crash n1@16 is a SIGKILL here, and writes that were not synced survive it")
}

// What real programs cannot be made to do is refused before they are built.
func TestConfirmRefuses(t *testing.T) {
	for faults, why := range map[string]string{
		"crash n1@9/call2":              "is killed at the beginning of a round, and not before one of its operations on files",
		"crash n1@9/torn":               "SIGKILL keeps what was written",
		"failsync n1@9":                 "real disks do not fail when they are told to",
		"crash n1@9; jump n2@5+3":       "all nodes share the real clock of this machine",
		"crash n3@9":                    "n3",
		"crash n1@99":                   "round",
		"crash n1@9; restart n1@12/lo ": "--faults",
	} {
		out, stderr, code := called(t, append([]string{"confirm"}, kvd("--faults", faults)...)...)
		require.Equal(t, exitUsage, code, faults)
		require.Empty(t, out)
		require.Contains(t, stderr, why)
	}
	listening := filepath.Join(t.TempDir(), "listens.mg")
	require.NoError(t, os.WriteFile(listening, []byte("violation(N) :- listens(N, 8080, R), R > 3.\n"), 0o644))
	kept := filepath.Join(t.TempDir(), "kept.txt")
	require.NoError(t, os.WriteFile(kept, []byte("# kvd breaks listens: n1\ncrash n1@9\n"), 0o644))
	_, stderr, code := called(t, "confirm", "--server", "../../examples/kvd", "--property", listening, kept)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "listens cannot be confirmed: real programs do not report listens")
}

// The release is that of the servers of a file which are packages of a module.
func TestConfirmOfARelease(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.yaml")
	require.NoError(t, os.WriteFile(none, []byte("servers: [{name: n, build: example.org/none@v1.0.0}]\ntick: 1s\n"), 0o644))
	for _, c := range []struct {
		args []string
		why  string
	}{
		{[]string{none, "--release", "v2.0.0"}, "example.org/none@v2.0.0"},
		{[]string{"--server", "../../examples/kvd", "--release", "v2.0.0"}, "--server PACKAGE@v2.0.0 names a release"},
	} {
		out, stderr, code := called(t, append([]string{"confirm", "--faults", "crash n@2"}, c.args...)...)
		require.Equal(t, exitUsage, code)
		require.Empty(t, out)
		require.Contains(t, stderr, c.why)
	}
}

// Without rights it says what to do.
func TestConfirmWithoutRights(t *testing.T) {
	t.Setenv(insideKey, "1")
	s := new(session)
	err := s.confirmInside(context.Background(), os.ErrPermission)
	require.EqualError(t, err, "confirm needs the right to make networks for the nodes: permission denied; run ldfi as root, or in a container with all rights (docker run --privileged)")
}

// Ctrl-C ends all programs, and says what is known.
func TestConfirmInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	confirmed(t, kvd("--executions", "1", "--", "-others", "{others:8080}")...) // it is built, and there are rights
	scratch, mark := t.TempDir(), "interrupted-"+filepath.Base(t.TempDir())+":8080"
	cmd := exec.Command("ldfi", append([]string{"confirm"}, kvd("--executions", "1000", "--", "-others", mark)...)...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "TMPDIR="+scratch)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	running := func() (n int) {
		all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range all {
			if text, err := os.ReadFile(file); err == nil && bytes.HasPrefix(text, []byte("kvd\x00")) && bytes.Contains(text, []byte(mark)) {
				n++
			}
		}
		return n
	}
	require.Eventually(t, func() bool { return running() == 2 }, time.Minute, 20*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	require.Equal(t, exitInconclusive, cmd.ProcessState.ExitCode())
	require.Contains(t, stdout.String(), "interrupted after ")
	require.Zero(t, running())
	left, err := filepath.Glob(filepath.Join(scratch, "ldfi-confirm-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
