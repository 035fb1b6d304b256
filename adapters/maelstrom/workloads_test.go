package maelstrom_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	node "github.com/jepsen-io/maelstrom/demo/go"
	"github.com/lineage-driven/ldfi/adapters/maelstrom"
	"github.com/lineage-driven/ldfi/adapters/maelstrom/glomers"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
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

// Nobody meets a fault before all nodes are set up, with the default bounds or with others;
// who wants faults in the set-up says so.
func TestNoFaultInTheSetUp(t *testing.T) {
	for name, c := range map[string]struct {
		bounds rounds.Bounds
		first  int
	}{
		"default bounds":       {rounds.Bounds{}, 11},
		"other bounds":         {rounds.Bounds{Crashes: 1, Restarts: 1, Isolations: 2, Pauses: 1, Period: 7}, 11},
		"faults in the set-up": {rounds.Bounds{Isolations: 2, Period: 7, From: 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := maelstrom.System(glomers.Echo, maelstrom.Echo{}, maelstrom.Rounds(100))
			var begin []int
			var lock sync.Mutex
			s.Properties = []property.Property{{Name: "looks on", Func: func(e *recording.Execution) []result.Violation {
				lock.Lock()
				defer lock.Unlock()
				for _, f := range e.Schedule.Faults {
					begin = append(begin, f.Round)
				}
				return nil
			}}}
			_, err := search.Run(t.Context(), s, search.Options{Executions: 200, Bounds: c.bounds})
			require.NoError(t, err)
			require.NotEmpty(t, begin)
			require.Equal(t, c.first, slices.Min(begin))
		})
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
		"an add is counted twice":              {glomers.HastyCounter, maelstrom.GCounter{}, []string{node.LinKV}, "no add counts twice", "but all that was asked to be added by then is"},
		"a cache is stale":                     {glomers.CachingStore, maelstrom.LinKV{}, []string{node.LinKV}, "linearizability", "no order of the requests explains this reply"},
		"there is no service":                  {glomers.Counter, maelstrom.GCounter{}, []string{}, "messages have a receiver", `seq-kv is asked, and the nodes are n0, n1, n2: n0 writes write {"key":"n0","value":1} in round 11; maelstrom.Services("seq-kv") gives it to them`},
		"a client is told what it did not ask": {telling, maelstrom.Echo{}, nil, "messages have a receiver", `n0 tells the client c3 echo_ok {"echo":"hello 0"} in round 11, which does not take it: in_reply_to is null, and the msg_id of what it asked 1`},
		"a node is set up late":                {slow, maelstrom.Echo{}, nil, "nodes are ready when faults begin", "n0 has not answered init before round 11, in which operations and faults begin"},
		"a neighbour is not there":             {glomers.Naive, maelstrom.Broadcast{Topology: map[string][]string{"n0": {"n3"}}}, nil, "no exit", "the Topology of the workload names n3, and the nodes are n0, n1, n2"},
		"a node ends":                          {glomers.Echo, maelstrom.UniqueIDs{}, nil, "no panic", "the node ends: No handler for"},
		"a node panics":                        {func() *node.Node { panic("no node") }, maelstrom.Echo{}, nil, "no panic", "no node"},
		"there is no node":                     {func() *node.Node { return nil }, maelstrom.Echo{}, nil, "no exit", "New returns no node"},
		"it refuses its topology":              {refusing, maelstrom.Broadcast{}, nil, "no exit", `it is told topology {"topology":{"n0":["n1","n2"],"n1":["n0"],"n2":["n0"]}}, and answers error {"code":10,"text":"no"}`},
	} {
		t.Run(name, func(t *testing.T) {
			with := []maelstrom.Option{maelstrom.Rounds(100)}
			if c.services != nil {
				with = append(with, maelstrom.Services(c.services...))
			}
			r, err := search.Run(t.Context(), maelstrom.System(c.new, c.workload, with...), search.Options{
				Executions: 1000, Bounds: rounds.Bounds{Omissions: 1, Isolations: 2, Period: 30, EFF: 60, Reliable: []string{}}, // what services say is lost, too
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

// telling answers an echo without saying what it answers.
func telling() *node.Node {
	n := node.NewNode()
	n.Handle("echo", func(m node.Message) error { return n.Send(m.Src, map[string]any{"type": "echo_ok", "echo": "hello 0"}) })
	return n
}

// slow needs 300ms to begin.
func slow() *node.Node {
	n := glomers.Echo()
	n.Handle("init", func(node.Message) error { time.Sleep(300 * time.Millisecond); return nil })
	return n
}

// A node that knows others by the names that Maelstrom gives them holds with these. With
// other names it asks who is not there, and that is told before everything that follows.
func TestNames(t *testing.T) {
	holds(t, maelstrom.System(hub, maelstrom.Broadcast{}))
	r, err := search.Run(t.Context(), maelstrom.System(hub, maelstrom.Broadcast{}, maelstrom.Names("a", "b")), search.Options{Executions: 20})
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
	require.Zero(t, r.First().Size)
	first := r.First().Violations[0]
	require.Equal(t, "messages have a receiver", first.Property)
	require.Equal(t, `n0 is asked, and the nodes are a, b: a writes broadcast {"message":0} in round 21`, first.Text)
	r, err = search.Run(t.Context(), maelstrom.System(hub, maelstrom.Broadcast{}, maelstrom.Names("n0", "c0")), search.Options{Executions: 20})
	require.NoError(t, err)
	require.Contains(t, r.First().Violations[0].Text, "a node is called c0, as clients are")
}

// hub tells n0 what a client says, which tells everybody.
func hub() *node.Node {
	n := node.NewNode()
	var mutex sync.Mutex
	values := []int{}
	n.Handle("topology", func(m node.Message) error { return n.Reply(m, map[string]any{"type": "topology_ok"}) })
	n.Handle("read", func(m node.Message) error {
		mutex.Lock()
		defer mutex.Unlock()
		return n.Reply(m, map[string]any{"type": "read_ok", "messages": values})
	})
	n.Handle("broadcast", func(m node.Message) error {
		var body struct{ Message int }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		mutex.Lock()
		known := slices.Contains(values, body.Message)
		if !known {
			values = append(values, body.Message)
		}
		mutex.Unlock()
		to := []string{"n0"}
		if n.ID() == "n0" {
			to = n.NodeIDs()
		}
		for _, other := range to {
			if !known && other != n.ID() && other != m.Src {
				go tell(n, other, body.Message)
			}
		}
		return n.Reply(m, map[string]any{"type": "broadcast_ok"})
	})
	return n
}

// tell tells a node until it says that it has heard.
func tell(n *node.Node, other string, message int) {
	heard := make(chan struct{}, 1)
	for {
		n.RPC(other, map[string]any{"type": "broadcast", "message": message}, func(node.Message) error {
			select {
			case heard <- struct{}{}:
			default:
			}
			return nil
		})
		select {
		case <-heard:
			return
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// An answer may come from another node than the one that was asked: the client takes it.
func TestAnswerOfAnother(t *testing.T) {
	s := maelstrom.System(func() *node.Node {
		n := node.NewNode()
		n.Handle("echo", func(m node.Message) error {
			return n.Send("n2", map[string]any{"type": "pass", "line": string(m.Body), "client": m.Src})
		})
		n.Handle("pass", func(m node.Message) error {
			var passed struct{ Line, Client string }
			if err := json.Unmarshal(m.Body, &passed); err != nil {
				return err
			}
			var body map[string]any
			if err := json.Unmarshal([]byte(passed.Line), &body); err != nil {
				return err
			}
			body["type"], body["in_reply_to"] = "echo_ok", body["msg_id"]
			return n.Send(passed.Client, body)
		})
		return n
	}, maelstrom.Echo{})
	e := execute(t, s, "")
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		require.Empty(t, violations, p.Name)
	}
}

// A node that answers reads from what it knows while it has the lease, by its own clock, is
// right as long as its clock goes on. One that was paused answers what others have
// overwritten since: default bounds find that where clients read.
func TestStaleAfterAPause(t *testing.T) {
	s := maelstrom.System(leased, maelstrom.LinKV{}, maelstrom.Services(), maelstrom.Operations(16))
	r, err := search.Run(t.Context(), s, search.Options{Executions: 200})
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
	require.Regexp(t, `^(seed \d+; )?pause n\d@\d+\.\.\d+$`, r.First().Schedule.String())
	require.Equal(t, "linearizability", r.First().Violations[0].Property)
	s.Faults.Pauses = 0
	holds(t, s)
}

// lease is how long a node answers reads from what n0 told it.
const lease = 100 * time.Millisecond

// leased is a store that n0 keeps. The others ask it again and again what is in it, and may
// answer reads from that for a while, by their clocks. N0 waits for longer before it writes,
// and tells nobody anything meanwhile.
func leased() *node.Node {
	n := node.NewNode()
	var mutex sync.Mutex
	known, until := map[string]any{}, time.Time{} // when others may still read what is not so any more; of the others, when they may not any more
	writing := make(chan struct{}, 1)
	ask := func(body any, patience time.Duration) (node.Message, error) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		return n.SyncRPC(ctx, "n0", body)
	}
	n.Handle("lease", func(m node.Message) error {
		writing <- struct{}{}
		defer func() { <-writing }()
		mutex.Lock()
		defer mutex.Unlock()
		until = time.Now().Add(lease)
		return n.Reply(m, map[string]any{"type": "lease_ok", "known": known})
	})
	n.Handle("init", func(node.Message) error {
		go func() {
			for ; n.ID() != "n0"; time.Sleep(lease / 4) {
				asked := time.Now()
				m, err := ask(map[string]any{"type": "lease"}, lease)
				var told struct{ Known map[string]any }
				if err == nil && json.Unmarshal(m.Body, &told) == nil {
					mutex.Lock()
					known, until = told.Known, asked.Add(lease)
					mutex.Unlock()
				}
			}
		}()
		return nil
	})
	// do does an operation on what is known.
	do := func(kind, key string, value, from, to any) (map[string]any, error) {
		mutex.Lock()
		defer mutex.Unlock()
		now, has := known[key]
		switch {
		case kind != "write" && !has:
			return nil, node.NewRPCError(node.KeyDoesNotExist, key)
		case kind == "read":
			return map[string]any{"type": "read_ok", "value": now}, nil
		case kind == "cas" && now != from:
			return nil, node.NewRPCError(node.PreconditionFailed, key)
		case kind == "cas":
			value = to
		}
		known[key] = value
		return map[string]any{"type": kind + "_ok"}, nil
	}
	for _, kind := range []string{"read", "write", "cas"} {
		n.Handle(kind, func(m node.Message) error {
			var asked struct {
				Key             string
				Value, From, To any
			}
			if err := json.Unmarshal(m.Body, &asked); err != nil {
				return err
			}
			mutex.Lock()
			fresh := n.ID() == "n0" || kind == "read" && time.Now().Before(until)
			mutex.Unlock()
			if !fresh {
				told, err := ask(map[string]any{"type": kind, "key": asked.Key, "value": asked.Value, "from": asked.From, "to": asked.To}, time.Second)
				if errors.Is(err, context.DeadlineExceeded) {
					return node.NewRPCError(node.Crash, err.Error())
				} else if err != nil {
					return err
				}
				var answer map[string]any
				if err := json.Unmarshal(told.Body, &answer); err != nil {
					return err
				}
				return n.Reply(m, answer)
			}
			if kind != "read" {
				writing <- struct{}{}
				defer func() { <-writing }()
				time.Sleep(time.Until(until))
			}
			answer, err := do(kind, asked.Key, asked.Value, asked.From, asked.To)
			if err != nil {
				return err
			}
			return n.Reply(m, answer)
		})
	}
	return n
}
