//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A search that is stopped says how many faults are needed at
// least, as the lines of progress did before.
func TestStoppedSearchHasABound(t *testing.T) {
	for _, by := range []string{"--timeout=5s", "--timeout=10m"} {
		for _, form := range []string{"text", "json"} {
			if by == "--timeout=5s" && form == "text" {
				continue // which the interrupted one shows
			}
			asked := filepath.Join(t.TempDir(), "asked") // a solver that answers once, and then takes its time
			slow := solverScript(t, "[ -e "+asked+" ] && sleep 600; touch "+asked+"; echo s UNSATISFIABLE; exit 20")
			cmd := exec.Command("ldfi", "run", broken, "--solver="+slow, by, "--progress=json", "--output="+form)
			var out strings.Builder
			cmd.Stdout = &out
			stderr, err := cmd.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			var last result.Stage
			interrupted := false
			for lines := bufio.NewScanner(stderr); lines.Scan(); {
				require.NoError(t, checkForm("progress", lines.Bytes()))
				var line result.Stage
				require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
				if line.Ways != nil {
					last = line
				}
				if last.AtLeast > 0 && by == "--timeout=10m" && !interrupted {
					interrupted = true
					require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
				}
			}
			_ = cmd.Wait()
			require.Equal(t, exitViolated, cmd.ProcessState.ExitCode(), out.String())
			require.NotEmpty(t, last.Ways)
			require.Equal(t, 2, last.Best.Size())
			if form == "text" {
				require.Regexp(t, `\n  so far +no set below 1 fault breaks the promise, and one of 2 faults does\n`, out.String())
				continue
			}
			var a result.Answer
			require.NoError(t, json.Unmarshal([]byte(out.String()), &a))
			require.Equal(t, 1, a.AtLeast)
		}
	}
}

func TestProgressForms(t *testing.T) {
	_, errors, _ := called(t, "run", classic, "--progress", "json")
	for line := range strings.Lines(errors) {
		require.NoError(t, json.Unmarshal([]byte(line), &map[string]any{}))
	}
	require.Contains(t, errors, `"ways":{`)
	for _, form := range []string{"plain", "none"} {
		_, errors, _ = called(t, "run", classic, "--progress", form)
		require.Empty(t, errors)
	}
	_, errors, code := called(t, "run", classic, "--progress", "loud")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errors, "--progress loud: there is plain, json or none")
}

// Where there is no terminal, what is built is said again and again, and nothing else is.
func TestBuildingIsSaidWithoutATerminal(t *testing.T) {
	out, in := io.Pipe()
	p := progress{every: time.Millisecond}
	p.start(in)
	p.line("searching v1")
	p.line(building + builtFirst("ldfi nodes --server ./kv"))
	lines := bufio.NewScanner(out)
	for range 3 {
		require.True(t, lines.Scan())
		require.Regexp(t, `^ldfi: building the programs, \d+ s$`, lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	p.stop()
}
