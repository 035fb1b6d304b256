package process_test

import (
	"flag"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/client"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// functions are clusters of two servers whose clients are functions of a test.
func functions(t *testing.T, async bool, clients ...process.Node) process.Cluster {
	server := built(t, "../../examples/kvd")
	c := process.Cluster{Apart: -1, Rounds: 40, Clients: clients}
	for _, name := range []string{"n1", "n2"} {
		n := process.Node{Name: name, File: server, Args: []string{"-others", "{others:8080}"}}
		if async {
			n.Args = append(n.Args, "-async")
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

// replicated puts a value to the first server, and requires that the second one has it soon after
// an acknowledgement.
func replicated(t *testing.T) {
	http.DefaultClient.Timeout = 100 * time.Millisecond
	put, err := http.NewRequest("PUT", "http://n1:8080/x", strings.NewReader("1"))
	require.NoError(t, err)
	id := client.Request("put x 1")
	if _, err := http.DefaultClient.Do(put); err != nil {
		return
	}
	client.Reply(id, "ok")
	time.Sleep(50 * time.Millisecond)
	answer, err := http.Get("http://n2:8080/x")
	require.NoError(t, err)
	value, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, "1", string(value), "what was acknowledged is there")
}

// A function of a test is a client: what it requires is what the cluster promises. Without
// faults it gets that of a server that answers too early, and with a crash it does not.
func TestFunc(t *testing.T) {
	for _, async := range []bool{false, true} {
		t.Run(map[bool]string{true: "async / {name} (2)", false: "sync"}[async], func(t *testing.T) {
			t.Parallel()
			c := functions(t, async, process.Func(t, "client", replicated))
			s, err := c.System()
			require.NoError(t, err)
			e, violated := run(t, s, "")
			require.Empty(t, violated)
			require.Equal(t, []string{`request("client", 3, "put x 1")`, `reply("client", 3, "ok")`, `exit("client", 0)`}, facts(e, "request", "reply", "exit"))
			again, _ := run(t, s, "")
			require.Equal(t, told(e), told(again))

			e, violated = run(t, s, "crash n1@5")
			if !async {
				require.Empty(t, violated)
				return
			}
			require.Equal(t, map[string]string{"clients succeed": "client ends with status 1: what was acknowledged is there"}, violated)
			require.Contains(t, strings.Join(printed(e, "client"), "\n"), "what was acknowledged is there")
		})
	}
}

// The calls of one test are programs of their own, which get its flags and what else they
// are given. None of them shares a variable with the test.
func TestFuncs(t *testing.T) {
	said := "nothing"
	says := func(name string) process.Node {
		return process.Func(t, name, func(t *testing.T) {
			t.Cleanup(func() { t.Logf("%s says %s, with %d, %q and %s", name, said, *long, flag.Args(), os.Getenv("COLOUR")) })
			said = "something"
			t.Run("below", func(t *testing.T) { t.Error("it fails for", name) })
		})
	}
	c := functions(t, false, says("c1"), says("c2"))
	c.Checker = process.Func(t, "check", func(t *testing.T) { t.Skip("looks at nothing") })
	c.Clients[1].Args, c.Clients[1].Env = []string{"{peers}"}, []string{"COLOUR=blue"}
	s, err := c.System()
	require.NoError(t, err)
	e, violated := run(t, s, "")
	require.Contains(t, violated["clients succeed"], "c2 ends with status 1: c2 says something, with ")
	require.Equal(t, []string{`exit("c1", 1)`, `exit("c2", 1)`, `exit("check", 0)`}, facts(e, "exit"))
	require.Contains(t, strings.Join(printed(e, "c2"), "\n"), `c2 says something, with `)
	require.Contains(t, strings.Join(printed(e, "c2"), "\n"), `, ["n1,n2"] and blue`)
	require.Equal(t, "nothing", said)
}

// A test that does not come to its function in a node is an error, never a finding: it ends
// before, or executes a cluster.
func TestFuncNotReached(t *testing.T) {
	in := os.Getenv("LDFI_NODE") != ""
	fails := func(c process.Cluster) string {
		s, err := c.System()
		require.NoError(t, err)
		_, err = s.Run(t.Context(), parse(t, ""), system.RunOptions{})
		require.NotErrorAs(t, err, new(*system.PanicError))
		return err.Error()
	}
	t.Run("skips", func(t *testing.T) {
		if in {
			t.Skip("in a node")
		}
		c := functions(t, false, process.Func(t, "client", replicated))
		require.Contains(t, fails(c), "node client: TestFuncNotReached/skips does not come to its process.Func: exit status 0. A node executes what stands before that, too")
	})
	t.Run("searches", func(t *testing.T) {
		var clients []process.Node
		if !in {
			clients = append(clients, process.Func(t, "client", replicated))
		}
		c := functions(t, false, clients...)
		require.Contains(t, fails(c), "node client: TestFuncNotReached/searches runs in a node, and makes a cluster there: call process.Func before Cluster.System")
	})
	t.Run("asks for what there is not", func(t *testing.T) {
		if in {
			_, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{})
			require.NoError(t, err)
		}
		c := functions(t, false, process.Func(t, "client", replicated))
		require.Contains(t, fails(c), "after it asked for what ldfi does not offer to nodes: starting the program")
	})
}
