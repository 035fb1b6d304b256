package gobuild

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// module writes the files of a module, and returns its directory.
func module(t *testing.T, archive string) string {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		file := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, f.Data, 0o644))
	}
	t.Setenv("GOWORK", "off")
	return dir
}

const asking = `
-- go.mod --
module example.com/asking

go 1.26
-- main.go --
package main

import (
	"net"
	run "os/exec"
	"syscall"

	"example.com/asking/partly"
)

func main() {
	run.Command("true").Run()
	run.Command("false").Run()
	syscall.InotifyInit()
	l, _ := net.Listen("tcp", ":1")
	l.(*net.TCPListener).SyscallConn()
	partly.Pure()
}
-- never/main.go --
package main

import "example.com/asking/partly"

func main() { partly.OnlyC() }
-- wholly/main.go --
package main

import _ "example.com/asking/inc"

func main() {}
-- inc/c.go --
package inc

// int one() { return 1; }
import "C"
-- partly/c.go --
package partly

import "C"

func Pure() {}

func OnlyC() {}
-- partly/pure.go --
//go:build !cgo

package partly

func Pure() {}
`

// What a program can ask for that nodes do not have is listed with its first place. That a
// package has files for cgo, too, is nothing.
func TestReach(t *testing.T) {
	dir := module(t, asking)
	all, err := Reach(t.Context(), dir, ".")
	require.NoError(t, err)
	var said []string
	for _, r := range all {
		said = append(said, fmt.Sprintf("%s %s %d %v", r.What, r.Place, r.Places, r.Never))
	}
	require.Equal(t, []string{"SyscallConn main.go:16 1 false", "inotify main.go:14 1 false", "os/exec main.go:12 2 false"}, said)
	_, err = Reach(t.Context(), dir, "./partly")
	require.ErrorContains(t, err, "./partly is package partly, not a program (package main)")
	_, err = Reach(t.Context(), dir, "./nowhere")
	require.Error(t, err)
}

// A program that does not compile is no node.
func TestDoesNotCompile(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/bad\n\ngo 1.26\n-- main.go --\npackage main\n\nvar x int = \"a\"\n\nfunc main() {}\n")
	d, err := DiagnoseServer(t.Context(), dir, ".")
	require.NoError(t, err)
	require.False(t, d.Exact)
	last := d.Checks[len(d.Checks)-1]
	require.Equal(t, "compiler", last.Name)
	require.Contains(t, last.Text, "main.go:3:13: cannot use")
}

// A program that needs cgo is refused before it is built, with the place.
func TestNeedsCgo(t *testing.T) {
	dir := module(t, asking)
	for pkg, want := range map[string]string{
		"./never":  "./never cannot be a node: never/main.go:5: nodes are built without cgo, and this needs it (example.com/asking/partly.OnlyC)",
		"./wholly": "./wholly cannot be a node: inc/c.go:4: nodes are built without cgo, and this needs it",
	} {
		require.EqualError(t, Node(t.Context(), dir, pkg, filepath.Join(t.TempDir(), "node")), want)
		d, err := DiagnoseServer(t.Context(), dir, pkg)
		require.NoError(t, err)
		require.False(t, d.Exact)
	}
}
