package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/lineage-driven/ldfi/internal/lsp"
	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/stretchr/testify/require"
)

// soon is how long the client waits for what has to come.
const soon = 10 * time.Second

// editor is a client that speaks the protocol over pipes, and knows nothing of the server but
// the protocol.
type editor struct {
	t     testing.TB
	dir   string
	to    io.WriteCloser
	ended chan bool // whether it ended in order
	fault error     // of Serve, once it has ended

	mutex   sync.Mutex
	changed *sync.Cond
	asked   int
	answers map[string]answer
	told    []message // the notifications of the server
	over    bool      // nothing comes any more
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	answer
}

type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type place struct{ Line, Character int }

type area struct{ Start, End place }

type located struct {
	URI   string
	Range area
}

type diagnosed struct {
	Range    area
	Severity int
	Message  string
}

type edit struct {
	Range   area
	NewText string
}

// started starts a server and an editor of a folder with files, by their names, and says hello.
func started(t *testing.T, contents map[string]string) *editor {
	e := connected(t, contents, func(_ context.Context, _ fs.FS, line []string) (string, error) {
		return strings.Join(line, " "), nil
	})
	e.request("initialize", map[string]any{"rootUri": e.uri(""), "capabilities": map[string]any{}})
	e.notify("initialized", map[string]any{})
	return e
}

// connected starts a server and an editor.
func connected(t *testing.T, contents map[string]string, ask func(context.Context, fs.FS, []string) (string, error)) *editor {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range contents {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return talking(t, dir, ask)
}

// talking starts a server and an editor of a folder.
func talking(t testing.TB, dir string, ask func(context.Context, fs.FS, []string) (string, error)) *editor {
	in, to := io.Pipe()
	from, out := io.Pipe()
	e := &editor{t: t, dir: dir, to: to, ended: make(chan bool, 1), answers: map[string]answer{}}
	e.changed = sync.NewCond(&e.mutex)
	go func() {
		orderly, err := (&lsp.Server{Version: "test", Ask: ask}).Serve(t.Context(), in, out)
		e.fault = err
		e.ended <- orderly
		_ = out.Close()
		_ = in.Close()
	}()
	go e.listen(bufio.NewReader(from))
	t.Cleanup(func() { _ = to.Close() })
	return e
}

// listen takes what the server says.
func (e *editor) listen(from *bufio.Reader) {
	for {
		m, err := received(from)
		e.mutex.Lock()
		switch {
		case err != nil:
			e.over = true
		case m.Method != "":
			e.told = append(e.told, m)
		default:
			e.answers[string(m.ID)] = m.answer
		}
		e.changed.Broadcast()
		e.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

func received(from *bufio.Reader) (m message, err error) {
	header, err := from.ReadString('\n')
	if err != nil {
		return m, err
	}
	length, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length:")))
	if err != nil {
		return m, err
	}
	body := make([]byte, length+len("\r\n"))
	if _, err := io.ReadFull(from, body); err != nil {
		return m, err
	}
	if body[2] == '[' { // the answers to a batch, which no editor sends
		return m, nil
	}
	return m, json.Unmarshal(body, &m)
}

// wait waits until something is so.
func (e *editor) wait(for_ string, so func() bool) {
	e.t.Helper()
	late := time.AfterFunc(soon, func() { e.mutex.Lock(); e.over = true; e.changed.Broadcast(); e.mutex.Unlock() })
	defer late.Stop()
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for !so() {
		if e.over {
			for _, m := range e.told[max(0, len(e.told)-2):] {
				e.t.Logf("%s %s", m.Method, m.Params)
			}
			require.Fail(e.t, for_+" did not come")
		}
		e.changed.Wait()
	}
}

// raw writes bytes.
func (e *editor) raw(text string) {
	_, err := io.WriteString(e.to, text)
	require.NoError(e.t, err)
}

// send sends a message.
func (e *editor) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	text, err := json.Marshal(m)
	require.NoError(e.t, err)
	e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text))
}

func (e *editor) notify(method string, params any) {
	e.send(map[string]any{"method": method, "params": params})
}

