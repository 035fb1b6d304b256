//go:build unix

package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/stretchr/testify/require"
)

var kills = flag.Int("kills", 8, "how often check is killed at a random moment")

// losing is a program that the loss of its only message breaks.
const losing = `// ldfi: processes=a,b eot=4 eff=3 crashes=0
start("a", "b")@1;
ping(B, A)@async :- start(A, B);
got(B) :- ping(B, A);
got(B)@next :- got(B);
good(B) :- got(B);
`

// Wherever check is killed, git sees no file that is not a schedule or the suite,
// whole each, and the next run leaves nothing in the working tree and in the cache.
func TestKillsLeaveNothing(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var suite strings.Builder
	suite.WriteString("cases:\n")
	for i := range 30 {
		fmt.Fprintf(&suite, "- {name: case%d, files: p.ded, expect: holds}\n", i)
	}
	write("p.ded", losing)
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "x")
	check := func(args ...string) *exec.Cmd {
		cmd := exec.Command("ldfi", append([]string{"check", "--cache", cache}, args...)...)
		cmd.Dir = dir
		return cmd
	}
	left, written := 0, 0
	for i := range *kills {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "testdata")))
		write("ldfi.yaml", suite.String())
		var args []string
		if i%3 == 2 {
			args = []string{"--update"}
		}
		cmd := check(args...)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		for line := range strings.Lines(git("status", "--porcelain", "--untracked-files=all")) {
			require.Regexp(t, `^(\?\?| M) (ldfi.yaml|testdata/ldfi/case\d+/.*\.txt)\n$`, line)
		}
		if _, err := os.Stat(filepath.Join(dir, "testdata")); err == nil {
			written++
		}
		text, err := os.ReadFile(filepath.Join(dir, "ldfi.yaml"))
		require.NoError(t, err)
		require.Equal(t, 30, strings.Count(string(text), "expect"))
		if len(temporary(t, dir))+len(temporary(t, cache)) > 0 {
			left++
		}
	}
	t.Logf("of %d runs %d came to write schedules before they were killed; %d left a temporary directory, which the next removes", *kills, written, left)
	_ = check().Run()
	require.Empty(t, temporary(t, dir))
	require.Empty(t, temporary(t, cache))
}

// temporary returns the temporary directories below a directory.
func temporary(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == files.TemporaryName {
			found = append(found, path)
		}
		return err
	})
	require.NoError(t, err)
	return found
}

// Ctrl-C while go test builds says so, ends all that builds, also in a session of its own, and
// leaves no folder.
func TestInterruptedBuild(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes in other sessions are only found on Linux")
	}
	dir, temporary := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/slow\n\ngo 1.26\n",
		"a_test.go": "package slow\n",
		"tool":      "#!/bin/sh\ncase \"$2\" in -V*) exec \"$@\";; esac\nsetsid sh -c 'while :; do mkdir -p \"$GOTMPDIR/left\"; done'\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("ldfi", "test", "-toolexec", filepath.Join(dir, "tool"), ".")
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), "TMPDIR="+temporary, "GOWORK=off"), &stdout, &stderr
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		left, _ := filepath.Glob(filepath.Join(temporary, "ldfi-test-*", "left"))
		return len(left) > 0
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	require.Equal(t, exitInconclusive, cmd.ProcessState.ExitCode(), stderr.String())
	require.Equal(t, "ldfi: interrupted before a system was searched\n", stderr.String())
	require.Empty(t, stdout.String())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}
