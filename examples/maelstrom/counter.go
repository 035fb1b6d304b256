package main

import (
	"context"
	"encoding/json"
	"time"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Counter is a counter that may shrink, too: each node stores what was added at it by its
// own name, where the others read it.
func Counter() *maelstrom.Node {
	n := maelstrom.NewNode()
	kv := maelstrom.NewSeqKV(n)
	known := map[string]int{}
	turn := make(chan struct{}, 1) // of who has known
	n.Handle("add", func(m maelstrom.Message) error {
		var body struct{ Delta int }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		turn <- struct{}{}
		defer func() { <-turn }()
		known[n.ID()] += body.Delta
		for try(func(ctx context.Context) error { return kv.Write(ctx, n.ID(), known[n.ID()]) }) != nil {
		}
		return n.Reply(m, map[string]any{"type": "add_ok"})
	})
	n.Handle("read", func(m maelstrom.Message) error {
		turn <- struct{}{}
		defer func() { <-turn }()
		sum := 0
		for _, node := range n.NodeIDs() {
			if node != n.ID() {
				try(func(ctx context.Context) error {
					value, err := kv.ReadInt(ctx, node)
					if err == nil {
						known[node] = value
					}
					return err
				})
			}
			sum += known[node]
		}
		return n.Reply(m, map[string]any{"type": "read_ok", "value": sum})
	})
	return n
}

// HastyCounter has one value for all nodes, and adds again what may have been added
// already, when nobody says that it was.
func HastyCounter() *maelstrom.Node {
	n := maelstrom.NewNode()
	kv := maelstrom.NewLinKV(n)
	n.Handle("add", func(m maelstrom.Message) error {
		var body struct{ Delta int }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		for try(func(ctx context.Context) error {
			value, _ := kv.ReadInt(ctx, "sum")
			return kv.CompareAndSwap(ctx, "sum", value, value+body.Delta, true)
		}) != nil {
		}
		return n.Reply(m, map[string]any{"type": "add_ok"})
	})
	n.Handle("read", func(m maelstrom.Message) error {
		var value int
		if err := try(func(ctx context.Context) (err error) {
			value, err = kv.ReadInt(ctx, "sum")
			return err
		}); err != nil && maelstrom.ErrorCode(err) != maelstrom.KeyDoesNotExist {
			return maelstrom.NewRPCError(maelstrom.TemporarilyUnavailable, err.Error())
		}
		return n.Reply(m, map[string]any{"type": "read_ok", "value": value})
	})
	return n
}

// try gives a call as long as an answer may take.
func try(call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	return call(ctx)
}
