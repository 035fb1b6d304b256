// Command odd has nodes with which tests try what ldfi says of nodes.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"time"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

func main() {
	if err := nodes[os.Args[1]]().Run(); err != nil {
		log.Fatal(err)
	}
}

var nodes = map[string]func() *maelstrom.Node{
	"leased": leased, "hub": hub, "passing": passing, "refusing": refusing, "telling": telling, "slow": slow, "printing": printing,
}

// hub tells n0 what a client says, which tells everybody.
func hub() *maelstrom.Node {
	n := maelstrom.NewNode()
	var mutex sync.Mutex
	values := []int{}
	n.Handle("topology", func(m maelstrom.Message) error { return n.Reply(m, map[string]any{"type": "topology_ok"}) })
	n.Handle("read", func(m maelstrom.Message) error {
		mutex.Lock()
		defer mutex.Unlock()
		return n.Reply(m, map[string]any{"type": "read_ok", "messages": values})
	})
	n.Handle("broadcast", func(m maelstrom.Message) error {
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
func tell(n *maelstrom.Node, other string, message int) {
	heard := make(chan struct{}, 1)
	for {
		n.RPC(other, map[string]any{"type": "broadcast", "message": message}, func(maelstrom.Message) error {
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

// passing lets n2 answer for all.
func passing() *maelstrom.Node {
	n := maelstrom.NewNode()
	n.Handle("echo", func(m maelstrom.Message) error {
		return n.Send("n2", map[string]any{"type": "pass", "line": string(m.Body), "client": m.Src})
	})
	n.Handle("pass", func(m maelstrom.Message) error {
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
}

// refusing does not take its topology.
func refusing() *maelstrom.Node {
	n := maelstrom.NewNode()
	n.Handle("topology", func(maelstrom.Message) error { return maelstrom.NewRPCError(maelstrom.NotSupported, "no") })
	return n
}

// telling answers an echo without saying what it answers.
func telling() *maelstrom.Node {
	n := maelstrom.NewNode()
	n.Handle("echo", func(m maelstrom.Message) error {
		return n.Send(m.Src, map[string]any{"type": "echo_ok", "echo": "hello 0"})
	})
	return n
}

// slow needs 300ms to begin.
func slow() *maelstrom.Node {
	n := echo()
	n.Handle("init", func(maelstrom.Message) error { time.Sleep(300 * time.Millisecond); return nil })
	return n
}

// printing writes to its output what is no message.
func printing() *maelstrom.Node {
	n := echo()
	n.Handle("init", func(maelstrom.Message) error { fmt.Println("hello"); return nil })
	return n
}

// echo says what it is told.
func echo() *maelstrom.Node {
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
