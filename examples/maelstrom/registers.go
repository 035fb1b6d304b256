package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Registers executes transactions on one value of the service lin-kv.
func Registers() *maelstrom.Node {
	n := maelstrom.NewNode()
	kv := maelstrom.NewLinKV(n)
	n.Handle("txn", func(m maelstrom.Message) error {
		var body struct{ Txn [][3]any }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		if err := try(func(ctx context.Context) error {
			for {
				before := map[string]any{}
				err := kv.ReadInto(ctx, "registers", &before)
				if err != nil && maelstrom.ErrorCode(err) != maelstrom.KeyDoesNotExist {
					return err
				}
				after := maps.Clone(before)
				execute(body.Txn, after)
				err = kv.CompareAndSwap(ctx, "registers", before, after, true)
				if maelstrom.ErrorCode(err) != maelstrom.PreconditionFailed {
					return err
				}
			}
		}); err != nil {
			return maelstrom.NewRPCError(maelstrom.Crash, err.Error()) // it may have happened
		}
		return n.Reply(m, map[string]any{"type": "txn_ok", "txn": body.Txn})
	})
	return n
}

// DirtyRegisters keeps a database on each node, and tells the others each write once.
func DirtyRegisters() *maelstrom.Node {
	n := maelstrom.NewNode()
	var mutex sync.Mutex
	registers := map[string]any{}
	n.Handle("txn", func(m maelstrom.Message) error {
		var body struct{ Txn [][3]any }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		mutex.Lock()
		execute(body.Txn, registers)
		mutex.Unlock()
		for _, other := range n.NodeIDs() {
			if other != n.ID() {
				n.Send(other, map[string]any{"type": "written", "txn": body.Txn})
			}
		}
		return n.Reply(m, map[string]any{"type": "txn_ok", "txn": body.Txn})
	})
	n.Handle("written", func(m maelstrom.Message) error {
		var body struct{ Txn [][3]any }
		err := json.Unmarshal(m.Body, &body)
		mutex.Lock()
		defer mutex.Unlock()
		execute(body.Txn, registers)
		return err
	})
	return n
}

// execute executes a transaction, and fills in what it reads.
func execute(txn [][3]any, registers map[string]any) {
	for i, access := range txn {
		key := fmt.Sprint(access[1])
		if access[0] == "w" {
			registers[key] = access[2]
		} else {
			txn[i][2] = registers[key]
		}
	}
}
