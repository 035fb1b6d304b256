//go:build linux

package remote_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// starter is ldfi with a host that it has started: it stays until it is killed.
func starter() {
	command := os.Getenv("COMMAND")
	os.Setenv("HOST", os.Getenv("HOST_OF_STARTER"))
	r, err := remote.Start(context.Background(), command, remote.Options{})
	if err != nil {
		fmt.Println("it does not start:", err)
		return
	}
	fmt.Println("started")
	if os.Getenv("ASK") != "" {
		s, _ := r.System("s")
		_, _, _ = s.Execute(context.Background(), rounds.Schedule{}, 0, messages.Never)
	}
	time.Sleep(time.Hour)
}

func init() {
	hosts["starter"] = starter
	hosts["deaf"] = func() {
		fmt.Println(`{"id":1,"version":1,"systems":[{"name":"s","processes":["a"],"rounds":1,"properties":[]}]}`)
		time.Sleep(time.Hour)
	}
}

// When ldfi is killed, no process is left of what it started: not the host, not
// what this is wrapped in, and not what ends them.
func TestNothingIsLeftWhenKilled(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, c := range []struct{ name, host, command, ask string }{
		{"a host", "replog", "'" + program + "'", ""},
		{"a host that does not read", "deaf", "'" + program + "'", ""},
		{"a host that hangs", "hangs", "'" + program + "'", "yes"},
		{"a shell", "replog", "sh -c \"'" + program + "'; true\"", ""},
		{"a shell that waits for more", "deaf", "sh -c \"sleep 1000 & '" + program + "'; wait\"", ""},
		{"a shell with a child in a session of its own", "deaf", "sh -c \"setsid -f sleep 1000; '" + program + "'; true\"", ""},
		{"go run", "", "go run " + root + "/examples/election/host", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mark := fmt.Sprintf("LDFI_TEST_MARK=%d-%d", os.Getpid(), time.Now().UnixNano())
			temporary := t.TempDir()
			ldfi := exec.Command(program)
			ldfi.Env = append(os.Environ(), "HOST=starter", "HOST_OF_STARTER="+c.host, "COMMAND="+c.command, "ASK="+c.ask, "GOTMPDIR="+temporary, mark)
			out, err := ldfi.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, ldfi.Start())
			t.Cleanup(func() {
				for _, pid := range marked(mark) {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			})
			text := make([]byte, 1000)
			n, err := out.Read(text)
			require.NoError(t, err)
			require.Equal(t, "started\n", string(text[:n]))
			if c.ask != "" {
				time.Sleep(100 * time.Millisecond) // until it hangs
			}
			require.GreaterOrEqual(t, len(marked(mark)), 3, "ldfi, its host, and what guards it")
			require.NoError(t, ldfi.Process.Kill())
			_ = ldfi.Wait()
			require.Eventually(t, func() bool { return len(marked(mark)) == 0 }, 5*time.Second, 10*time.Millisecond)
			left, err := os.ReadDir(temporary)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// What a host has started in a session of its own ends with the host, also where its parent
// has ended before, or where it does not have the environment of the host.
func TestSessionsOfTheirOwnEndWithTheirHost(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv("HOST", "replog")
	for _, left := range []string{"setsid sleep TIME &", "setsid -f sleep TIME;", "(setsid sh -c 'sleep TIME & true' &);", "setsid sh -c 'env -i sleep TIME; true' &"} {
		seconds := fmt.Sprintf("1000.%d", time.Now().UnixNano())
		sleeps := func() (n int) {
			all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
			for _, file := range all {
				if words, _ := os.ReadFile(file); string(words) == "sleep\x00"+seconds+"\x00" {
					n++
				}
			}
			return n
		}
		t.Setenv("LEFT", strings.ReplaceAll(left, "TIME", seconds))
		r, err := remote.Start(t.Context(), "sh -c 'eval \"$LEFT\"; exec \"$0\"' "+program, remote.Options{})
		require.NoError(t, err, left)
		require.Eventually(t, func() bool { return sleeps() == 1 }, 10*time.Second, time.Millisecond, left)
		_ = r.Close()
		require.Eventually(t, func() bool { return sleeps() == 0 }, 10*time.Second, time.Millisecond, left) // what was killed is there until it has ended
	}
}

// marked returns the processes with a variable in their environment.
func marked(mark string) []int {
	var found []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environment, err := os.ReadFile(file)
		pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
		if err == nil && bytes.Contains(environment, []byte(mark)) {
			found = append(found, pid)
		}
	}
	return found
}
