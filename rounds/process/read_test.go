package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/require"
)

// readText reads a cluster from a file with a text, beside which is the folder conf.
func readText(t *testing.T, text string) (process.Cluster, error) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "conf"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cluster.yaml"), []byte(text), 0o600))
	return process.Read(filepath.Join(dir, "cluster.yaml"))
}

// A file says of a cluster what flags say, of several programs.
func TestRead(t *testing.T) {
	c, err := readText(t, `
servers:
  - name: kv
    build: ./cmd/kvd
    nodes: 2
    args: -peers {others:peer} -motto 'one two'
    env: {COLOUR: blue, LEVEL: 3}
    ports: {peer: 7000}
    files: {conf: ./conf}
    restart: 100ms
  - {name: proxy, build: example.com/proxy@v1.2.3, args: [-to, "{kv:peer}", 8080]}
clients:
  - {name: load, build: ./load}
checker: {build: ./check, args: "{peers}"}
last: 20
tick: 20ms
epoch: 2026-01-31T12:00:00Z
apart: 0
calls: 3
requests: conf/asked
bounds: {eot: 60, crashes: 1, restarts: 1, never-crash: [proxy]}
`)
	require.NoError(t, err)
	kv := process.Node{Program: "kv", File: "./cmd/kvd", Args: []string{"-peers", "{others:peer}", "-motto", "one two"}, Env: []string{"COLOUR=blue", "LEVEL=3"},
		Ports: map[string]int{"peer": 7000}, Files: map[string]string{"conf": "./conf"}, Restart: 100 * time.Millisecond}
	first, second := kv, kv
	first.Name, second.Name = "kv1", "kv2"
	require.Equal(t, []process.Node{first, second, {Name: "proxy", Program: "proxy", File: "example.com/proxy@v1.2.3", Args: []string{"-to", "{kv:peer}", "8080"}}}, c.Nodes)
	require.Equal(t, []process.Node{{Name: "load", File: "./load"}}, c.Clients)
	require.Equal(t, process.Node{Name: "checker", File: "./check", Args: []string{"{peers}"}}, c.Checker)
	require.Equal(t, 20, c.Last)
	require.Equal(t, 20*time.Millisecond, c.Tick)
	require.Equal(t, 60, c.Rounds)
	require.Equal(t, -1, c.Apart)
	require.Equal(t, 3, c.Calls)
	require.Equal(t, "conf/asked", c.Requests)
	c.Requests = "" // there is no such file
	require.Equal(t, time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), c.Epoch)
	c.Calls = 101
	_, err = c.System()
	require.EqualError(t, err, "calls 101: there can be 0 to 100")
	c.Calls = 3
	s, err := c.System()
	require.NoError(t, err)
	require.Equal(t, []string{"kv1", "kv2", "proxy", "load", "checker"}, s.Processes)
	require.Equal(t, 1, s.Faults.Crashes)
	require.Equal(t, 1, s.Faults.Restarts)
	require.Equal(t, []string{"proxy", "load", "checker"}, s.Faults.NeverCrash)
}

