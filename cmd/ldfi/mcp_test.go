package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// protocolsDir is where the protocols are that assistants are asked about.
const protocolsDir = "../../testdata/protocols"

// assistantHere is a client of ldfi mcp in this process, in a directory.
func assistantHere(t *testing.T, dir string, args ...string) *mcp.ClientSession {
	t.Helper()
	t.Chdir(dir)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		code := run(t.Context(), append([]string{"mcp"}, args...), streams{in: in, out: out, err: io.Discard})
		_ = out.Close()
		ended <- code
	}()
	t.Cleanup(func() {
		_ = toServer.Close()
		require.Equal(t, 0, <-ended)
	})
	return connected(t, &mcp.IOTransport{Reader: fromServer, Writer: toServer})
}

// assistantOf is a client of ldfi mcp as a process, in a directory.
func assistantOf(t *testing.T, dir string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command("ldfi", append([]string{"mcp"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	return connected(t, &mcp.CommandTransport{Command: cmd})
}

func connected(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.WithoutCancel(t.Context()), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// said is what a tool answers.
type said struct {
	text  string
	json  string // without times
	wrong bool
}

// call calls a tool with arguments in JSON.
func call(t *testing.T, client *mcp.ClientSession, tool, arguments string) said {
	t.Helper()
	result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	require.NoError(t, err, "%s %s", tool, arguments)
	require.Len(t, result.Content, 1)
	text, ok := result.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	s := said{text: times.ReplaceAllString(text.Text, ""), wrong: result.IsError}
	if result.StructuredContent != nil {
		s.json = timeless(t, result.StructuredContent)
		require.NoError(t, checkStructured(tool, arguments, result.StructuredContent), "%s %s", tool, arguments)
	}
	return s
}

// checkStructured checks the structured content of an answer against the schema of what
// its command writes.
func checkStructured(tool, arguments string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	line := []string{tool, "--output=json"}
	if strings.Contains(arguments, `"case": "elects"`) {
		line = append(line, "--system")
	}
	return checkJSON(line, text)
}

// timeless is JSON without how long things took.
func timeless(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&tree))
	if top, ok := tree.(map[string]any); ok {
		if stats, ok := top["stats"].(map[string]any); ok {
			delete(stats, "times")
		}
	}
	text, err = json.Marshal(tree)
	require.NoError(t, err)
	return string(text)
}

// plainly is what a command line answers.
func plainly(t *testing.T, args ...string) said {
	t.Helper()
	var s said
	var out, text, wrong bytes.Buffer
	if code := run(t.Context(), append(args[:len(args):len(args)], "--output=json"), streams{in: strings.NewReader(""), out: &out, err: &wrong}); code == exitUsage {
		return said{text: strings.TrimSuffix(strings.TrimPrefix(wrong.String(), "ldfi: "), "\n"), wrong: true}
	}
	s.json = timeless(t, json.RawMessage(out.Bytes()))
	wrong.Reset()
	run(t.Context(), args, streams{in: strings.NewReader(""), out: &text, err: &wrong})
	s.text = times.ReplaceAllString(wrong.String()+text.String(), "")
	return s
}

// asked are calls about a protocol, and the command lines that ask the same.
func asked(file, fact string) []struct{ tool, arguments, line string } {
	q := func(format string) string {
		return strings.NewReplacer("FILE", file, "FACT", strings.ReplaceAll(fact, `"`, `\"`)).Replace(format)
	}
	p := func(format string) string { return strings.NewReplacer("FILE", file, "FACT", fact).Replace(format) }
	return []struct{ tool, arguments, line string }{
		{"run", q(`{"files": ["FILE"]}`), p("run|FILE")},
		{"run", q(`{"files": ["FILE"], "bounds": {"crashes": 0}, "max": 3}`), p("run|FILE|--crashes=0|--max=3")},
		{"run", q(`{"files": ["FILE"], "bounds": {"eot": "5"}, "margin": true, "repairs": false}`), p("run|FILE|--eot=5|--margin")},
		{"hypotheses", q(`{"files": ["FILE"], "max": 3, "size": 2, "cost": "crash=3"}`), p("hypotheses|FILE|--max=3|--size=2|--cost=crash=3")},
		{"inject", q(`{"files": ["FILE"]}`), p("inject|FILE")},
		{"inject", q(`{"files": ["FILE"], "faults": "crash zz@1"}`), p("inject|FILE|--faults=crash zz@1")},
		{"why", q(`{"files": ["FILE"], "fact": "FACT"}`), p("why|FILE|FACT")},
		{"whatif", q(`{"files": ["FILE"], "fact": "FACT", "absent": true}`), p("whatif|FILE|FACT|--absent")},
		{"diff", q(`{"files": ["FILE"]}`), p("diff|FILE")},
	}
}

// Each tool answers with the JSON of its command, and with its text; what is wrong it
// says in the same words.
func TestToolsAnswerAsCommands(t *testing.T) {
	all := []struct{ file, fact string }{
		{"delivery/retry.ded", `post(c, "hello")@6`}, {"delivery/classic.ded", `log(b, _)`}, {"commit/2pc.ded", `nothing(_)`},
	}
	client := assistantHere(t, protocolsDir)
	for _, p := range all {
		for _, c := range asked(p.file, p.fact) {
			want := plainly(t, strings.Split(c.line, "|")...)
			require.Equal(t, want, call(t, client, c.tool, c.arguments), "%s %s", c.tool, c.arguments)
			require.NotEmpty(t, want.text)
		}
	}
}

// A process does the same, asked about each protocol.
func TestProcessAnswersAsCommands(t *testing.T) {
	dir, err := filepath.Abs(protocolsDir)
	require.NoError(t, err)
	all := oracle.Protocols(t)
	client := assistantOf(t, dir)
	t.Chdir(dir)
	for _, p := range all {
		require.Equal(t, plainly(t, "inject", p.Name), call(t, client, "inject", `{"files": ["`+p.Name+`"]}`))
	}
}
