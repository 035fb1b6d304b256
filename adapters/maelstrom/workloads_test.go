package maelstrom_test

import (
	"testing"

	node "github.com/jepsen-io/maelstrom/demo/go"
	"github.com/lineage-driven/ldfi/adapters/maelstrom"
	"github.com/lineage-driven/ldfi/adapters/maelstrom/glomers"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Nodes that do what they should hold, whatever is lost, and whether their services can
// always be reached or not.
func TestWorkloads(t *testing.T) {
	for name, s := range map[string]*system.System{
		"echo":       maelstrom.System(glomers.Echo, maelstrom.Echo{}),
		"unique-ids": maelstrom.System(glomers.UniqueIDs, maelstrom.UniqueIDs{}),
		"broadcast":  maelstrom.System(glomers.Retrying, maelstrom.Broadcast{}, maelstrom.Nodes(5)),
		"g-set":      maelstrom.System(glomers.Set, maelstrom.GSet{}),
		"g-counter":  maelstrom.System(glomers.Counter, maelstrom.GCounter{}),
		"lin-kv":     maelstrom.System(glomers.Store, maelstrom.LinKV{}, maelstrom.Services(node.LinKV)),
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, s)
			if s.Faults.Reliable != nil {
				s.Faults.Reliable = nil
				holds(t, s)
			}
		})
	}
}

func holds(t *testing.T, s *system.System) {
	t.Helper()
	r, err := search.Run(t.Context(), s, search.Options{Executions: 20})
	require.NoError(t, err)
	if first := r.First(); first != nil {
		require.Fail(t, "violated", "%v: %v", first.Schedule, first.Violations)
	}
}

// Nodes that do not are caught.
func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		new      func() *node.Node
		workload maelstrom.Workload
		services []string
		property string
		text     string
	}{
		"an add is counted twice": {glomers.HastyCounter, maelstrom.GCounter{}, []string{node.LinKV}, "no add counts twice", "but all that was asked to be added by then is"},
		"a cache is stale":        {glomers.CachingStore, maelstrom.LinKV{}, []string{node.LinKV}, "linearizability", "no order of the requests explains this reply"},
		"there is no service":     {glomers.Counter, maelstrom.GCounter{}, []string{}, "messages have a receiver", "writes to seq-kv in round 10, but there is no such node"},
		"a node ends":             {glomers.Echo, maelstrom.UniqueIDs{}, nil, "no panic", "the node ends: No handler for"},
		"a node panics":           {func() *node.Node { panic("no node") }, maelstrom.Echo{}, nil, "no panic", "no node"},
		"there is no node":        {func() *node.Node { return nil }, maelstrom.Echo{}, nil, "no exit", "New returns no node"},
		"it refuses its topology": {refusing, maelstrom.Broadcast{}, nil, "no exit", `it is told topology {"topology":{"n1":["n2","n3"],"n2":["n1"],"n3":["n1"]}}, and answers error {"code":10,"text":"no"}`},
	} {
		t.Run(name, func(t *testing.T) {
			with := []maelstrom.Option{maelstrom.Rounds(100)}
			if c.services != nil {
				with = append(with, maelstrom.Services(c.services...))
			}
			r, err := search.Run(t.Context(), maelstrom.System(c.new, c.workload, with...), search.Options{
				Executions: 1000, Bounds: rounds.Bounds{Omissions: 1, Isolations: 2, Period: 30, EFF: 60},
			})
			require.NoError(t, err)
			require.Equal(t, result.Violated, r.Verdict)
			require.Equal(t, c.property, r.First().Violations[0].Property)
			require.Contains(t, r.First().Violations[0].Text, c.text)
		})
	}
}

func refusing() *node.Node {
	n := node.NewNode()
	n.Handle("topology", func(node.Message) error { return node.NewRPCError(node.NotSupported, "no") })
	return n
}
