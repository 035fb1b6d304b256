package maelstrom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
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
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs"
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
	setup    string // the client that sets the node up; empty: it is set up
	answered map[int]bool
	stopped  bool
	finished error // what ended Run
}

// startNode starts a node, and waits until it has been told what it is told first.
func (c *cluster) startNode(m *virtual.Machine) (virtual.Server, error) {
	if _, client := clientNumber(m.Name()); client {
		return nil, fmt.Errorf("a node is called %s, as clients are: maelstrom.Names gives it another name", m.Name())
	}
	if c.wrong != nil {
		return nil, c.wrong
	}
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
	s := &server{cluster: c, machine: m, conn: conn, stdin: input, told: make(chan Body, 1), answered: map[int]bool{}}
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

// setUp tells the node who it is, and what the workload says. Each of it is told by a
// client of its own.
func (s *server) setUp() error {
	first := []Body{{"type": "init", "node_id": s.machine.Name(), "node_ids": s.cluster.nodes}}
	if s.cluster.setup != nil {
		first = append(first, s.cluster.setup)
	}
	for i, body := range first {
		client := clientName(i*len(s.cluster.nodes) + slices.Index(s.cluster.nodes, s.machine.Name()))
		s.mutex.Lock()
		s.setup = client
		s.mutex.Unlock()
		s.input(client, body)
		if told := <-s.told; told.Type() != body.Type()+"_ok" {
			return fmt.Errorf("it is told %s, and answers %s", body, told)
		}
	}
	s.machine.Fact("ready")
	return nil
}

// asking is the msg_id of what clients ask: each asks once.
const asking = 1

// input writes what a client says to the node.
func (s *server) input(client string, body Body) {
	said := maps.Clone(body)
	said["msg_id"] = asking
	s.write(client, said)
}

func (s *server) write(from string, body Body) {
	fmt.Fprintln(s.stdin, compact(node.Message{Src: from, Dest: s.machine.Name(), Body: json.RawMessage(compact(body))}))
}

// clientName is what Maelstrom calls clients, by their number from 0.
func clientName(number int) string { return "c" + strconv.Itoa(number) }

// clientNumber reads it.
func clientNumber(name string) (number int, ok bool) {
	number, err := strconv.Atoi(strings.TrimPrefix(name, "c"))
	return number, err == nil && number >= 0 && clientName(number) == name
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

// Request hands a request over, as that of a client of its own.
func (s *server) Request(r system.Request) {
	body, ok := r.Payload.(Body)
	if !ok {
		panic(fmt.Errorf("the payload of a request has to be a maelstrom.Body, not a %T", r.Payload))
	}
	s.input(clientName(s.cluster.clients()+r.ID-1), body)
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
	if number, client := clientNumber(m.Dest); client {
		s.answer(number, m.Body)
		return nil
	}
	if slices.Contains(s.cluster.nodes, m.Dest) || slices.Contains(s.cluster.services, m.Dest) {
		return send(s.machine, s.conn, m.Dest, line)
	}
	s.machine.Fact("unknown", m.Dest, m.Body.String())
	go s.refuse(m.Dest, m.Body)
	return nil
}

// answer tells a client something, which it takes if that answers what it asked. It need
// not have asked this node: others may have passed its request on.
func (s *server) answer(client int, told Body) {
	id := client - s.cluster.clients() + 1
	switch {
	case told.integer("in_reply_to") != asking:
		s.machine.Fact("ignored", clientName(client), told.String(), compact(told["in_reply_to"]))
	case clientName(client) == s.setup:
		s.setup = ""
		s.told <- told
	case id > 0 && !s.answered[id]:
		s.answered[id] = true
		s.machine.Reply(system.Request{ID: id}, told)
	}
}

// nodeNotFound is the error of the protocol that says that the receiver is not there.
const nodeNotFound = 1

// refuse answers for who is not there, a round later.
func (s *server) refuse(name string, asked Body) {
	time.Sleep(s.cluster.tick)
	s.write(name, Body{"type": "error", "code": nodeNotFound, "text": "there is no " + name, "in_reply_to": asked["msg_id"]})
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

// received says that nodes write to nodes, clients and services that there are, and tell
// clients what those wait for.
func (c *cluster) received() property.Property {
	const name = "messages have a receiver"
	there := "the nodes are " + strings.Join(c.nodes, ", ")
	if len(c.services) > 0 {
		there += ", the services " + strings.Join(c.services, ", ")
	}
	return property.Property{Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		for _, f := range e.Facts {
			switch {
			case f.Relation == "unknown" && len(f.Args) == 3:
				to := f.Args[1].Text()
				text := fmt.Sprintf("%s is asked, and %s: %s writes %s in round %d", to, there, f.Args[0].Text(), f.Args[2].Text(), f.Round)
				if slices.Contains(maelstromServices, to) {
					text += fmt.Sprintf("; maelstrom.Services(%q) gives it to them", to)
				}
				all = append(all, violation(name, text, f))
			case f.Relation == "ignored" && len(f.Args) == 4:
				text := fmt.Sprintf("%s tells the client %s %s in round %d, which does not take it: in_reply_to is %s, and the msg_id of what it asked %d",
					f.Args[0].Text(), f.Args[1].Text(), f.Args[2].Text(), f.Round, f.Args[3].Text(), asking)
				all = append(all, violation(name, text, f))
			}
		}
		return all
	}}
}

// ready says that the nodes have been set up before a round, in which operations and
// faults begin.
func (c *cluster) ready(first int) property.Property {
	const name = "nodes are ready when faults begin"
	told := "init"
	if c.setup != nil {
		told += " and " + c.setup.Type()
	}
	return property.Property{Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		early := func(f rounds.Fault) bool { return f.Round < first }
		if e.Bounds.EOT < first || slices.ContainsFunc(e.Schedule.Faults, early) {
			return nil
		}
		for _, process := range c.nodes {
			if !slices.ContainsFunc(e.Facts, func(f recording.Fact) bool {
				return f.Relation == "ready" && f.Round < first && f.Args[0].Text() == process
			}) {
				text := fmt.Sprintf("%s has not answered %s before round %d, in which operations and faults begin: "+
					"that is after a tenth of the rounds, and maelstrom.Rounds gives it more", process, told, first)
				late := recording.Fact{Relation: "violation", Args: []specs.Value{specs.String(process)}}
				all = append(all, result.Violation{Property: name, Fact: late, Text: text})
			}
		}
		return all
	}}
}
