package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// lease is how long a node answers reads from what n0 told it.
const lease = 100 * time.Millisecond

// leased is a store that n0 keeps. The others ask it again and again what is in it, and may
// answer reads from that for a while, by their clocks. N0 waits for longer before it writes,
// and tells nobody anything meanwhile.
func leased() *maelstrom.Node {
	n := maelstrom.NewNode()
	var mutex sync.Mutex
	known, until := map[string]any{}, time.Time{} // when others may still read what is not so any more; of the others, when they may not any more
	writing := make(chan struct{}, 1)
	ask := func(body any, patience time.Duration) (maelstrom.Message, error) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		return n.SyncRPC(ctx, "n0", body)
	}
	n.Handle("lease", func(m maelstrom.Message) error {
		writing <- struct{}{}
		defer func() { <-writing }()
		mutex.Lock()
		defer mutex.Unlock()
		until = time.Now().Add(lease)
		return n.Reply(m, map[string]any{"type": "lease_ok", "known": known})
	})
	n.Handle("init", func(maelstrom.Message) error {
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
			return nil, maelstrom.NewRPCError(maelstrom.KeyDoesNotExist, key)
		case kind == "read":
			return map[string]any{"type": "read_ok", "value": now}, nil
		case kind == "cas" && now != from:
			return nil, maelstrom.NewRPCError(maelstrom.PreconditionFailed, key)
		case kind == "cas":
			value = to
		}
		known[key] = value
		return map[string]any{"type": kind + "_ok"}, nil
	}
	for _, kind := range []string{"read", "write", "cas"} {
		n.Handle(kind, func(m maelstrom.Message) error {
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
					return maelstrom.NewRPCError(maelstrom.Crash, err.Error())
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
