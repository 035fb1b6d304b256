package maelstrom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	node "github.com/jepsen-io/maelstrom/demo/go"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
)

// port is where every machine listens.
const port = 7

// server is a node on its machine. Its input and output are the network, and clients.
type server struct {
	cluster *cluster
	machine *virtual.Machine
	conn    net.PacketConn
	stdin   *io.PipeWriter
	told    chan Body // what the node answers while it is set up

	mutex    sync.Mutex
	line     []byte // that the node has begun to write
	asked    map[string]system.Request
	stopped  bool
	finished error // what ended Run
}

// startNode starts a node, and waits until it has been told what it is told first.
func (c *cluster) startNode(m *virtual.Machine) (virtual.Server, error) {
	if log.Writer() == os.Stderr {
		log.SetOutput(io.Discard)
	}
	conn, err := m.ListenPacket("udp", fmt.Sprint(":", port))
	if err != nil {
		return nil, err
	}
	n := c.new()
	if n == nil {
		return nil, errors.New("the function New returns no node")
	}
	stdin, input := io.Pipe()
	s := &server{cluster: c, machine: m, conn: conn, stdin: input, told: make(chan Body, 8), asked: map[string]system.Request{}}
	n.Stdin, n.Stdout = stdin, s
	go func() {
		err := n.Run()
		stdin.Close()
		s.finish(err)
	}()
	go s.receive()
	if err := s.setUp(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// setUp tells the node who it is, and what the workload says.
func (s *server) setUp() error {
	first := []Body{{"type": "init", "node_id": s.machine.Name(), "node_ids": s.cluster.nodes}}
	if s.cluster.setup != nil {
		first = append(first, s.cluster.setup)
	}
	for i, body := range first {
		s.input("c0", body, i+1)
		if told := <-s.told; told.Type() != body.Type()+"_ok" {
			return fmt.Errorf("it is told %s, and answers %s", body, told)
		}
	}
	return nil
}

// input writes what a client says to the node.
func (s *server) input(client string, body Body, id int) {
	said := Body{"msg_id": id}
	for key, value := range body {
		said[key] = value
	}
	fmt.Fprintln(s.stdin, compact(node.Message{Src: client, Dest: s.machine.Name(), Body: json.RawMessage(compact(said))}))
}

// receive writes what comes from other nodes to the node.
func (s *server) receive() {
	b := make([]byte, 1<<16)
	for {
		n, _, err := s.conn.ReadFrom(b)
		if err != nil {
			return
		}
		fmt.Fprintln(s.stdin, string(b[:n]))
	}
}

// Request hands a request over.
func (s *server) Request(r system.Request) {
	body, ok := r.Payload.(Body)
	if !ok {
		panic(fmt.Errorf("the payload of a request has to be a maelstrom.Body, not a %T", r.Payload))
	}
	client := "c" + strconv.Itoa(r.ID)
	s.mutex.Lock()
	s.asked[client] = r
	s.mutex.Unlock()
	s.input(client, body, r.ID)
}

// Write takes what the node writes. A goroutine that writes when the node has
// stopped ends: nothing else tells it to.
func (s *server) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.stopped {
		runtime.Goexit()
	}
	s.line = append(s.line, b...)
	for {
		line, rest, ended := bytes.Cut(s.line, []byte("\n"))
		if !ended {
			return len(b), nil
		}
		if err := s.output(line); err != nil {
			return 0, err
		}
		s.line = rest
	}
}

// output sends a line to where it goes.
func (s *server) output(line []byte) error {
	var m struct {
		Dest string
		Body Body
	}
	if err := decode(line, &m); err != nil {
		return fmt.Errorf("a node writes %q, which is no message: %w", line, err)
	}
	r, client := s.asked[m.Dest]
	switch {
	case m.Dest == "c0":
		s.told <- m.Body
	case client:
		delete(s.asked, m.Dest)
		s.machine.Reply(r, m.Body)
	case slices.Contains(s.cluster.nodes, m.Dest), slices.Contains(s.cluster.services, m.Dest):
		return send(s.machine, s.conn, m.Dest, line)
	case !strings.HasPrefix(m.Dest, "c"):
		s.machine.Fact("unknown", m.Dest)
		go s.refuse(m.Dest, m.Body)
	}
	return nil
}

// refuse answers for who is not there, a round later.
func (s *server) refuse(name string, asked Body) {
	time.Sleep(s.cluster.tick)
	s.input(name, Body{"type": "error", "code": 1, "text": "there is no " + name, "in_reply_to": asked["msg_id"]}, 0)
}

// send sends a line to another machine.
func send(m *virtual.Machine, conn net.PacketConn, to string, line []byte) error {
	ip, err := m.Lookup(to)
	if err != nil {
		return err
	}
	_, err = conn.WriteTo(line, &net.UDPAddr{IP: ip, Port: port})
	return err
}

// finish keeps why the node has ended.
func (s *server) finish(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.finished = err; err == nil && !s.stopped {
		s.finished = errors.New("its method Run returns")
	}
}

// Report fails when the node has ended: its main would end the process.
func (s *server) Report(*virtual.Machine) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.finished != nil {
		panic(fmt.Errorf("the node ends: %w", s.finished))
	}
}

// Stop ends the node.
func (s *server) Stop() {
	s.mutex.Lock()
	s.stopped = true
	s.mutex.Unlock()
	s.conn.Close()
	s.stdin.Close()
}

// reachable says that nodes write to nodes, clients and services that there are.
var reachable = property.Property{Name: "messages have a receiver", FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
	for _, f := range e.Facts {
		if f.Relation == "unknown" && len(f.Args) == 2 {
			text := fmt.Sprintf("%s writes to %s in round %d, but there is no such node; services are named by maelstrom.Services", f.Args[0].Text(), f.Args[1].Text(), f.Round)
			all = append(all, violation("messages have a receiver", text, f))
		}
	}
	return all
}}
