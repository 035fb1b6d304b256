package main

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

// Set is the set that only grows: from time to time everybody tells all others what is
// in it.
func Set() *maelstrom.Node {
	n := maelstrom.NewNode()
	var mutex sync.Mutex
	elements := map[int]bool{}
	all := func() []int {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.AppendSeq([]int{}, maps.Keys(elements))
	}
	add := func(more ...int) {
		mutex.Lock()
		defer mutex.Unlock()
		for _, e := range more {
			elements[e] = true
		}
	}
	n.Handle("init", func(maelstrom.Message) error {
		go func() {
			for range time.Tick(200 * time.Millisecond) {
				for _, other := range n.NodeIDs() {
					if other != n.ID() {
						n.Send(other, map[string]any{"type": "merge", "elements": all()})
					}
				}
			}
		}()
		return nil
	})
	n.Handle("merge", func(m maelstrom.Message) error {
		var body struct{ Elements []int }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		add(body.Elements...)
		return nil
	})
	n.Handle("add", func(m maelstrom.Message) error {
		var body struct{ Element int }
		if err := json.Unmarshal(m.Body, &body); err != nil {
			return err
		}
		add(body.Element)
		return n.Reply(m, map[string]any{"type": "add_ok"})
	})
	n.Handle("read", func(m maelstrom.Message) error {
		return n.Reply(m, map[string]any{"type": "read_ok", "value": all()})
	})
	return n
}
