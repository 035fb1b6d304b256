package main

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Naive is the broadcast that passes on what it hears of for the first time, once. It
// does what it should as long as no message is lost.
func Naive() *maelstrom.Node {
	n := maelstrom.NewNode()
	b := newBroadcast(n)
	b.pass = func(neighbour string, value int) {
		n.Send(neighbour, map[string]any{"type": "broadcast", "message": value})
	}
	return n
}

// Retrying is the broadcast that passes on what it hears of until the neighbour says
// that it has it.
func Retrying() *maelstrom.Node {
	n := maelstrom.NewNode()
	b := newBroadcast(n)
	b.pass = func(neighbour string, value int) {
		var once sync.Once
		done := make(chan struct{})
		for wait := 100 * time.Millisecond; ; wait = min(2*wait, time.Second) {
			n.RPC(neighbour, map[string]any{"type": "broadcast", "message": value}, func(maelstrom.Message) error {
				once.Do(func() { close(done) })
				return nil
			})
			select {
			case <-done:
				return
			case <-time.After(wait):
			}
		}
	}
	return n
}

// broadcast is what a node knows.
type broadcast struct {
	node *maelstrom.Node
	pass func(neighbour string, value int) // until it has arrived, or once

	mutex      sync.Mutex
	values     []int
	neighbours []string
}

func newBroadcast(n *maelstrom.Node) *broadcast {
	b := &broadcast{node: n, values: []int{}}
	n.Handle("topology", b.topology)
	n.Handle("broadcast", b.broadcast)
	n.Handle("broadcast_ok", func(maelstrom.Message) error { return nil })
	n.Handle("read", b.read)
	return b
}

func (b *broadcast) topology(m maelstrom.Message) error {
	var body struct{ Topology map[string][]string }
	if err := json.Unmarshal(m.Body, &body); err != nil {
		return err
	}
	b.mutex.Lock()
	b.neighbours = body.Topology[b.node.ID()]
	b.mutex.Unlock()
	return b.node.Reply(m, map[string]any{"type": "topology_ok"})
}

func (b *broadcast) broadcast(m maelstrom.Message) error {
	var body struct{ Message int }
	if err := json.Unmarshal(m.Body, &body); err != nil {
		return err
	}
	for _, neighbour := range b.learn(body.Message) {
		if neighbour != m.Src {
			go b.pass(neighbour, body.Message)
		}
	}
	return b.node.Reply(m, map[string]any{"type": "broadcast_ok"})
}

// learn returns who has to be told of a value: nobody if it is not new.
func (b *broadcast) learn(value int) []string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if slices.Contains(b.values, value) {
		return nil
	}
	b.values = append(b.values, value)
	return b.neighbours
}

func (b *broadcast) read(m maelstrom.Message) error {
	b.mutex.Lock()
	values := slices.Clone(b.values)
	b.mutex.Unlock()
	return b.node.Reply(m, map[string]any{"type": "read_ok", "messages": values})
}
