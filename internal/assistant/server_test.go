package assistant_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/assistant"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// client talks to a server that has one tool, with a parameter of each kind.
func client(t *testing.T, atOnce int, ask func(context.Context, assistant.Arguments) assistant.Answer) *mcp.ClientSession {
	t.Helper()
	members := []assistant.Parameter{{Name: "eot", Description: "d", Kind: assistant.Either}, {Name: "at", Description: "d", Kind: assistant.Either}}
	server := assistant.Server{Name: "test", Version: "1", AtOnce: atOnce, Tools: []assistant.Tool{{
		Name: "ask", Title: "Ask", Description: "Asks.", Ask: ask, Parameters: []assistant.Parameter{
			{Name: "text", Description: "d", Required: true}, {Name: "texts", Description: "d", Kind: assistant.Texts}, {Name: "number", Description: "d", Kind: assistant.Number},
			{Name: "truth", Description: "d", Kind: assistant.Truth}, {Name: "bounds", Description: "d", Kind: assistant.Group, Members: members},
		}}}}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(context.WithoutCancel(t.Context()), in, out) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = toServer.Close()
		require.NoError(t, <-ended)
	})
	return session
}

func call(t *testing.T, session *mcp.ClientSession, arguments string) (*mcp.CallToolResult, string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask", Arguments: json.RawMessage(arguments)})
	require.NoError(t, err)
	return result, result.Content[0].(*mcp.TextContent).Text
}

// Values of each kind arrive as texts; what was not given, or is null, does not.
func TestArguments(t *testing.T) {
	var given assistant.Arguments
	session := client(t, 1, func(_ context.Context, a assistant.Arguments) assistant.Answer {
		given = a
		return assistant.Answer{Text: "said", JSON: json.RawMessage(`{"a": 1}`)}
	})
	result, text := call(t, session, `{"text": "é\n", "texts": ["", "b"], "number": -3, "truth": true, "bounds": {"eot": 6, "at": "phase"}}`)
	require.False(t, result.IsError)
	require.Equal(t, "said", text)
	require.Equal(t, map[string]any{"a": 1.0}, result.StructuredContent)
	require.Equal(t, assistant.Arguments{"text": {"é\n"}, "texts": {"", "b"}, "number": {"-3"}, "truth": {"true"}, "eot": {"6"}, "at": {"phase"}}, given)
	call(t, session, `{"text": "", "texts": [], "number": null, "truth": false, "bounds": {"eot": null}}`)
	require.Equal(t, assistant.Arguments{"text": {""}, "truth": {"false"}}, given)
	result, text = call(t, session, `{"texts": 1, "nmber": 2, "bounds": {"eot": true}}`)
	require.True(t, result.IsError)
	require.Equal(t, "text is needed: d\ntexts: expected a list of texts, found 1\nbounds: eot: expected a text or a whole number, found true\n"+
		"there is no argument \"nmber\" (did you mean \"number\"?); there are text, texts, number, truth, bounds", text)
}

// What is too large is left out, and the text says so.
func TestLargeAnswers(t *testing.T) {
	large := strings.Repeat("é\n", 100_000)
	session := client(t, 1, func(_ context.Context, a assistant.Arguments) assistant.Answer {
		if a.Text("text") == "wrong" {
			return assistant.Answer{Wrong: large}
		}
		return assistant.Answer{Text: large, JSON: json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)}
	})
	result, text := call(t, session, `{"text": ""}`)
	require.Nil(t, result.StructuredContent)
	require.Contains(t, text, "\n[The text is cut here: these are 65535 of its 300000 bytes.]\n")
	require.Contains(t, text, "[The structured content is left out: it has 1048578 bytes, and at most 1048576 are sent.")
	result, text = call(t, session, `{"text": "wrong"}`)
	require.True(t, result.IsError)
	require.Contains(t, text, "[The text is cut here")
}

