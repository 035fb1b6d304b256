package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/stretchr/testify/require"
)

// The time of a search begins when the server is built.
func TestTimeBeginsWhenAServerIsBuilt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("servers as they are need Linux")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nsleep 0.1\necho it is not to be built >&2\nexit 1\n"), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	var out, said bytes.Buffer
	run(t.Context(), []string{"run", "--server", "./kv", "--timeout", "1ms"}, streams{in: &bytes.Buffer{}, out: &out, err: &said})
	require.Contains(t, said.String(), "it is not to be built")
	require.NotContains(t, said.String(), "the time is up")
}

// Releases of a library that a server of the working directory is built with are searched
// afresh, whatever version its go.mod requires.
func TestReleasesOfALibraryOfAServer(t *testing.T) {
	if !*everything {
		t.Skip("only with -long")
	}
	proxy, here, ldfi := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "ldfi")
	said, err := exec.CommandContext(t.Context(), "go", "build", "-o", ldfi, ".").CombinedOutput()
	require.NoError(t, err, "%s", said)
	for version, text := range map[string]string{"v1.0.0": "func Keep() {}\n", "v1.1.0": "func Keep() { panic(\"mistake\") }\n"} {
		archive := "-- .mod --\nmodule example.com/keep\n\ngo 1.26\n-- .info --\n{\"Version\":\"" + version + "\"}\n-- go.mod --\nmodule example.com/keep\n\ngo 1.26\n-- keep.go --\npackage keep\n\n" + text
		require.NoError(t, os.WriteFile(filepath.Join(proxy, "example.com_keep_"+version+".txt"), []byte(archive), 0o600))
	}
	for name, text := range map[string]string{
		"go.mod":       "module here\n\ngo 1.26\n\nrequire example.com/keep v1.1.0\n",
		"main.go":      "package main\n\nimport \"example.com/keep\"\n\nfunc main() {\n\tkeep.Keep()\n\tselect {}\n}\n",
		"cluster.yaml": "servers:\n  - {name: n1, build: .}\nbounds: {eot: 3, crashes: 1}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(here, name), []byte(text), 0o600))
	}
	flags, arguments := []string{"--module", "example.com/keep", "--versions", "v1.0.0, v1.1.0"}, []string{"example.com/keep@v1.0.0", "example.com/keep@v1.1.0"}
	server := []string{"--server", ".", "--nodes", "1", "--eot", "3", "--crashes", "1"}
	for _, asked := range [][]string{append([]string{"cluster.yaml"}, flags...), append([]string{"cluster.yaml"}, arguments...), append(server, flags...), append(server, arguments...)} {
		cmd := exec.CommandContext(t.Context(), ldfi, append([]string{"bisect", "--strategy", "enumerate", "--cache", t.TempDir()}, asked...)...)
		cmd.Dir = here
		cmd.Env = append(os.Environ(), "GOPROXY="+goproxytest.NewTestServer(t, proxy, "").URL, "GOSUMDB=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(), "GOTOOLCHAIN=local", "GOWORK=")
		said, err = cmd.CombinedOutput()
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%v: %s", err, said)
		for _, line := range []string{" +v1.0.0 +holds +[0-9]+ +keeps", " +v1.1.0 +violated +[0-9]+ +breaks +#1 none"} {
			require.Regexp(t, "(?m)^"+line+".*$", string(said))
		}
	}
}

// Releases of a server are searched afresh, each built with its own go.mod; the client is
// that of the working directory.
func TestReleasesOfAServer(t *testing.T) {
	if !*everything {
		t.Skip("only with -long")
	}
	kvd, err := os.ReadFile("../../examples/kvd/main.go")
	require.NoError(t, err)
	load, err := os.ReadFile("../../examples/kvd/load/main.go")
	require.NoError(t, err)
	proxy, here, ldfi := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "ldfi")
	said, err := exec.CommandContext(t.Context(), "go", "build", "-o", ldfi, ".").CombinedOutput()
	require.NoError(t, err, "%s", said)
	for version, text := range map[string]string{"v1.0.0": string(kvd), "v1.1.0": strings.Replace(string(kvd), "async: *async", "async: !*async", 1)} {
		archive := "-- .mod --\nmodule example.com/kv\n\ngo 1.26\n-- .info --\n{\"Version\":\"" + version + "\"}\n-- go.mod --\nmodule example.com/kv\n\ngo 1.26\n-- main.go --\n" + text
		require.NoError(t, os.WriteFile(filepath.Join(proxy, "example.com_kv_"+version+".txt"), []byte(archive), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(here, "go.mod"), []byte("module here\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(here, "load"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(here, "load", "main.go"), load, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(here, "cluster.yaml"), []byte("servers: [{name: n, build: example.com/kv@v1.1.0, nodes: 2, args: '-others {others:8080}'}]\nclients: [{name: client, build: ./load, args: '{peers:8080}'}]\n"), 0o600))
	for _, asked := range [][]string{
		{"--server", "example.com/kv", "--nodes", "2", "--client", "./load {peers:8080}", "--", "-others", "{others:8080}"},
		{"cluster.yaml"},
	} {
		cmd := exec.CommandContext(t.Context(), ldfi, append([]string{"bisect", "--versions", "v1.0.0,v1.1.0", "--eot", "60", "--crashes", "1", "--strategy", "enumerate", "--cache", t.TempDir()}, asked...)...)
		cmd.Dir = here
		cmd.Env = append(os.Environ(), "GOPROXY="+goproxytest.NewTestServer(t, proxy, "").URL, "GOSUMDB=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(), "GOTOOLCHAIN=local", "GOWORK=")
		said, err = cmd.CombinedOutput()
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%v: %s", err, said)
		for _, line := range []string{".*: 1 of 2 versions can be broken", " +v1.0.0 +holds +[0-9]+ +keeps", " +v1.1.0 +violated +[0-9]+ +breaks +#1 crash n1@.*"} {
			require.Regexp(t, "(?m)^"+line+"$", string(said))
		}
	}
}

// A file has servers of a module in one version; another one takes its place.
func TestReleaseOfACluster(t *testing.T) {
	c := process.Cluster{Nodes: []process.Node{{File: "example.com/kv@v1.0.0"}, {File: "./proxy"}, {File: "example.com/kv@v1.1.0"}}, Clients: []process.Node{{File: "example.com/load@v1.0.0"}}}
	require.NoError(t, released(&c, "cluster.yaml", "v1.2.0"))
	require.Equal(t, []string{"example.com/kv@v1.2.0", "./proxy", "example.com/kv@v1.2.0"}, []string{c.Nodes[0].File, c.Nodes[1].File, c.Nodes[2].File})
	require.Equal(t, "example.com/load@v1.0.0", c.Clients[0].File, "a client stays as it is")
	c.Nodes[1].File = "example.com/proxy@v1.0.0"
	require.EqualError(t, released(&c, "cluster.yaml", "v1.2.0"), "version v1.2.0: cluster.yaml has servers of two packages, example.com/kv and example.com/proxy: it cannot be that of both")
}
