package lsp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "measure how long keystrokes take, and rename in all programs")

// allowed is how long it may take until the editor knows what a keystroke makes wrong.
const allowed = 50 * time.Millisecond

// What a keystroke makes wrong is there before anybody notices, in every program of testdata.
// The quickest of some tries counts, because the machine may do other things meanwhile.
func TestKeystrokesAreQuick(t *testing.T) {
	if !*long {
		t.Skip("only with -long: this measures times")
	}
	slowest, what := slowestKeystroke(t)
	t.Logf("%v: %s", slowest, what)
	require.Less(t, slowest, allowed, what)
}

// BenchmarkKeystroke says how long the slowest keystroke takes.
func BenchmarkKeystroke(b *testing.B) {
	for range b.N {
		slowest, what := slowestKeystroke(b)
		b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
		b.Log(what)
	}
}

// slowestKeystroke types in all programs, in the middle of every third line.
func slowestKeystroke(t testing.TB) (slowest time.Duration, what string) {
	dir, err := filepath.Abs("../../testdata")
	require.NoError(t, err)
	e := talking(t, dir, nil)
	e.request("initialize", map[string]any{"rootUri": e.uri(""), "capabilities": map[string]any{}})
	all, version := programs(t), 1
	for _, path := range names(all) {
		name, err := filepath.Rel("../../testdata", path)
		require.NoError(t, err)
		e.open(name, all[path])
		e.checked(name, 1)
		lines := strings.SplitAfter(all[path], "\n")
		for n := 0; n < len(lines); n += 3 {
			for _, key := range []string{"x", `"`, "("} {
				typed := strings.Join(lines[:n], "") + lines[n][:len(lines[n])/2] + key + lines[n][len(lines[n])/2:] + strings.Join(lines[n+1:], "")
				least := time.Hour
				for range 3 {
					version++
					began := time.Now()
					e.change(name, version, whole(typed))
					e.checked(name, version)
					if least = min(least, time.Since(began)); least < allowed/10 {
						break
					}
				}
				if least > slowest {
					slowest, what = least, fmt.Sprintf("%s: %s in line %d", path, key, n+1)
				}
			}
		}
		e.notify("textDocument/didClose", e.document(name))
	}
	return slowest, what
}

// checked waits until a version of a file has been checked.
func (e *editor) checked(name string, version int) {
	e.wait("the check of "+name, func() bool {
		return slices.ContainsFunc(e.told[max(0, len(e.told)-50):], func(m message) bool {
			var p struct {
				URI     string
				Version int
			}
			return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && p.URI == e.uri(name) && p.Version == version
		})
	})
}
