package gobuild_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/stretchr/testify/require"
)

func installed(t *testing.T) gobuild.Installation {
	g, err := gobuild.Installed(context.Background(), "go", ".", nil)
	require.NoError(t, err)
	return g
}

// The installed Go has every text that is edited exactly once, and the overlay is
// written once.
func TestInstalledGo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := installed(t)
	list, err := g.Write()
	require.NoError(t, err)
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	var replaced struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(text, &replaced))
	for from, to := range replaced.Replace {
		require.True(t, strings.HasPrefix(from, g.Root), from)
		require.FileExists(t, to)
	}
	added := gobuild.Added()
	require.Len(t, added, 4)
	for file := range added {
		require.Contains(t, replaced.Replace, filepath.Join(g.Root, "src", filepath.FromSlash(file)))
	}
	before, err := os.Stat(list)
	require.NoError(t, err)
	again, err := g.Write()
	require.NoError(t, err)
	require.Equal(t, list, again)
	after, err := os.Stat(list)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "it is kept")
}

// The overlay of nodes has all edits of the other, and the sockets of Go's fake network in
// place of those of the operating system.
func TestNodeOverlay(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := installed(t)
	list, err := g.WriteNode()
	require.NoError(t, err)
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	var replaced struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(text, &replaced))
	of := func(file string) string {
		by, ok := replaced.Replace[filepath.Join(g.Root, "src", filepath.FromSlash(file))]
		require.True(t, ok, file)
		return by
	}
	require.FileExists(t, of("runtime/ldfi_node.go"))
	require.Empty(t, of("net/fd_unix.go"), "it is left out")
	fake, err := os.ReadFile(of("net/net_fake.go"))
	require.NoError(t, err)
	require.NotContains(t, string(fake), "//go:build", "it is for every system")
	for _, e := range gobuild.Edits(g.Release()) {
		require.NotEmpty(t, of(e.File))
	}
}

// Every edit gives its reason, and is made where its text occurs once only.
func TestEditsMatchOnce(t *testing.T) {
	edits := gobuild.Edits("go1.26")
	require.NotEmpty(t, edits)
	for _, e := range edits {
		require.NotEmpty(t, e.Why, e.File)
		out, err := gobuild.ApplyEdits(e.File, "before\n"+e.Old+"\nafter", []gobuild.Edit{e})
		require.NoError(t, err)
		require.Equal(t, "before\n"+e.New+"\nafter", out)
		for _, text := range []string{"", e.Old + e.Old} {
			_, err := gobuild.ApplyEdits("sync/x.go", text, []gobuild.Edit{e})
			require.ErrorContains(t, err, "sync/x.go: ldfi edits this text ("+e.Why+"), but it occurs ")
			require.ErrorContains(t, err, "ldfi doctor")
		}
	}
}

// A Go without a table, or without sources, is refused by name.
func TestRefused(t *testing.T) {
	_, err := gobuild.Installation{Version: "go1.25.5", Root: "/nowhere"}.Write()
	require.ErrorContains(t, err, "go1.25.5: ldfi can edit the standard library of go1.26 and go1.27 only")
	_, err = gobuild.Installation{Version: "go1.26.8", Root: t.TempDir()}.Write()
	require.ErrorContains(t, err, "go1.26.8 has no standard library that ldfi can edit")
}

// What is random follows from the seed: in one process, and in others at the same time.
func TestExactlyRepeatable(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	r, err := installed(t).Prepare()
	require.NoError(t, err)
	p, err := r.Build(t.Context(), t.TempDir())
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, order := range []uint64{0, 1, 2} {
		ways, err := p.Execute(t.Context(), 2, *long/2, 7, order)
		require.NoError(t, err)
		require.Len(t, ways, 1, "order %d", order)
		for way, n := range ways {
			require.Equal(t, *long/2*2, n)
			require.False(t, seen[way], "another order is another execution")
			seen[way] = true
		}
	}
}

// addresses prints where it allocates: at its start, when it has written files, after
// goroutines that took time, and when it has slept.
const addresses = `package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

var keep []any

func show(what string) {
	p, q, r := new(*int), new([2]*int), new([6]*int)
	keep = append(keep, p, q, r)
	fmt.Printf("%s %p %p %p\n", what, p, q, r)
}

func main() {
	debug.SetGCPercent(-1) // as while the servers of a host are executed
	show("start")
	for i := range 20 {
		name := filepath.Join(os.Args[1], fmt.Sprint("f", i))
		if err := os.WriteFile(name, make([]byte, 1<<20), 0o644); err != nil {
			panic(err)
		}
	}
	show("files")
	for range 20 {
		done := make(chan int)
		go func() {
			x := 0
			for i := range 3_000_000 {
				x += i * i
			}
			done <- x
		}()
		<-done
	}
	show("cpu")
	time.Sleep(50 * time.Millisecond)
	show("slept")
}
`

