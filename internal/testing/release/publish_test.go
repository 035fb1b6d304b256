package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// Programs outside of the repository are built with modules that are published
// as the next version, and run. Nothing of it is left behind.
func TestPublished(t *testing.T) {
	if !*publish {
		t.Skip("takes minutes: run with -args -publish")
	}
	env := published(t)
	bin := t.TempDir()
	output(t, bin, append(env, "GOBIN="+bin), "go", "install", core+"/cmd/ldfi@"+version)
	ldfi := filepath.Join(bin, "ldfi")

	t.Run("version", func(t *testing.T) {
		require.Contains(t, output(t, bin, env, ldfi, "version"), "ldfi "+version+",")
	})
	t.Run("init", func(t *testing.T) {
		dir := t.TempDir()
		output(t, dir, env, ldfi, "init")
		output(t, dir, env, ldfi, "check", "--no-cache")
		text, err := command(t, dir, env, ldfi, "run", "broadcast.ded")
		require.ErrorContains(t, err, "exit status 1", text)
		require.Contains(t, text, "crash a@2; omit a>b@1")
	})
	t.Run("template", func(t *testing.T) {
		dir := consumer(t, template)
		text, _ := command(t, dir, env, "go", "mod", "tidy", "-diff") // it has no go.sum of its own
		text, _, _ = strings.Cut(text, "diff current/go.sum")
		require.NotContains(t, text, "diff current/go.mod")
		output(t, dir, env, "go", "vet", "./...")
		for _, step := range steps(t, filepath.Join(dir, ".github/workflows/ldfi.yml")) {
			output(t, dir, append(env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH")), "sh", "-e", "-c", step)
		}
		require.FileExists(t, filepath.Join(dir, "ldfi.html"))
		require.Contains(t, output(t, dir, env, ldfi, "check", "--no-cache"), "1 case, 1 as expected")

		// What its README suggests.
		server := read(t, dir, "main.go")
		write(t, filepath.Join(dir, "main.go"), strings.Replace(server, "if err := f.Sync(); err != nil {", "if false {", 1))
		text, err := command(t, dir, env, "go", "test", "./...")
		require.Error(t, err)
		require.Contains(t, text, "violated  no exit: process n1 ends its program")
	})
	t.Run("failover", func(t *testing.T) {
		dir := consumer(t, "testdata/failover")
		output(t, dir, env, "go", "test", "./...")
		text, err := command(t, dir, env, ldfi, "run", "--system", "go run ./host", "--isolations", "1")
		require.ErrorContains(t, err, "exit status 1", text)
		require.Contains(t, text, "violated")
	})
	// Nothing is installed, the version is pinned in a file beside go.mod, and go.mod stays.
	t.Run("tool", func(t *testing.T) {
		dir := consumer(t, "testdata/failover")
		output(t, dir, env, "go", "vet", "./...") // by which go.mod is complete
		before, sums := read(t, dir, "go.mod"), read(t, dir, "go.sum")
		env := append(env, "GOFLAGS=-modcacherw -trimpath")
		output(t, dir, env, "go", "mod", "init", "-modfile=ldfi.mod", "example.com/failover/ldfi")
		output(t, dir, env, "go", "get", "-tool", "-modfile=ldfi.mod", core+"/cmd/ldfi@"+version)
		text := output(t, dir, env, "go", "tool", "-modfile=ldfi.mod", "ldfi", "test", "./...")
		require.Regexp(t, `holds    TestFailover/one_leader_per_term  — +\d+\.\d\d s\n`, text)
		require.Equal(t, before, read(t, dir, "go.mod"))
		require.Equal(t, sums, read(t, dir, "go.sum"))
	})
	t.Run("broadcast", func(t *testing.T) {
		dir := consumer(t, "testdata/broadcast")
		text := output(t, dir, env, "go", "run", ".")
		require.True(t, strings.HasSuffix(text, "violated\ncrash a@2; omit a>b@1\n"), text)
	})
	t.Run("raft", func(t *testing.T) {
		dir := consumer(t, "testdata/raft")
		text, err := command(t, dir, env, ldfi, "run", "--system", "go run .", "--isolations", "1", "--executions", "20")
		require.ErrorContains(t, err, "exit status 3", text)
		require.Contains(t, text, "none of 20 executions violates a property")
	})
	t.Run("tidy", func(t *testing.T) {
		for _, dir := range modules {
			text, err := command(t, filepath.Join(root, dir), append(env, "GOFLAGS=-modcacherw"), "go", "mod", "tidy", "-diff")
			require.NotContains(t, text, "diff current/go.mod", "%s: run adapters/tidy", dir)
			if err != nil { // it has no sums of what is not published
				require.Contains(t, text, "diff current/go.sum")
			}
		}
	})
}

// steps are the commands of a workflow of GitHub Actions, without that which installs a release.
func steps(t *testing.T, file string) (all []string) {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, file)), &workflow))
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if step.Run != "" && !strings.HasPrefix(step.Run, "go install ") {
				all = append(all, step.Run)
			}
		}
	}
	require.NotEmpty(t, all, file)
	return all
}

// published publishes the modules and returns the environment of a go command
// that finds them.
func published(t *testing.T) []string {
	t.Helper()
	proxy := t.TempDir()
	for _, dir := range modules {
		publishModule(t, proxy, dir)
	}
	usual := strings.Split(output(t, root, nil, "go", "env", "GOMODCACHE", "GOPROXY", "GONOSUMDB"), "\n")
	return []string{
		"GOWORK=off",
		"GOMODCACHE=" + t.TempDir(), // the user's does not get versions that do not exist
		fmt.Sprintf("GOPROXY=file://%s,file://%s/cache/download,%s", proxy, usual[0], usual[1]),
		"GONOSUMDB=" + strings.TrimPrefix(usual[2]+","+core, ","),
		"GOFLAGS=-mod=mod -modcacherw -trimpath", // without the paths the build cache serves the next run
	}
}

// publishModule puts a module into the directory of a module proxy.
func publishModule(t *testing.T, proxy, dir string) {
	t.Helper()
	m := module.Version{Path: goMod(t, dir).Module.Mod.Path, Version: version}
	file := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v", version)
	write(t, file+".info", fmt.Sprintf(`{"Version":%q}`, version))
	write(t, file+".mod", read(t, root, dir, "go.mod"))
	write(t, filepath.Join(filepath.Dir(file), "list"), version+"\n")
	archive, err := os.Create(file + ".zip")
	require.NoError(t, err)
	defer archive.Close()
	require.NoError(t, zip.CreateFromDir(archive, m, filepath.Join(root, dir)))
}

// consumer copies a program out of the repository. The sums of what ldfi requires
// come along, so that nobody has to be asked for them.
func consumer(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(program)))
	sums := ""
	for _, m := range modules {
		sums += read(t, root, m, "go.sum")
	}
	write(t, filepath.Join(dir, "go.sum"), sums)
	return dir
}
