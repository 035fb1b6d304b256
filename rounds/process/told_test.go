package process_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/linear"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// registers returns a server, its copy and a client, which tell what they do.
func registers(t *testing.T, way string) *system.System {
	file := built(t, "./testdata/register")
	c := process.Cluster{
		Apart:   -1,
		Rounds:  150,
		Nodes:   []process.Node{{Name: "n1", File: file, Args: []string{way, "{name}"}}, {Name: "n2", File: file, Args: []string{way, "{name}"}}},
		Clients: []process.Node{{Name: "c", File: file, Args: []string{"load", "{peers:80}"}}},
		Properties: []property.Property{
			linear.Property(register()),
			rules.New("stored", `violation(V) :- log("n1", "info", "stored", "value", V, R), log("n1", "warn", "the copy does not answer", _, _, N), R <= N, !kept(V).
				kept(V) :- log("n2", "info", "stored", "value", V, _).`),
		},
	}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

func register() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "0" },
		Step: func(state, input, output any) (bool, any) {
			if input == "read" {
				return output == nil || output == state, state
			}
			return output == nil || output == "ok", input
		},
	}
}

// run executes a schedule, and returns the recording and what is violated.
func run(t *testing.T, s *system.System, schedule string) (*recording.Execution, map[string]string) {
	e, err := s.Run(t.Context(), parse(t, schedule), system.RunOptions{})
	require.NoError(t, err)
	violated := map[string]string{}
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		for _, v := range violations {
			violated[v.Property] = v.Text
		}
	}
	return e, violated
}

func facts(e *recording.Execution, relations ...string) (all []string) {
	for _, r := range relations {
		for _, f := range e.Facts {
			if f.Relation == r {
				text, _, _ := strings.Cut(f.String(), "@")
				all = append(all, text)
			}
		}
	}
	return all
}

// What programs tell stands in the recording, and nothing is violated without faults.
func TestTold(t *testing.T) {
	e, violated := run(t, registers(t, "hasty"), "")
	require.Empty(t, violated)
	require.Equal(t, []string{
		`request("c", 3, "1")`, `request("c", 6, "read")`, `request("c", 9, "2")`, `request("c", 12, "read")`,
		`request("c", 15, "3")`, `request("c", 18, "read")`, `request("c", 21, "4")`, `request("c", 24, "read")`,
		`reply("c", 3, "ok")`, `reply("c", 6, "1")`, `reply("c", 9, "ok")`, `reply("c", 12, "2")`,
		`reply("c", 15, "ok")`, `reply("c", 18, "3")`, `reply("c", 21, "ok")`, `reply("c", 24, "4")`,
		`done("c", "all", -1, "[1,2]", "0.5")`,
		`always("n1", "no write is passed over", "true", "register/main.go:55")`, `always("n2", "no write is passed over", "true", "register/main.go:55")`,
		`sometimes("n1", "a write comes late", "false", "register/main.go:56")`, `sometimes("n2", "a write comes late", "false", "register/main.go:56")`,
	}, facts(e, "request", "reply", "done", "always", "sometimes"))
	require.Subset(t, facts(e, "log", "stores"), []string{
		`log("n1", "info", "stored", "value", 2)`, `log("n1", "info", "stored", "before", 1)`, `stores("n2", 4)`,
		`log("c", "", "all is asked and answered", "", "")`,
	})
}

// A copy that did not get a write is read: that is no order of the requests. It gets the next
// one, and says that one was passed over.
func TestToldViolations(t *testing.T) {
	const cut = "reliable c>*,*>c; isolate n2@13..45" // the copy from the first server, but not from the client
	_, violated := run(t, registers(t, "hasty"), cut)
	require.Contains(t, violated["linearizability"], "no order of the requests explains this reply and those before it")
	require.Equal(t, "no write is passed over, but not on n2 at register/main.go:55", violated["always"])
	require.Contains(t, violated, "stored")
	_, violated = run(t, registers(t, "careful"), cut)
	require.NotContains(t, violated, "linearizability")
}

// The IDs of requests differ, also after a restart.
func TestToldAfterRestart(t *testing.T) {
	s := registers(t, "careful")
	e, violated := run(t, s, "crash c@30; restart c@31")
	require.Empty(t, violated["linearizability"])
	ids := map[string]bool{}
	requests := facts(e, "request")
	require.Greater(t, len(requests), 8)
	for _, r := range requests {
		ids[strings.Split(r, ",")[1]] = true
	}
	require.Len(t, ids, len(requests))
}

// A fact that ldfi reports itself is not believed.
func TestToldMisuse(t *testing.T) {
	c := process.Cluster{Rounds: 2, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/register"), Args: []string{"misuse"}}}}
	s, err := c.System()
	require.NoError(t, err)
	_, err = s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.ErrorContains(t, err, `node n1: it reports the fact "exit", which ldfi reports itself`)
}

// A program that uses the client links nothing of ldfi but that.
func TestClientLinksNothing(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/lineage-driven/ldfi/ldfi/client").Output()
	require.NoError(t, err)
	for _, name := range strings.Fields(string(out)) {
		if strings.Contains(name, ".") && !strings.HasPrefix(name, "vendor/") {
			require.Equal(t, "github.com/lineage-driven/ldfi/ldfi/client", name)
		}
	}
}
