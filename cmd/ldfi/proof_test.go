//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

// solverScript returns the name of a program that is these lines of sh, as a SAT solver.
func solverScript(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "sat")
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	return name
}

// needCadical skips a test where cadical is not installed.
func needCadical(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("cadical"); err != nil {
		t.Skip("cadical is not installed (Debian: apt-get install cadical)")
	}
}

// The programs of these tests: the promise holds, by a question to the solver and without
// one, and breaks.
const (
	certified = "../../testdata/protocols/delivery/redundant.ded"
	broken    = "../../testdata/protocols/delivery/retry.ded"
)

// What others need to check a certificate is a formula, which they can make anew, and its
// proof.
func TestProof(t *testing.T) {
	needCadical(t)
	for _, bounds := range []string{"--crashes=1", "--crashes=0", "--crashes=0 --eff=1"} { // in the last nothing can be lost
		dir := t.TempDir()
		file, formula := filepath.Join(dir, "out.drat"), filepath.Join(dir, "out.cnf")
		args := append([]string{certified}, strings.Fields(bounds)...)
		stdout, stderr, code := called(t, append([]string{"run", "--solver", "cadical -q", "--proof", file}, args...)...)
		require.Equal(t, exitHolds, code, stderr)
		require.Contains(t, stdout, "\n  proof    "+file+", by cadical -q: the formula "+formula+" cannot be satisfied\n")
		cnf, err := os.ReadFile(formula)
		require.NoError(t, err)
		proof, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, oracle.CheckProof(cnf, proof))
		exported := filepath.Join(dir, "exported.cnf")
		_, stderr, code = called(t, append([]string{"export", "--formula", exported}, args...)...)
		require.Equal(t, 0, code, stderr)
		again, err := os.ReadFile(exported)
		require.NoError(t, err)
		require.Equal(t, string(cnf), string(again))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 3)
	}
}

// Of another verdict there is no proof, and none of an earlier time is left.
func TestNoProof(t *testing.T) {
	needCadical(t)
	dir := t.TempDir()
	file, formula := filepath.Join(dir, "out.drat"), filepath.Join(dir, "out.cnf")
	stdout, stderr, code := called(t, "run", broken, "--solver", "cadical -q", "--proof", file, "--output", "json")
	require.Equal(t, exitViolated, code)
	require.Equal(t, "note: the verdict is violated, and only holds has a proof: "+file+" is not written\n", stderr)
	require.NotContains(t, stdout, `"proof"`)
	require.NoError(t, os.WriteFile(formula, nil, 0o600))
	_, stderr, _ = called(t, "run", broken, "--solver", "cadical -q", "--proof", file)
	require.NotContains(t, stderr, "earlier")
	require.FileExists(t, formula, "which belongs to no proof")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, stderr, _ = called(t, "run", broken, "--solver", "cadical -q", "--proof", file)
	require.Contains(t, stderr, "is not written; "+file+" and "+formula+" of an earlier run are removed\n")
	require.NoFileExists(t, file)
	require.NoFileExists(t, formula)
}

// What is wrong with a solver is an error that says what, and nothing is written.
func TestSolverErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out.drat")
	for text, says := range map[string]string{
		"exit 1":                                "ends with exit status 1 and no answer",
		"echo s SATISFIABLE; echo v 0; exit 10": "by a model that does not",
		"kill -SEGV $$":                         "was ended before it had answered (signal: segmentation fault",
		"echo s UNSATISFIABLE; exit 20":         "wrote no proof: it has to write one into the file behind that of the formula",
	} {
		stdout, stderr, code := called(t, "run", certified, "--solver", solverScript(t, text), "--proof", file)
		require.Equal(t, exitUsage, code, text)
		require.Empty(t, stdout)
		require.Contains(t, stderr, says)
	}
	_, stderr, code := called(t, "run", certified, "--solver", "no-such-solver -q")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "the SAT solver no-such-solver -q cannot be started: executable file not found in $PATH; install it, or name the file of its program")
	stdout, _, code := called(t, "run", certified, "--solver", solverScript(t, "echo s UNKNOWN"))
	require.Equal(t, exitInconclusive, code)
	require.Contains(t, stdout, "gave up: it says that the answer is unknown")
	for _, flag := range []string{"--trace", "--strategy=lineage"} {
		_, stderr, code = called(t, "run", certified, flag, "--solver", "true")
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "--solver does not go with --strategy lineage")
	}
	_, stderr, code = called(t, "run", certified, "--solver", "true", "--proof", filepath.Join(dir, "out.cnf"))
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "is where the formula goes that is proved: name a file with another ending")
	program := filepath.Join(dir, "p.drat")
	require.NoError(t, os.WriteFile(program, []byte(losing), 0o600))
	_, stderr, code = called(t, "run", program, "--solver", "true", "--proof", program)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "belongs to what is asked about, and would be lost")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "the program")
}

// Ctrl-C and the end of the time end the solver too, and what it has started.
func TestSolverIsEnded(t *testing.T) {
	for _, by := range []string{"signal", "--timeout=2s"} {
		alive := filepath.Join(t.TempDir(), "alive")
		temporary := t.TempDir()
		script := solverScript(t, "sleep 600 & echo $! >"+alive+".new; mv "+alive+".new "+alive+"; wait")
		args := []string{"run", certified, "--solver", script}
		if by != "signal" {
			args = append(args, by)
		}
		cmd := exec.Command("ldfi", args...)
		cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
		var out strings.Builder
		cmd.Stdout = &out
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { _, err := os.Stat(alive); return err == nil }, 60*time.Second, 5*time.Millisecond)
		if by == "signal" {
			require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		}
		_ = cmd.Wait()
		require.Equal(t, exitInconclusive, cmd.ProcessState.ExitCode())
		require.Contains(t, out.String(), "inconclusive")
		pid, err := os.ReadFile(alive)
		require.NoError(t, err)
		id := strings.TrimSpace(string(pid))
		lives := "kill -0 " + id + " && ! grep -q ') Z ' /proc/" + id + "/stat" // what has ended stays listed until its parent asks for it
		require.Eventually(t, func() bool { return exec.Command("sh", "-c", lives).Run() != nil }, 10*time.Second, 10*time.Millisecond)
		left, err := os.ReadDir(temporary)
		require.NoError(t, err)
		require.Empty(t, left)
	}
}
