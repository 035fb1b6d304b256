//go:build linux

package main_test

import (
	"net"
	"os"
	"regexp"
	"strings"
	"testing"

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
	s.interrupt(s.server, cleanEnd) // of which the guide knows nothing
	require.NoError(t, os.WriteFile(s.path("ldfi.yaml"), []byte("cases:\n- {files: "+repository(t, "testdata/protocols/delivery/ack.ded")+"}\n"), 0o600))
	shell := func(command string) *process {
		return s.start("sh", "-c", "exec "+strings.NewReplacer("0.0.0.0:4222", "127.0.0.1:"+port, "SERVER:4222", "127.0.0.1:"+port).Replace(strings.Replace(command, "LDFI_NKEY=", "env LDFI_NKEY=", 1)))
	}
	s.server = shell(commands[0])
	s.waitForOutput(s.server, "the server is at")
	s.workers = append(s.workers, shell(commands[1]))
	s.waitFor(s.workers[0], "does units")

	asked := shell(commands[2])
	text, code := s.outcome(asked)
	require.Zero(t, code, &asked.err)
	require.Contains(t, text, "1 case, 1 as expected")
	require.Contains(t, asked.err.String(), "computed by: ")
	listed := shell(commands[3])
	text, code = s.outcome(listed)
	require.Zero(t, code, &listed.err)
	require.Contains(t, text, "1 worker")
}
