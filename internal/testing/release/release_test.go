// Package release tests that others can use the modules of this repository: it
// publishes them as they are in the checkout, for a go command without the
// workspace, to programs that are not a part of it.
package release

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

var publish = flag.Bool("publish", false, "build and run the consumers with nothing but published modules, which takes minutes")

const (
	root    = "../../.."
	core    = "github.com/lineage-driven/ldfi"
	version = "v0.1.0" // the one that is to be published next

	template = root + "/examples/template" // the repository of a user, with a server
)

// modules are the directories of the modules, in the order in which they are
// published.
var modules = []string{".", "adapters/etcd", "adapters/etcdraft", "adapters/etcd35", "adapters/etcd34", "adapters/coreosraft", "adapters/hashicorpraft", "adapters/memberlist", "cmd/ldfi-cluster", "examples/maelstrom", "examples/quorum"}

// unpublished are the directories of the modules that have only tests.
var unpublished = []string{"internal/causality/pdatatest"}

// What is published has a licence and needs nothing that is not: what it requires
// of this repository is published before it, and it replaces nothing. The
// workspace stands in for these very versions.
func TestModules(t *testing.T) {
	licence := read(t, root, "LICENSE")
	published := map[string]string{}
	for _, dir := range modules {
		f := goMod(t, dir)
		require.Equal(t, filepath.ToSlash(filepath.Join(core, dir)), f.Module.Mod.Path)
		require.Equal(t, licence, read(t, root, dir, "LICENSE"))
		require.Empty(t, f.Replace, dir)
		for _, r := range f.Require {
			if strings.HasPrefix(r.Mod.Path, core) {
				require.Contains(t, published, r.Mod.Path, "%s comes before what it requires", dir)
				require.Equal(t, version, r.Mod.Version)
			}
		}
		published[f.Module.Mod.Path] = dir
	}
	work := workspace(t)
	require.Len(t, work.Use, len(modules)+len(unpublished))
	for _, r := range work.Replace {
		if !strings.HasPrefix(r.Old.Path, core) { // what two modules ask for, and only this checkout has both
			continue
		}
		require.Equal(t, version, r.Old.Version)
		require.Equal(t, published[r.Old.Path], filepath.ToSlash(filepath.Clean(r.New.Path)))
	}
}

// The consumers compile with the modules as they are in the checkout.
func TestConsumersCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	consumers := []string{"testdata/failover", "testdata/broadcast", "testdata/raft", template}
	env := beside(t, consumers...)
	for _, dir := range consumers {
		output(t, dir, env, "go", "vet", "./...")
	}
}

// The repository of a user with a server passes its test with the modules as they are in the
// checkout.
func TestTemplate(t *testing.T) {
	if !*publish {
		t.Skip("builds programs: run with -args -publish")
	}
	if runtime.GOOS != "linux" {
		t.Skip("servers run on Linux")
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(template)))
	output(t, dir, beside(t, dir), "go", "test", "-run", "TestKeepsCounts/clients_succeed", ".") // all are in TestPublished
}

// beside returns the environment of a go command in whose workspace programs are beside the
// modules of the checkout.
func beside(t *testing.T, programs ...string) []string {
	t.Helper()
	work := &modfile.WorkFile{Syntax: new(modfile.FileSyntax)}
	require.NoError(t, work.AddGoStmt(workspace(t).Go.Version))
	for _, dir := range modules {
		require.NoError(t, work.AddUse(absolute(t, root, dir), ""))
		require.NoError(t, work.AddReplace(goMod(t, dir).Module.Mod.Path, version, absolute(t, root, dir), ""))
	}
	for _, dir := range programs {
		require.NoError(t, work.AddUse(absolute(t, dir), ""))
	}
	file := filepath.Join(t.TempDir(), "go.work")
	write(t, file, string(modfile.Format(work.Syntax)))
	write(t, file+".sum", read(t, root, "go.work.sum"))
	return []string{"GOWORK=" + file}
}

// output returns what a program prints, which has to succeed.
func output(t *testing.T, dir string, env []string, program string, args ...string) string {
	t.Helper()
	text, err := command(t, dir, env, program, args...)
	require.NoError(t, err, "%s %s:\n%s", program, strings.Join(args, " "), text)
	return text
}

// command returns what a program prints, and an error if it fails.
func command(t *testing.T, dir string, env []string, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// goMod reads the go.mod of a directory of the repository.
func goMod(t *testing.T, dir string) *modfile.File {
	t.Helper()
	file := filepath.Join(root, dir, "go.mod")
	f, err := modfile.Parse(file, []byte(read(t, file)), nil)
	require.NoError(t, err)
	return f
}

// workspace reads go.work.
func workspace(t *testing.T) *modfile.WorkFile {
	t.Helper()
	work, err := modfile.ParseWork("go.work", []byte(read(t, root, "go.work")), nil)
	require.NoError(t, err)
	return work
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
}

func absolute(t *testing.T, path ...string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(path...))
	require.NoError(t, err)
	return dir
}