// A program that is started as ldfi starts hosts allocates at the same addresses in each
// process, several of which are there at the same time:
//
//	go test ./internal/gobuild -run TestAddressesOfHosts -v -args -long 100
func TestAddressesOfHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	r, err := installed(t).Prepare()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(addresses), 0o644))
	program := filepath.Join(dir, "addresses.exe")
	build := exec.CommandContext(t.Context(), filepath.Join(r.Go.Root, "bin", "go"), "build", "-o", program, filepath.Join(dir, "main.go"))
	build.Env = append(r.Environment(os.Environ()), "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var wait sync.WaitGroup
	said, errs := make([]string, *long), make([]error, *long)
	turn := make(chan bool, 4)
	for i := range said {
		at := filepath.Join(dir, fmt.Sprintf("%06d", i)) // of one length: what is in memory at the start depends on it
		require.NoError(t, os.Mkdir(at, 0o755))
		wait.Go(func() {
			turn <- true
			defer func() { <-turn }()
			c := exec.CommandContext(t.Context(), program, at)
			c.Env = append(os.Environ(), gobuild.Alone)
			text, err := c.CombinedOutput()
			said[i], errs[i] = string(text), err
		})
	}
	wait.Wait()
	ways := map[string]int{}
	for i := range said {
		require.NoError(t, errs[i], said[i])
		ways[said[i]]++
	}
	t.Logf("%d processes: %v", *long, slices.Sorted(maps.Values(ways)))
	require.Len(t, ways, 1)
	require.Contains(t, said[0], "slept 0x")
}

var long = flag.Int("long", 12, "how often the program is executed that has to do the same each time")

// GOFLAGS keeps what it has; an overlay of the user becomes part of the new one.
func TestReady(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g, dir := installed(t), t.TempDir()
	g.Flags = "-trimpath '-ldflags=-s -w'"
	r, err := g.Prepare()
	require.NoError(t, err)
	require.Equal(t, "-trimpath '-ldflags=-s -w' -overlay="+r.List, r.Flags())
	require.Equal(t, []string{"A=b", "GOFLAGS=" + r.Flags()}, r.Environment([]string{"A=b"}))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "o.json"), []byte(`{"Replace": {"x.go": "sub/y.go", "/z.go": ""}}`), 0o644))
	g.Flags, g.Folder = "-overlay=o.json -race", dir
	merged, err := g.Prepare()
	require.NoError(t, err)
	require.Equal(t, "-race -overlay="+merged.List, merged.Flags())
	text, err := os.ReadFile(merged.List)
	require.NoError(t, err)
	require.Contains(t, string(text), `"`+filepath.Join(dir, "x.go")+`": "`+filepath.Join(dir, "sub", "y.go")+`"`)
	require.Contains(t, string(text), `"/z.go": ""`)
	require.Contains(t, string(text), "runtime/ldfi.go")

	g.Flags = "-race -overlay=" + merged.List
	again, err := g.Prepare()
	require.NoError(t, err)
	require.Equal(t, merged.Flags(), again.Flags(), "what ldfi has written itself is no other overlay")

	g.Flags = "-overlay=o.json -race"
	proc := filepath.Join(g.Root, "src", "runtime", "proc.go")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "o.json"), []byte(`{"Replace": {"`+proc+`": "y.go"}}`), 0o644))
	_, err = g.Prepare()
	require.ErrorContains(t, err, "and that of ldfi replace "+proc)
}

// A Go below the module cache is called by another path.
func TestBelowModuleCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := installed(t)
	g.Cache = filepath.Dir(g.Root)
	r, err := g.Prepare()
	require.NoError(t, err)
	require.NotEqual(t, g.Root, r.Go.Root)
	require.Contains(t, r.Environ, "GOROOT="+r.Go.Root)
	require.Contains(t, r.Environ, "GOTOOLCHAIN=local")
	text, err := os.ReadFile(r.List)
	require.NoError(t, err)
	require.Contains(t, string(text), filepath.Join(r.Go.Root, "src", "runtime", "proc.go"))
	require.NotContains(t, string(text), `"`+g.Root+string(filepath.Separator))
	require.FileExists(t, filepath.Join(r.Go.Root, "bin", "go"))
	again, err := g.Prepare()
	require.NoError(t, err)
	require.Equal(t, r, again)
}

// The first and the latest patch release of each minor release are edited, and repeat.
func TestReleases(t *testing.T) {
	for _, version := range strings.Fields(*releases) {
		t.Run(version, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.26.0\n"), 0o644))
			g, err := gobuild.Installed(t.Context(), "go", dir, append(os.Environ(), "GOTOOLCHAIN="+version, "GOWORK=off"))
			require.NoError(t, err)
			require.Equal(t, version, g.Version)
			r, err := g.Prepare()
			require.NoError(t, err)
			p, err := r.Build(t.Context(), dir)
			require.NoError(t, err)
			for _, order := range []uint64{0, 1} {
				ways, err := p.Execute(t.Context(), 2, *long/2, 7, order)
				require.NoError(t, err)
				require.Len(t, ways, 1, "order %d", order)
			}
		})
	}
}

var releases = flag.String("releases", "", `releases of Go to test, which are downloaded: "go1.26.0 go1.26.10 go1.27.0 go1.27.4"`)
