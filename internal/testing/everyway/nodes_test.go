package everyway_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// checked is the name of a cluster with polls and a checker.
const checked = "kvd-checked"

// kvd returns examples/kvd on two nodes, with its programs in a directory.
func kvd(t *testing.T, name, programs string, more ...string) *system.System {
	server := process.Node{File: filepath.Join(programs, "kvd"), Args: append([]string{"-others", "{others:8080}"}, more...)}
	c := process.Cluster{Name: name, Rounds: 60, Faults: rounds.Bounds{Crashes: 1},
		Clients: []process.Node{{Name: "client", File: filepath.Join(programs, "load"), Args: []string{"{peers:8080}"}}}}
	if name == checked {
		c.Checker = process.Node{Name: "checker", File: filepath.Join(programs, "check"), Args: []string{"{peers:8080}"}}
		c.Last, server.Polls = 20, []string{"every 10 http://{ip}:8080/x"}
	}
	for _, name := range []string{"n1", "n2"} {
		server.Name = name
		c.Nodes = append(c.Nodes, server)
	}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// Programs as they are answer the same in go test, by a host, in a suite, and with ldfi run
// --server and a file with the cluster.
func TestNodes(t *testing.T) {
	const built = "LDFI_EVERY_WAY_NODES" // where this test has built the programs, for those that it starts
	programs := os.Getenv(built)
	asked := programs == ""
	if asked {
		if testing.Short() || runtime.GOOS != "linux" {
			t.Skip("builds the standard library, and nodes need Linux")
		}
		programs = t.TempDir()
		t.Setenv(built, programs)
		for _, pkg := range []string{"kvd", "kvd/load", "kvd/check"} {
			require.NoError(t, process.Build(t.Context(), "../../../examples", "./"+pkg, filepath.Join(programs, filepath.Base(pkg))))
		}
	}
	everyway.Test(t, 6, []*system.System{kvd(t, "kvd", programs, "-async"), kvd(t, "kvd-careful", programs), kvd(t, checked, programs)})
	if !asked {
		return
	}
	ldfi := filepath.Join(programs, "ldfi")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", ldfi, "../../../cmd/ldfi").CombinedOutput()
	require.NoError(t, err, "%s", out)
	remote.Self = ldfi
	defer func() { remote.Self = "" }()
	test, err := os.Executable()
	require.NoError(t, err)
	t.Setenv("LDFI_EVERY_WAY", "host")
	for name, more := range map[string][]string{"kvd": {"-async"}, "kvd-careful": nil, checked: nil} {
		flags, ofServer, ofFile := []string{}, "", ""
		if name == checked {
			flags = []string{"--checker", "./kvd/check {peers:8080}", "--last", "20", "--poll", "every 10 http://{ip}:8080/x"}
			ofServer, ofFile = `, polls: ["every 10 http://{ip}:8080/x"]`, "checker: {build: check, args: \"{peers:8080}\"}\nlast: 20\n"
		}
		host := text.ShellJoin(test, "-test.run", "^TestNodes$")
		want := everyway.Ask(t, &subject.System{Command: host, Name: name, Executions: 6})
		words := slices.Concat([]string{"ldfi", "nodes", "--server", "./kvd", "--nodes", "2", "--client", "./kvd/load {peers:8080}"}, flags, []string{"--", "-others", "{others:8080}"}, more)
		got := everyway.Ask(t, &subject.System{
			Command: text.ShellJoin(words...), Executions: 6,
			Common: subject.Common{Dir: "../../../examples", Bounds: map[string]string{"crashes": "1", "eot": "60"}},
		})
		require.Equal(t, want, got, name)
		file := filepath.Join(t.TempDir(), "cluster.yaml")
		require.NoError(t, os.WriteFile(file, []byte("servers: [{name: n, build: kvd, nodes: 2, args: "+strconv.Quote(text.ShellJoin(append([]string{"-others", "{others:8080}"}, more...)...))+
			ofServer+"}]\nclients: [{name: client, build: load, args: \"{peers:8080}\"}]\nbounds: {crashes: 1, eot: 60}\n"+ofFile), 0o600))
		words = []string{"ldfi", "nodes", file, "--built", "kvd=" + filepath.Join(programs, "kvd"), "--built", "load=" + filepath.Join(programs, "load"), "--built", "check=" + filepath.Join(programs, "check")}
		require.Equal(t, want, everyway.Ask(t, &subject.System{Command: text.ShellJoin(words...), Executions: 6}), "%s by a file", name)
	}
}
