package maelstrom

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// node is what stands behind the standard input and output of a node, from a start on: the
// network, and clients.
type node struct {
	cluster *cluster
	name    string
	input   func(line []byte)

	first    []Body           // what it is still told before anything is asked
	setup    string           // the client that tells it that; "": it is set up
	waiting  []system.Request // until it is set up
	answered map[int]bool

	messages []message
	replies  []reply
	facts    []fact
}

type reply struct {
	id   int
	told Body
}

type fact struct {
	relation string
	args     []any
}

func (c *cluster) newNode(name string) process.Stdio {
	return &node{cluster: c, name: name, answered: map[int]bool{}}
}

// Start tells the node who it is.
func (n *node) Start(input func(line []byte)) {
	n.input = input
	n.first = []Body{{"type": "init", "node_id": n.name, "node_ids": n.cluster.nodes}}
	if n.cluster.setup != nil {
		n.first = append(n.first, n.cluster.setup)
	}
	n.setUp(0)
}

// setUp tells the node the nth thing that it is told first. Each is told by a client of its
// own.
func (n *node) setUp(nth int) {
	n.setup = clientName(nth*len(n.cluster.nodes) + slices.Index(n.cluster.nodes, n.name))
	n.say(n.setup, n.first[nth])
}

// isSetUp takes the answer to what the node is told first.
func (n *node) isSetUp(told Body) {
	nth := slices.IndexFunc(n.first, func(b Body) bool { return told.Type() == b.Type()+"_ok" })
	switch {
	case nth < 0:
		n.tell("refuses", told.String())
	case nth+1 < len(n.first):
		n.setUp(nth + 1)
	default:
		n.setup = ""
		n.tell("ready")
		for _, r := range n.waiting {
			n.Request(r)
		}
		n.waiting = nil
	}
}

// asking is the msg_id of what clients ask: each asks once.
const asking = 1

// say writes what a client says to the node.
func (n *node) say(client string, body Body) {
	said := maps.Clone(body)
	said["msg_id"] = asking
	n.input(newMessage(client, n.name, said).line)
}

// clientName is what Maelstrom calls clients, by their number from 0.
func clientName(number int) string { return "c" + strconv.Itoa(number) }

// clientNumber reads it.
func clientNumber(name string) (number int, ok bool) {
	number, err := strconv.Atoi(strings.TrimPrefix(name, "c"))
	return number, err == nil && number >= 0 && clientName(number) == name
}

// Request hands a request over, as that of a client of its own.
func (n *node) Request(r system.Request) {
	body, ok := r.Payload.(Body)
	switch {
	case !ok:
		panic(fmt.Errorf("the payload of a request has to be a maelstrom.Body, not a %T", r.Payload))
	case n.setup != "":
		n.waiting = append(n.waiting, r)
	default:
		n.say(clientName(n.cluster.clients()+r.ID-1), body)
	}
}

// Receive hands over what another node or a service has sent.
func (n *node) Receive(arrived system.Message) {
	if m, ok := arrived.Payload.(message); ok {
		n.input(m.line)
	}
}

// Line takes what the node writes.
func (n *node) Line(line []byte) {
	m := message{line: line}
	if err := decode(line, &m); err != nil || m.Dest == "" || m.Body == nil {
		n.tell("malformed", string(line))
		return
	}
	m.Src = n.name
	if number, client := clientNumber(m.Dest); client {
		n.answer(number, m.Body)
		return
	}
	if slices.Contains(n.cluster.nodes, m.Dest) || slices.Contains(n.cluster.services, m.Dest) {
		n.messages = append(n.messages, m)
		return
	}
	n.tell("unknown", m.Dest, m.Body.String())
	refused := refusal(nodeNotFound, "there is no "+m.Dest)
	refused["in_reply_to"] = m.Body["msg_id"]
	n.input(newMessage(m.Dest, n.name, refused).line)
}

// answer tells a client something, which it takes if that answers what it asked. It need
// not have asked this node: others may have passed its request on.
func (n *node) answer(client int, told Body) {
	id := client - n.cluster.clients() + 1
	switch {
	case told.integer("in_reply_to") != asking:
		n.tell("ignored", clientName(client), told.String(), compact(told["in_reply_to"]))
	case clientName(client) == n.setup:
		n.isSetUp(told)
	case id > 0 && !n.answered[id]:
		n.answered[id] = true
		n.replies = append(n.replies, reply{id, told})
	}
}

func (n *node) tell(relation string, args ...any) { n.facts = append(n.facts, fact{relation, args}) }

// Send sends what the node has written to others.
func (n *node) Send(s *system.Step) {
	for _, m := range n.messages {
		s.Send(m.Dest, m)
	}
	n.messages = nil
}

// Report reports what it has told clients.
func (n *node) Report(s *system.Step) {
	for _, f := range n.facts {
		s.Fact(f.relation, f.args...)
	}
	for _, r := range n.replies {
		s.Reply(system.Request{ID: r.id}, r.told)
	}
	n.facts, n.replies = nil, nil
}

// Repeats tells whether a line of the log says no more than that a message was read or
// written, as the libraries of Maelstrom log each: the recording has it.
func (n *node) Repeats(line string) bool {
	i := strings.IndexByte(line, '{')
	var m message
	return i >= 0 && decode(bytes.TrimSpace([]byte(line[i:])), &m) == nil && m.Dest != "" && m.Body != nil
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
				if slices.Contains(services, to) {
					text += fmt.Sprintf("; maelstrom.Services, or --services %s, gives it to them", to)
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

// spoken says that nodes write messages, and agree to what they are told first.
func (c *cluster) spoken() property.Property {
	const name = "nodes speak the protocol"
	return property.Property{Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		for _, f := range e.Facts {
			switch {
			case f.Relation == "malformed" && len(f.Args) == 2:
				all = append(all, violation(name, fmt.Sprintf("%s writes %s in round %d, which is no message with dest and body: what is no message goes to the standard error",
					f.Args[0].Text(), f.Args[1], f.Round), f))
			case f.Relation == "refuses" && len(f.Args) == 2:
				all = append(all, violation(name, fmt.Sprintf("%s answers %s to what it is told first, in round %d", f.Args[0].Text(), f.Args[1].Text(), f.Round), f))
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
					"that is after a tenth of the rounds, and maelstrom.Rounds, or --eot, gives it more", process, told, first)
				late := recording.Fact{Relation: "violation", Args: []specs.Value{specs.String(process)}}
				all = append(all, result.Violation{Property: name, Fact: late, Text: text})
			}
		}
		return all
	}}
}
