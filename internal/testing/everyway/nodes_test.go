package everyway_test

import (
	"fmt"
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

// asked returns a server whose client reads requests from a file, and that is told to end.
func asked(t *testing.T, programs string) *system.System {
	server := filepath.Join(programs, "trash")
	s, err := process.Cluster{
		Name: "trash", Rounds: 60, Faults: rounds.Bounds{Terminations: 1}, Requests: filepath.Join(programs, "requests"),
		Nodes:   []process.Node{{Name: "n1", File: server, Args: []string{"serve"}}},
		Clients: []process.Node{{Name: "client", File: server, Args: []string{"load", "{peers:80}", "{requests}"}}},
	}.System()
	require.NoError(t, err)
	return s
}

// stepping returns nodes that speak the step protocol.
func stepping(t *testing.T) *system.System {
	c := process.Cluster{Name: "steps", Rounds: 8, Faults: rounds.Bounds{Crashes: 1}}
	for _, name := range []string{"n1", "n2", "n3"} {
		c.Nodes = append(c.Nodes, process.Node{Name: name, Steps: true, File: "sh", Args: []string{"-c", echo}})
	}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// echo answers what it is asked with nothing.
const echo = `while read -r line; do id=${line#*:}; echo "{\"id\": ${id%%,*}}"; done`

// Programs as they are answer the same in go test, by a host, in a suite, and with ldfi run
// --server and a file with the cluster. With -long so do requests, terminations and the step
// protocol.
func TestNodes(t *testing.T) {
	// What the programs that this test starts are told: where it has built the programs, and -long.
	const built, everything = "LDFI_EVERY_WAY_NODES", "LDFI_EVERY_WAY_LONG"
	programs := os.Getenv(built)
	first, all := programs == "", *long || os.Getenv(everything) != ""
	if first {
		if testing.Short() || runtime.GOOS != "linux" {
			t.Skip("builds the standard library, and nodes need Linux")
		}
		programs = t.TempDir()
		t.Setenv(built, programs)
		for _, pkg := range []string{"kvd", "kvd/load", "kvd/check"} {
			require.NoError(t, process.Build(t.Context(), "../../../examples", "./"+pkg, filepath.Join(programs, filepath.Base(pkg))))
		}
		if all {
			t.Setenv(everything, "1")
			trash := "../../../rounds/process/testdata/trash"
			require.NoError(t, process.Build(t.Context(), trash, ".", filepath.Join(programs, "trash")))
			requests, err := os.ReadFile(filepath.Join(trash, "requests"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(programs, "requests"), requests, 0o600))
		}
	}
	systems := []*system.System{kvd(t, "kvd", programs, "-async"), kvd(t, "kvd-careful", programs), kvd(t, checked, programs)}
	if all {
		systems = append(systems, asked(t, programs), stepping(t))
	}
	everyway.Test(t, 6, systems)
	if !first {
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
	host := text.ShellJoin(test, "-test.run", "^TestNodes$")
	if all {
		othersEveryWay(t, test, host, programs)
	}
	for name, more := range map[string][]string{"kvd": {"-async"}, "kvd-careful": nil, checked: nil} {
		flags, ofServer, ofFile := []string{}, "", ""
		if name == checked {
			flags = []string{"--checker", "./kvd/check {peers:8080}", "--last", "20", "--poll", "every 10 http://{ip}:8080/x"}
			ofServer, ofFile = `, polls: ["every 10 http://{ip}:8080/x"]`, "checker: {build: check, args: \"{peers:8080}\"}\nlast: 20\n"
		}
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
		if name != "kvd-careful" {
			continue
		}
		// Phases are a quarter of the rounds that are asked for, whoever has them.
		within := subject.Common{Bounds: map[string]string{"isolations": "1", "eot": "40"}}
		want = everyway.Ask(t, &subject.System{Command: host, Name: name, Executions: 2, Common: within})
		require.Contains(t, fmt.Sprint(want), "in phases of 10 rounds")
		require.Equal(t, want, everyway.Ask(t, &subject.System{Command: text.ShellJoin(words...), Executions: 2, Common: within}), "a file in other rounds")
	}
}

// othersEveryWay asks the systems that only -long has.
func othersEveryWay(t *testing.T, test, host, programs string) {
	// What is kept is executed first.
	dir := t.TempDir()
	file := filepath.Join(dir, "testdata/ldfi/TestNodes/clients_succeed.txt")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("crash n1@13\n"), 0o600))
	for name, want := range map[string]string{"kvd": "found   by the schedule that is kept", "kvd-careful": "clients_succeed.txt violates nothing any more"} {
		again := exec.CommandContext(t.Context(), test, "-test.v", "-test.run", "^TestNodes$")
		again.Dir, again.Env = dir, append(os.Environ(), "LDFI_EVERY_WAY=test "+name)
		out, _ := again.CombinedOutput() // which fails where the system does
		require.Contains(t, string(out), want)
	}

	// Of a file of requests, terminations and the step protocol.
	for name, words := range map[string][]string{
		"trash": {"--server", "./trash", "--nodes", "1", "--client", "./trash load {peers:80} {requests}", "--requests", "trash/requests", "--", "serve"},
		"steps": {"--steps", text.ShellJoin("sh", "-c", echo)},
	} {
		want := everyway.Ask(t, &subject.System{Command: host, Name: name, Executions: 6})
		bounds := map[string]map[string]string{"trash": {"terminations": "1", "eot": "60"}, "steps": {"crashes": "1", "eot": "8"}}[name]
		got := everyway.Ask(t, &subject.System{
			Command: text.ShellJoin(append([]string{"ldfi", "nodes"}, words...)...), Executions: 6,
			Common: subject.Common{Dir: "../../../rounds/process/testdata", Bounds: bounds},
		})
		require.Equal(t, want, got, name)
		if name == "trash" {
			cluster := filepath.Join(dir, "cluster.yaml")
			require.NoError(t, os.WriteFile(cluster, []byte("servers: [{name: n1, build: trash, args: serve}]\nclients: [{name: client, build: trash, args: \"load {peers:80} {requests}\"}]\n"+
				"bounds: {terminations: 1, eot: 60}\nrequests: "+filepath.Join(programs, "requests")+"\n"), 0o600))
			words := []string{"ldfi", "nodes", cluster, "--built", "trash=" + filepath.Join(programs, "trash")}
			require.Equal(t, want, everyway.Ask(t, &subject.System{Command: text.ShellJoin(words...), Executions: 6}), "%s by a file", name)
		}
	}
}
