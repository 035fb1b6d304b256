package process_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A crash at a call keeps what was done before it, and nothing that comes after: neither
// what was written, nor what was said.
func TestACrashBeforeACall(t *testing.T) {
	node := process.Node{Name: "n1", File: built(t, "./testdata/saves"), Args: []string{"aside"}}
	// In every second round: a new file, its content, a sync, its new name, a sync of the directory.
	for _, want := range []struct {
		at         string
		acked, had int
	}{
		{"call1/kept", 4, 4}, {"call4/kept", 4, 4},
		{"call5/kept", 4, 5}, {"call5", 4, 4}, // it has the name, which is not durable
		{"call6", 5, 5}, // there is none
	} {
		acked, had, _ := journal(t, node, fmt.Sprintf("crash n1@8/%s; restart n1@10", want.at), 8)
		assert.Equal(t, []int{want.acked, want.had}, []int{acked, had}, want.at)
	}
}

// What a node has sent before the call is sent: a server that answers before it stores loses
// what it has promised, and one that stores first does not. A sync takes time, in which
// others answer.
func TestWhatWasSentBeforeACallIsSent(t *testing.T) {
	file := built(t, "./testdata/saves")
	calls, osync := []string{"call1", "call5"}, []string{"OSYNC=1", "NOSYNC=1"}
	for _, x := range []struct {
		mode  string
		env   []string
		calls []string
		lost  int
	}{
		{"early", nil, calls, 2},
		{"beside", nil, calls, 1},
		{"serve", nil, calls, 0},
		{"beside", osync, []string{"call2"}, 1}, // the call writes, and syncs what it has written
		{"serve", osync, []string{"call2"}, 0},
	} {
		c := process.Cluster{
			Rounds: 12, Calls: 5, Apart: -1,
			Nodes:   []process.Node{{Name: "n1", File: file, Args: []string{x.mode}, Env: x.env}},
			Clients: []process.Node{{Name: "client", File: file, Args: []string{"ask"}}},
		}
		lost := 0
		for round := 3; round < 7; round++ {
			for _, call := range x.calls {
				e := executed(t, c, fmt.Sprintf("crash n1@%d/%s; restart n1@9", round, call))
				if slices.Contains(printed(e, "client"), "answered true") && printed(e, "n1")[len(printed(e, "n1"))-1] == "has 0" {
					lost++
				}
			}
		}
		assert.Equal(t, x.lost, lost, "%s %v", x.mode, x.env)
	}
}

// Without a sync of the file, or of its directory, a crash before some call loses what was
// acknowledged; with both none does.
func TestSyncsThatAreLeftOut(t *testing.T) {
	file := built(t, "./testdata/saves")
	for _, without := range []string{"", "NOSYNC=1", "NODIRSYNC=1"} {
		node, lost := process.Node{Name: "n1", File: file, Args: []string{"aside"}}, 0
		if without != "" {
			node.Env = []string{without}
		}
		for call := 1; call < 6; call++ {
			for _, outcome := range []string{"", "/kept", "/torn"} {
				acked, had, _ := journal(t, node, fmt.Sprintf("seed %d; crash n1@8/call%d%s; restart n1@10", call, call, outcome), 8)
				if had < acked {
					lost++
				}
			}
		}
		assert.Equal(t, without != "", lost > 0, "%s lost %d", without, lost)
	}
}

// A node that has written much tells it in parts. Behind the call before which it crashes
// none of them counts.
func TestACrashBeforeACallOfMany(t *testing.T) {
	c := process.Cluster{Rounds: 6, Calls: 5, Apart: -1, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/saves"), Args: []string{"much"}}}}
	require.Equal(t, []string{"has 0", "written <nil>"}, printed(executed(t, c, ""), "n1"))
	require.Equal(t, []string{"has 0", "has 0", "written <nil>"}, printed(executed(t, c, "crash n1@1/call2/kept; restart n1@3"), "n1"))
	require.Equal(t, []string{"has 0", "has 0", "what comes behind is there", "written <nil>", "written <nil>"}, printed(executed(t, c, "crash n1@2/kept; restart n1@3"), "n1"))
}
