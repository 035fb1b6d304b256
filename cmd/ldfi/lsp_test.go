package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// framed is a message as an editor writes it.
func framed(method string, id int, params any) string {
	m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		m["id"] = id
	}
	text, err := json.Marshal(m)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text)
}

// heard reads messages until one answers a request, and returns the answer.
func heard(t *testing.T, from *bufio.Reader, id int) string {
	for {
		var length int
		_, err := fmt.Fscanf(from, "Content-Length: %d\r\n\r\n", &length)
		require.NoError(t, err)
		text := make([]byte, length)
		_, err = io.ReadFull(from, text)
		require.NoError(t, err)
		var m struct {
			ID int
		}
		require.NoError(t, json.Unmarshal(text, &m))
		if m.ID == id {
			return string(text)
		}
	}
}

// An editor starts ldfi lsp as a process, asks it to run what is not saved yet, and ends it.
func TestEditor(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(protocolsDir, "delivery", "simple.ded"))
	require.NoError(t, err)
	library, err := os.ReadFile(filepath.Join(protocolsDir, "lib", "broadcast.ded"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broadcast.ded"), library, 0o666))
	program := strings.ReplaceAll(string(text), "../lib/", "")
	uri := "file://" + filepath.ToSlash(filepath.Join(dir, "simple.ded"))

	cmd := exec.Command("ldfi", "lsp")
	to, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	say := func(message string) {
		_, err := io.WriteString(to, message)
		require.NoError(t, err)
	}
	from := bufio.NewReader(out)
	say(framed("initialize", 1, map[string]any{"rootUri": nil, "capabilities": map[string]any{}}))
	require.Contains(t, heard(t, from, 1), `"serverInfo":{"name":"ldfi","version":`)
	say(framed("initialized", 0, map[string]any{}))
	say(framed("textDocument/didOpen", 0, map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "dedalus", "version": 1, "text": program}}))
	say(framed("workspace/executeCommand", 2, map[string]any{"command": "ldfi.run", "arguments": []string{uri}}))
	require.Contains(t, heard(t, from, 2), `violated   post(b, \"hello\") is missing at round`)
	say(framed("workspace/executeCommand", 3, map[string]any{"command": "ldfi.why", "arguments": []string{uri, "post(b, _)", "omit a>b@1"}}))
	require.Contains(t, heard(t, from, 3), "no post(b, _)@6")
	say(framed("shutdown", 4, nil) + framed("exit", 0, nil))
	require.NoError(t, cmd.Wait())
}

// The exit code says how the talk ended.
func TestEditorEnds(t *testing.T) {
	for said, code := range map[string]int{
		"": 0,
		framed("initialize", 1, map[string]any{}):                                                       0,
		framed("initialize", 1, map[string]any{}) + framed("exit", 0, nil):                              1,
		framed("initialize", 1, map[string]any{}) + framed("shutdown", 2, nil) + framed("exit", 0, nil): 0,
		framed("exit", 0, nil):                  1,
		"hello":                                 2,
		"Content-Length: 1000000000000\r\n\r\n": 2,
	} {
		cmd := exec.Command("ldfi", "lsp")
		cmd.Stdin = strings.NewReader(said)
		var complaint strings.Builder
		cmd.Stderr = &complaint
		_ = cmd.Run()
		require.Equal(t, code, cmd.ProcessState.ExitCode(), "%s\n%s", said, &complaint)
		require.Equal(t, code == 2, strings.HasPrefix(complaint.String(), "ldfi: talking to the editor: "), complaint.String())
	}
}
