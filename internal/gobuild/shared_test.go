package gobuild

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A host writes variables of two packages after its start, in as many ways as there
// are; what it writes at its start, what nobody calls, and what it only reads is not
// shared by its servers in a way that matters.
func TestVariablesThatAHostWritesAfterItsStart(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"main.go": `package main

import (
	"sync/atomic"

	"example.com/m/store"
)

var (
	limit  = 3
	begun  int
	names  []string
	served atomic.Int64
	asked  int64
	seen   = map[string]bool{}
	unused int
	kept   store.Notes
)

func init() { limit = 4 }

func main() {
	begun++
	prepare()
	serve(handle)
}

func prepare() { names = append(names, "a") }

func serve(with func(string)) { with(names[0]) }

func handle(who string) {
	local := limit + begun
	local++
	served.Add(1)
	atomic.AddInt64(&asked, 1)
	seen[who] = true
	kept.Add(who)
	store.Last = who
	_ = kept.Len()
}

func nobody() { unused++ }
`,
		"main_test.go": `package main

import "testing"

var tested int

func TestServe(t *testing.T) {
	unused = 1
	serve(func(who string) { tested++ })
}
`,
		"store/store.go": `package store

// Last was added.
var Last string

var count int

// Notes are kept.
type Notes struct{ all []string }

// Add adds one.
func (n *Notes) Add(note string) {
	n.all = append(n.all, note)
	count++
}

// Len counts them.
func (n *Notes) Len() int { return len(n.all) }
`,
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	t.Setenv("GOWORK", "off") // a workspace that somebody is in has not got this module
	found := func(words ...string) []string {
		all, err := Shared(t.Context(), dir, words)
		require.NoError(t, err)
		var lines []string
		for _, w := range all {
			file, err := filepath.Rel(dir, w.Place.Filename)
			require.NoError(t, err)
			lines = append(lines, fmt.Sprintf("%s %s:%d", w.Variable, filepath.ToSlash(file), w.Place.Line))
		}
		return lines
	}
	server := []string{"main.served main.go:35", "main.asked main.go:36", "main.seen main.go:37", "main.kept main.go:38", "store.Last main.go:39"}
	require.Equal(t, append(server, "store.count store/store.go:14"), found("go", "run", "."))
	require.Equal(t, append(server, "main.tested main_test.go:9", "store.count store/store.go:14"), found("go", "test", "-run", "TestServe"))

	_, err := Shared(t.Context(), dir, []string{"sh", "host.sh"})
	require.Error(t, err, "a program that Go did not build has no sources")
}
