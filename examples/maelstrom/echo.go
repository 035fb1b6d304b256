package main

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Echo says what it is told.
func Echo() *maelstrom.Node {
	n := maelstrom.NewNode()
	n.Handle("echo", func(m maelstrom.Message) error {
		var body map[string]any
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		body["type"] = "echo_ok"
		return n.Reply(m, body)
	})
	return n
}

// UniqueIDs makes names of its own and a number.
func UniqueIDs() *maelstrom.Node {
	n := maelstrom.NewNode()
	var made atomic.Int64
	n.Handle("generate", func(m maelstrom.Message) error {
		return n.Reply(m, map[string]any{"type": "generate_ok", "id": fmt.Sprint(n.ID(), "-", made.Add(1))})
	})
	return n
}
