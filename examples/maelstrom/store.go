package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Store is the linearizable store that leaves everything to the service lin-kv.
func Store() *maelstrom.Node { return newStore(nil) }

// CachingStore tells a client what it knows when the service does not answer in time,
// which others may have overwritten.
func CachingStore() *maelstrom.Node { return newStore(map[string]any{}) }

func newStore(cache map[string]any) *maelstrom.Node {
	n := maelstrom.NewNode()
	kv := maelstrom.NewLinKV(n)
	var mutex sync.Mutex
	handle := func(kind string, do func(ctx context.Context, o operation) (any, error)) {
		n.Handle(kind, func(m maelstrom.Message) error {
			var o operation
			if err := json.Unmarshal(m.Body, &o); err != nil {
				return err
			}
			answer := map[string]any{"type": kind + "_ok"}
			err := try(func(ctx context.Context) error {
				value, err := do(ctx, o)
				mutex.Lock()
				defer mutex.Unlock()
				if known, has := cache[o.Key]; kind == "read" && has && errors.Is(err, context.DeadlineExceeded) {
					value, err = known, nil
				}
				if kind == "read" {
					answer["value"] = value
				}
				if cache != nil && err == nil {
					cache[o.Key] = value
				}
				return err
			})
			if errors.Is(err, context.DeadlineExceeded) {
				// It may happen yet: no error of the protocol may say that it will not.
				return maelstrom.NewRPCError(maelstrom.Crash, err.Error())
			}
			if err != nil {
				return err
			}
			return n.Reply(m, answer)
		})
	}
	handle("read", func(ctx context.Context, o operation) (any, error) { return kv.Read(ctx, o.Key) })
	handle("write", func(ctx context.Context, o operation) (any, error) { return o.Value, kv.Write(ctx, o.Key, o.Value) })
	handle("cas", func(ctx context.Context, o operation) (any, error) {
		return o.To, kv.CompareAndSwap(ctx, o.Key, o.From, o.To, false)
	})
	return n
}

// operation is what a client asks of a store.
type operation struct {
	Key             string
	Value, From, To any
}