// ask sends a request and returns its number.
func (e *editor) ask(method string, params any) string {
	e.mutex.Lock()
	e.asked++
	id := e.asked
	e.mutex.Unlock()
	e.send(map[string]any{"id": id, "method": method, "params": params})
	return fmt.Sprint(id)
}

// answer returns the answer to a request when it is there.
func (e *editor) answer(id string) (a answer) {
	e.t.Helper()
	e.wait("answer "+id, func() (there bool) { a, there = e.answers[id]; return there })
	return a
}

// request sends a request and returns what is answered, which is no error.
func (e *editor) request(method string, params any) json.RawMessage {
	e.t.Helper()
	a := e.answer(e.ask(method, params))
	require.Nil(e.t, a.Error, "%s", method)
	return a.Result
}

// refused sends a request and returns the message of the error that is answered.
func (e *editor) refused(method string, params any) string {
	e.t.Helper()
	a := e.answer(e.ask(method, params))
	require.NotNil(e.t, a.Error, "%s: %s", method, a.Result)
	return a.Error.Message
}

// of decodes what is answered.
func of[T any](e *editor, method string, params any) (v T) {
	e.t.Helper()
	require.NoError(e.t, json.Unmarshal(e.request(method, params), &v), method)
	return v
}

func (e *editor) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(e.dir, name))}).String()
}

// document names a file in parameters.
func (e *editor) document(name string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}}
}

// position names a place in a file: where some text stands first.
func (e *editor) position(name, text, where string) map[string]any {
	e.t.Helper()
	before, _, found := strings.Cut(text, where)
	require.True(e.t, found, where)
	params := e.document(name)
	line := before[strings.LastIndexByte(before, '\n')+1:]
	params["position"] = map[string]any{"line": strings.Count(before, "\n"), "character": len(utf16.Encode([]rune(line)))}
	return params
}

func (e *editor) open(name, text string) {
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": e.uri(name), "languageId": "dedalus", "version": 1, "text": text,
	}})
}

// change replaces the text of a file.
func (e *editor) change(name string, version int, changes ...any) {
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "version": version}, "contentChanges": changes,
	})
}

func whole(text string) any { return map[string]any{"text": text} }

// diagnostics returns what the server has said last of a file, once that fits.
func (e *editor) diagnostics(name string, fits func([]diagnosed) bool) (last []diagnosed) {
	e.t.Helper()
	e.wait("what fits of "+name, func() bool {
		for _, m := range slices.Backward(e.told) {
			var p struct {
				URI         string
				Diagnostics []diagnosed
			}
			if m.Method != "textDocument/publishDiagnostics" || json.Unmarshal(m.Params, &p) != nil || p.URI != e.uri(name) {
				continue
			}
			last = p.Diagnostics
			return fits(last)
		}
		return false
	})
	return last
}

// says tells whether one of some diagnostics contains a text.
func says(text string) func([]diagnosed) bool {
	return func(all []diagnosed) bool {
		return slices.ContainsFunc(all, func(d diagnosed) bool { return strings.Contains(d.Message, text) })
	}
}

func none(all []diagnosed) bool { return len(all) == 0 }

// applied returns a text after edits, which do not overlap.
func applied(text string, edits []edit) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(p place) int {
		n := 0
		for _, line := range lines[:min(p.Line, len(lines))] {
			n += len(line)
		}
		if p.Line >= len(lines) {
			return n
		}
		units := utf16.Encode([]rune(lines[p.Line]))
		return n + len(string(utf16.Decode(units[:p.Character])))
	}
	slices.SortFunc(edits, func(a, b edit) int { return offset(b.Range.Start) - offset(a.Range.Start) })
	for _, e := range edits {
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	return text
}

// programs are the programs of testdata, by their paths.
func programs(t testing.TB) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".ded" {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			all[path] = string(bytes.Clone(text))
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
}

func names[V any](all map[string]V) []string { return slices.Sorted(maps.Keys(all)) }

// asking is a command that says that it has begun, and goes on until it is cancelled.
func asking(began chan<- struct{}) func(context.Context, fs.FS, []string) (string, error) {
	return func(ctx context.Context, _ fs.FS, _ []string) (string, error) {
		close(began)
		<-ctx.Done()
		return "", ctx.Err()
	}
}