// What is wrong with such a file is told with its place, and what to write.
func TestReadMistakes(t *testing.T) {
	const kv = "servers:\n  - name: kv\n    build: ./kvd\n"
	for text, want := range map[string]string{
		"":                                 "a cluster has servers, as in",
		"servers: 3":                       ":1:10: ",
		"cases: []":                        `:1:1: this is a suite, for "ldfi check"`,
		kv + "    arg: a":                  `:4:5: there is no "arg" in a cluster (did you mean "args"?); a cluster has servers, clients,`,
		kv + "    nodes: 0":                "kv: nodes is a number from 1 to 1000",
		kv + "    nodes: many":             ":4:12: ",
		kv + "    restart: -1s":            "-1s is no time that passes",
		kv + "    args: 'a \"b'":           "quote",
		kv + "  - {name: kv, build: .}":    "two nodes are called kv",
		kv + "  - {build: .}":              "a program has no name",
		kv + "  - {name: peers, build: .}": "peers: this name stands for something else in braces",
		kv + "  - {name: K V, build: .}":   "K V: this is no name of small letters, digits, - and _",
		kv + "  - {name: a}":               "a: it says no package to build",
		kv + "clients: [{name: a, build: ., ports: {a: 1}}]": ":4:31: a: a client has no restart, ports and polls: they stand in servers",
		kv + "checker: {name: a, build: ., nodes: 2}":        ":4:30: a: there is one checker, so that it has no nodes",
		kv + "args: -x":                   `:4:1: there is no "args" in a cluster: it stands in each of servers and clients; `,
		kv + "crashes: 1":                 `:4:1: there is no "crashes" in a cluster: it stands in bounds; `,
		kv + "crashs: 1":                  `:4:1: there is no "crashs" in a cluster (did you mean "crashes", which stands in bounds?); `,
		kv + "executions: 9":              `:4:1: there is no "executions" in a cluster: it stands in a case of a suite, or is a flag of the command; `,
		kv + "    calls: 3":               `:4:5: there is no "calls" in a server or client: it stands at the top of the file, beside servers; `,
		kv + "bounds: {eot: 60, last: 2}": `:4:19: bounds: there is no "last": it stands at the top of the file, beside servers; there can be eot, `,
		kv + "epoch: today":               "epoch today is no time such as",
		kv + "bounds: {crashs: 1}":        `:4:10: bounds: there is no "crashs" (did you mean "crashes"?)`,
		kv + "bounds: {crashes: x}":       ":4:10: bounds: crashes: ",
		kv + "bounds: {eot: x}":           ":4:10: bounds: eot: x is no number of rounds",
		kv + "bounds: {processes: a}":     ":4:10: bounds: the processes are the nodes of the cluster",
		kv + "properties: [no.mg]":        "no.mg",
		"a: [":                            ":1:",
	} {
		_, err := readText(t, text)
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "cluster.yaml", text)
		require.False(t, strings.Contains(err.Error(), "\n\n"), text)
	}
}

// Files are looked for, and their names checked, where the disks of nodes are made.
func TestFilesOfAFile(t *testing.T) {
	for files, want := range map[string]string{
		"conf: ./no":   "node kv: files: lstat ",
		"../c: ./conf": "node kv: files: ../c is no name below /data",
	} {
		c, err := readText(t, "servers:\n  - name: kv\n    build: ./kvd\n    files: {"+files+"}\n")
		require.NoError(t, err)
		_, err = c.System()
		require.ErrorContains(t, err, want)
	}
}

// A word in braces that there is not is told before anything is built, also of a go test, of
// clients and of templates.
func TestWrongBeforeTheBuild(t *testing.T) {
	template := filepath.Join(t.TempDir(), "conf.tmpl")
	require.NoError(t, os.WriteFile(template, []byte("me: {name}\nher: {pers}\n"), 0o600))
	no := process.Node{Name: "n1", File: "./nowhere"}
	with := func(change func(*process.Node)) process.Node {
		n := no
		change(&n)
		return n
	}
	for want, c := range map[string]process.Cluster{
		`node n1: "-name={nmae}": there is no {nmae} (did you mean "name"?); there are {name},`: {Nodes: []process.Node{with(func(n *process.Node) { n.Args = []string{"-name={nmae}"} })}},
		`node n1: "A={nmae}": there is no {nmae} (did you mean "name"?)`:                        {Nodes: []process.Node{with(func(n *process.Node) { n.Env = []string{"A={nmae}"} })}},
		`node load: "{peerz:1}": there is no {peerz:1} (did you mean "peers"?)`:                 {Nodes: []process.Node{no}, Clients: []process.Node{{Name: "load", File: "./no", Args: []string{"{peerz:1}"}}}},
		`node check: "{others:web}": {others:web}: n1 has no port "web"`:                        {Nodes: []process.Node{no}, Checker: process.Node{Name: "check", File: "./no", Args: []string{"{others:web}"}}},
		`conf.tmpl:2: there is no {pers} (did you mean "peers"?)`:                               {Nodes: []process.Node{no}, Files: map[string]string{"conf.tmpl": template}},
		`requests: no program reads `:                                                           {Nodes: []process.Node{no}, Requests: template},
		`building ./nowhere: `:                                                                  {Nodes: []process.Node{no}},
	} {
		require.ErrorContains(t, c.Build(t.Context(), t.TempDir()), want)
	}
}