// No more calls are answered at once than there is room for; the others wait. Those that
// are cancelled make room.
func TestAtOnce(t *testing.T) {
	var now, most, all atomic.Int64
	release := make(chan struct{})
	session := client(t, 2, func(ctx context.Context, _ assistant.Arguments) assistant.Answer {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		all.Add(1)
		select {
		case <-release:
		case <-ctx.Done():
		}
		return assistant.Answer{Text: "said"}
	})
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() {
			_, _ = session.CallTool(ctx, &mcp.CallToolParams{Name: "ask", Arguments: json.RawMessage(`{"text": ""}`)})
		})
	}
	require.Eventually(t, func() bool { return all.Load() == 2 }, 10*time.Second, time.Millisecond)
	cancel()
	calls.Wait()
	close(release)
	_, text := call(t, session, `{"text": ""}`)
	require.Equal(t, "said", text)
	require.Equal(t, int64(2), most.Load())
}

// What was asked before the input ended is answered, if that does not take long; else it is
// interrupted.
func TestTheEndOfTheInput(t *testing.T) {
	const lines = `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
{"jsonrpc": "2.0", "method": "notifications/initialized"}
{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {}}}
`
	for _, takes := range []time.Duration{50 * time.Millisecond, time.Hour} {
		interrupted := false
		server := assistant.Server{Name: "test", Version: "1", AtOnce: 1, Tools: []assistant.Tool{{Name: "ask", Ask: func(ctx context.Context, _ assistant.Arguments) assistant.Answer {
			select {
			case <-time.After(takes):
			case <-ctx.Done():
				interrupted = true
			}
			return assistant.Answer{Text: "said at last"}
		}}}}
		var out strings.Builder
		require.NoError(t, server.Serve(t.Context(), strings.NewReader(lines), &out))
		require.Equal(t, takes == time.Hour, interrupted)
		if !interrupted {
			require.Contains(t, out.String(), "said at last")
		}
	}
}

// Lines that are no messages are answered with the errors that JSON-RPC has for them, and
// the talk goes on: what comes after them is answered.
func TestLinesThatAreNoMessages(t *testing.T) {
	const first = `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
{"jsonrpc": "2.0", "method": "notifications/initialized"}
`
	for line, want := range map[string]string{
		"hello":                                  `{"error":{"code":-32700,"message":"a line is no JSON: each message is one line"},"id":null,"jsonrpc":"2.0"}`,
		`{"jsonrpc": "2.0", "id": 1, "meth`:      `"code":-32700`,
		strings.Repeat("[", 1_000_000):           `"code":-32700`,
		strings.Repeat("x", 17<<20):              `{"error":{"code":-32600,"message":"a message is too large: at most 16 MiB of a line are read"},"id":null,"jsonrpc":"2.0"}`,
		"[]":                                     `"message":"a list of messages is empty"`,
		"7":                                      `"code":-32600`,
		`{"jsonrpc": 2, "id": [], "method": {}}`: `"code":-32600`,
		`{"jsonrpc": "1.0", "id": 7, "method": "ping"}`:      `{"error":{"code":-32600,"message":"a line is no message of JSON-RPC 2.0: invalid message version tag \"1.0\"; expected \"2.0\""},"id":7,"jsonrpc":"2.0"}`,
		`{"jsonrpc": "2.0"}`:                                 `"code":-32600`,
		`[{"jsonrpc": "2.0", "id": 8, "method": "ping"}, 7]`: `"code":-32600`,
		" ": "",
	} {
		server := assistant.Server{Name: "test", Version: "1", AtOnce: 1, Tools: []assistant.Tool{{Name: "ask", Ask: func(context.Context, assistant.Arguments) assistant.Answer {
			return assistant.Answer{Text: "said all the same"}
		}}}}
		var out strings.Builder
		require.NoError(t, server.Serve(t.Context(), strings.NewReader(first+line+"\r\n"+`{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask", "arguments": {}}}`), &out), line[:1])
		require.Contains(t, out.String(), want)
		require.Contains(t, out.String(), "said all the same")
		require.Equal(t, strings.HasPrefix(line, `[{`), strings.Contains(out.String(), `"id":8`))
		for answer := range strings.Lines(out.String()) {
			require.True(t, json.Valid([]byte(answer)), answer)
		}
	}
}
