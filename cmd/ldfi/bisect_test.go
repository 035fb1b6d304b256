//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bisected is what the tests look at in the JSON of a bisect.
type bisected struct {
	Interrupted bool
	Matrices    []struct {
		Versions []struct {
			Version, Verdict string
			Cached           bool
		}
	}
}

// A bisect that is killed while it reads the second of two versions leaves a
// temporary directory behind. The next one removes it, and knows the first
// version already.
func TestBisectGoesOnAfterAKill(t *testing.T) {
	dir := t.TempDir()
	cache, temporary := filepath.Join(dir, "cache"), filepath.Join(dir, "tmp")
	require.NoError(t, os.Mkdir(temporary, 0o700))
	t.Setenv("TMPDIR", temporary)
	min, err := filepath.Abs("../../testdata/protocols/election/bully_min.ded")
	require.NoError(t, err)
	max, err := filepath.Abs("../../testdata/protocols/election/bully_max.ded")
	require.NoError(t, err)
	pipe := filepath.Join(dir, "pipe.ded")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	args := []string{"bisect", "--cache", cache, "--output", "json", min, pipe}

	killed := exec.Command("ldfi", args...)
	require.NoError(t, killed.Start())
	t.Cleanup(func() { _ = killed.Process.Kill() })
	program, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
	require.NoError(t, err)
	for !anyFile(t, cache) {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())
	require.NoError(t, program.Close())
	require.True(t, anyFile(t, temporary), "what the next run has to remove")

	require.NoError(t, os.Remove(pipe))
	require.NoError(t, os.Symlink(max, pipe))
	again := exec.Command("ldfi", args...)
	out, err := again.Output()
	require.ErrorContains(t, err, "exit status 1")
	var r bisected
	require.NoError(t, json.Unmarshal(out, &r))
	require.True(t, r.Matrices[0].Versions[0].Cached)
	require.False(t, r.Matrices[0].Versions[1].Cached)
	require.False(t, anyFile(t, temporary))
}

// anyFile tells whether a file lies in or below a directory; one that is still
// being written does not count.
func anyFile(t *testing.T, dir string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".ldfi-tmp" {
			return filepath.SkipDir
		}
		found = found || err == nil && !d.IsDir() && filepath.Base(d.Name())[0] != '.'
		return nil
	})
	require.NoError(t, err)
	return found
}

// Where building does not come back when it is stopped, by Ctrl-C or as timeout(1) and
// schedulers stop programs, the command says what it knows all the same, and leaves nothing behind.
func TestBisectEndsByASignal(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, d := range []string{"tmp", "one", "two", "bin"} {
		require.NoError(t, os.Mkdir(at(d), 0o700))
	}
	t.Setenv("TMPDIR", at("tmp"))
	t.Setenv("PATH", at("bin")+":"+os.Getenv("PATH"))
	require.NoError(t, os.WriteFile(at("bin/go"), []byte("#!/bin/sh\necho > "+at("begun")+"\nexec setsid -w sleep 9\n"), 0o700))
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		ended := exec.Command("ldfi", "bisect", "--cache", at("cache"), "one", "two", "--system", "go run .", "--timeout", "1ms")
		ended.Dir = dir
		var out, said bytes.Buffer
		ended.Stdout, ended.Stderr = &out, &said
		require.NoError(t, ended.Start())
		for !exists(at("begun")) {
			time.Sleep(time.Millisecond)
		}
		require.NoError(t, ended.Process.Signal(signal))
		require.Error(t, ended.Wait())
		require.Equal(t, exitInconclusive, ended.ProcessState.ExitCode(), "%s%s", &out, &said)
		require.Contains(t, out.String(), "interrupted: these are the results of 0 of 2 searches, after 0 executions\n")
		require.Regexp(t, "one +not searched", out.String())
		require.Equal(t, 1, strings.Count(said.String(), "-trimpath"), &said)
		left, err := os.ReadDir(at("tmp"))
		require.NoError(t, err)
		require.Empty(t, left)
		require.NoError(t, os.Remove(at("begun")))
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// A bisect that is interrupted says what it knows.
func TestInterruptedBisect(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	code := run(ctx, []string{
		"bisect", "--cache", t.TempDir(), "../../testdata/protocols/election/bully_min.ded", "../../testdata/protocols/election/bully_max.ded",
	}, streams{in: &bytes.Buffer{}, out: &out, err: &out})
	require.Equal(t, exitInconclusive, code)
	require.Contains(t, out.String(), "interrupted: these are the results of ")
	require.Contains(t, out.String(), "Not searched: bully_min.ded, bully_max.ded.")
	require.False(t, anyFile(t, os.TempDir()))
}
