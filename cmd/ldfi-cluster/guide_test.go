//go:build linux

package main_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The commands of the guide are run as they stand there, but for the address of the server.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile(repository(t, "docs/guide/workers.md"))
	require.NoError(t, err)
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	require.Len(t, commands, 4)
	s := newStage(t, 0, nil)
	_, port, err := net.SplitHostPort(s.address)
	require.NoError(t, err)
	s.interrupt(s.server, 10*time.Second) // of which the guide knows nothing
	s.work = append(s.work, "--nkey", "ldfi.key")
	require.NoError(t, os.WriteFile(s.path("ldfi.yaml"), []byte("cases:\n- {files: "+repository(t, "testdata/protocols/delivery/ack.ded")+"}\n"), 0o600))
	here := strings.NewReplacer("0.0.0.0:4222", "127.0.0.1:"+port, "SERVER:4222", "127.0.0.1:"+port, "LDFI_NKEY=", "env LDFI_NKEY=")
	shell := func(i int) *process {
		script := filepath.Join(programs, fmt.Sprintf("guide%d", i))
		require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec "+here.Replace(commands[i])+"\n"), 0o700))
		return s.start(filepath.Base(script))
	}
	s.server = shell(0)
	require.Eventually(t, func() bool { return strings.Contains(s.server.out.String(), "the server is at") }, 20*time.Second, 5*time.Millisecond)
	s.workers = append(s.workers, shell(1))
	s.waitFor(s.workers[0], "does units")

	asked := shell(2)
	text, code := s.outcome(asked)
	require.Zero(t, code, &asked.err)
	require.Contains(t, text, "1 case, 1 as expected")
	require.Regexp(t, `computed by: .+ \(1 unit\)`, asked.err.String())
	listed := shell(3)
	text, code = s.outcome(listed)
	require.Zero(t, code, &listed.err)
	require.Contains(t, text, "ldfi")
}
