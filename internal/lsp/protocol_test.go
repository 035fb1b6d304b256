package lsp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// slow returns a program that takes long to evaluate, wherever it is.
func slow(t *testing.T) string {
	text, err := os.ReadFile("../../testdata/engine/hashed.ded")
	require.NoError(t, err)
	return strings.Replace(string(text), "eot=", "eot=1", 1)
}

// An evaluation that takes long is left, with a note.
func TestPatience(t *testing.T) {
	e := started(t, nil)
	e.open("slow.ded", slow(t))
	began := time.Now()
	found := e.diagnostics("slow.ded", says("ldfi has checked the text only: to evaluate the program takes more than 2s"))
	require.Greater(t, time.Since(began), 2*time.Second)
	require.Equal(t, 3, found[len(found)-1].Severity)
	require.Zero(t, found[len(found)-1].Range.Start)
}

// The next key interrupts an evaluation: what is typed is checked at once, and no note of the
// evaluation follows.
func TestInterruption(t *testing.T) {
	e := started(t, nil)
	e.open("slow.ded", slow(t))
	e.diagnostics("slow.ded", func([]diagnosed) bool { return true })
	time.Sleep(time.Second) // it evaluates
	e.change("slow.ded", 2, whole(slow(t)+"a("))
	e.diagnostics("slow.ded", says("unexpected end of the text"))
	time.Sleep(2 * time.Second)
	require.Len(t, e.diagnostics("slow.ded", says("unexpected end of the text")), 1)
}

// Whatever is typed how fast, what is said last is about the last text.
func TestStorm(t *testing.T) {
	e := started(t, both)
	e.open("main.ded", main)
	text := main
	random := rand.New(rand.NewPCG(1, 2))
	for version := range 2000 {
		at, what := random.IntN(len(text)), []string{"(", "\"", "\n", ";", "x", "/*", ""}[random.IntN(7)]
		text = text[:at] + what + text[min(at+random.IntN(2), len(text)):]
		e.change("main.ded", version+2, whole(text))
		if version%100 == 0 {
			e.ask("textDocument/hover", e.position("main.ded", text, text[at:]))
		}
	}
	e.change("main.ded", 3000, whole(main+"last(X, Y) :- process(X);\n"))
	e.diagnostics("main.ded", says("variable Y of the head has no value"))
}

// A request that is cancelled is answered so, one that is not known or is not for now with the
// error of the protocol.
func TestRequests(t *testing.T) {
	waiting := make(chan struct{})
	e := connected(t, both, asking(waiting))
	code := func(method string, params any) int {
		a := e.answer(e.ask(method, params))
		require.NotNil(t, a.Error, method)
		return a.Error.Code
	}
	require.Equal(t, -32002, code("textDocument/hover", e.position("main.ded", main, "log")))
	e.request("initialize", map[string]any{"processId": nil, "rootUri": nil, "workspaceFolders": []any{map[string]any{"uri": e.uri(""), "name": "x"}}})
	require.Equal(t, -32600, code("initialize", map[string]any{}))
	require.Equal(t, -32601, code("textDocument/completion", map[string]any{}))
	require.Equal(t, -32602, code("textDocument/hover", map[string]any{"position": "here"}))
	require.Equal(t, -32803, code("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": e.uri("gone.ded")}}))
	require.Equal(t, -32803, code("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "untitled:x"}}))

	id := e.ask("workspace/executeCommand", map[string]any{"command": "ldfi.run", "arguments": []any{e.uri("main.ded")}})
	<-waiting
	e.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
	require.Equal(t, -32800, e.answer(id).Error.Code)

	require.Equal(t, "null", string(e.request("shutdown", nil)))
	require.Equal(t, -32600, code("textDocument/hover", map[string]any{}))
	e.notify("exit", nil)
	require.True(t, <-e.ended)
	require.NoError(t, e.fault)
}

// An end without a shutdown is told apart; the end of the input is one like another.
func TestEnds(t *testing.T) {
	e := started(t, nil)
	e.notify("exit", nil)
	require.False(t, <-e.ended)
	require.NoError(t, e.fault)
	e = started(t, nil)
	require.NoError(t, e.to.Close())
	require.True(t, <-e.ended)
	require.NoError(t, e.fault)
}

// What is no message of the protocol is answered with an error, or ends the talk with one.
func TestHostile(t *testing.T) {
	e := started(t, both)
	for _, body := range []string{
		`{`, `[]`, `7`, `null`, `"x"`, `{}`, `[1,2]`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":1,"method":"x"}`, "\xff\xfe", "", `{"jsonrpc":"2.0","id":{},"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[]}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://%zz","text":7}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///","text":"a"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///dev/zero","text":"include \"/dev/zero\";\u0000"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///nobody"},"contentChanges":[{"text":"x"}]}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///nobody"}}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[1]}}`,
		`{"jsonrpc":"2.0","id":99,"result":null}`,
		strings.Repeat("[", 100_000),
	} {
		e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
	}
	e.open("main.ded", main)
	for i, at := range []int{-1, 0, 5, 1 << 40} {
		place := map[string]any{"line": at, "character": -at}
		e.change("main.ded", i, map[string]any{"range": map[string]any{"start": place, "end": map[string]any{"line": 0, "character": at}}, "text": "é"})
		for _, method := range []string{"hover", "definition", "references", "prepareRename", "rename", "codeAction"} {
			params := e.document("main.ded")
			params["position"], params["newName"], params["range"] = place, "\x00", map[string]any{"start": place, "end": place}
			e.answer(e.ask("textDocument/"+method, params))
		}
	}
	e.change("main.ded", 9, whole("a("))
	e.diagnostics("main.ded", says("unexpected end of the text"))

	for _, header := range []string{
		"Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 1000000000\r\n\r\n", "hello\r\n\r\n", "\r\n", strings.Repeat("x", 5000),
	} {
		e := started(t, nil)
		_, _ = io.WriteString(e.to, header) // of which the server may not read all
		require.False(t, <-e.ended)
		require.ErrorContains(t, e.fault, "talking to the editor: reading a message", header)
	}
	e = started(t, nil)
	e.raw("Content-Length: 7\r\n\r\n{")
	require.NoError(t, e.to.Close())
	<-e.ended
	require.ErrorContains(t, e.fault, "reading a message of 7 bytes: unexpected EOF")
}
