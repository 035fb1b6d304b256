package maelstrom

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Option changes a system.
type Option func(*setting)

type setting struct {
	nodes, services    []string
	rounds, operations int
	tick               time.Duration
}

// Nodes says how many nodes there are; without it, 3. Their names are those that
// Maelstrom gives them: n0, n1, ...
func Nodes(n int) Option {
	return func(s *setting) {
		s.nodes = nil
		for i := range n {
			s.nodes = append(s.nodes, fmt.Sprint("n", i))
		}
	}
}

// Names says what the nodes are called, and so how many there are.
func Names(names ...string) Option { return func(s *setting) { s.nodes = names } }

// Rounds says how many rounds an execution has; without it, 200. In the first tenth
// the nodes are set up. Then operations begin, and faults; operations end in the first
// half, and nothing is lost after the first 6 of 10.
func Rounds(n int) Option { return func(s *setting) { s.rounds = n } }

// Operations says for how many operations clients ask; without it, 8.
func Operations(n int) Option { return func(s *setting) { s.operations = n } }

// Tick is the time of a round, in which a message arrives; without it, 20ms. It has to
// be well below the timeouts of the nodes: an answer comes after two rounds.
func Tick(d time.Duration) Option { return func(s *setting) { s.tick = d } }

// Services says which services of Maelstrom there are: of lin-kv, lin-tso, lww-kv and seq-kv.
// Without it, UniqueIDs, GCounter and LinKV have all of them, and the others none: there
// the nodes keep everything themselves. A node that asks one that is not there is told so.
func Services(names ...string) Option { return func(s *setting) { s.services = names } }

// System returns nodes, each of which runs a program, and what clients ask of them. Of the
// program there are the File, Args, Env and what else a [process.Node] has besides its name.
//
// By default there are at most two isolations and two omissions, and with workloads that
// read a pause: a node that stands still while others go on is what reads have to survive.
// Faults begin when the nodes have been set up, after the first tenth of the rounds, also
// with other bounds that have no From of their own, and losses and pauses end with the first
// 6 of 10. Services are machines of their own, whose links are reliable, and which do not
// crash; one that is paused answers late.
func System(program process.Node, w Workload, with ...Option) (*system.System, error) {
	s := setting{rounds: 200, operations: 8, tick: 20 * time.Millisecond, services: w.services()}
	for _, option := range slices.Concat([]Option{Nodes(3)}, with) {
		option(&s)
	}
	p := plan{nodes: s.nodes, rounds: s.rounds, operations: s.operations}
	c := &cluster{nodes: s.nodes, services: s.services}
	if err := c.check(); err != nil {
		return nil, err
	}
	var err error
	if c.setup, err = w.setup(s.nodes); err != nil {
		return nil, err
	}
	requests := p.requests(w)
	of := process.Cluster{
		Name: nameOf(w), Rounds: s.rounds, Tick: s.tick, Apart: -1, // Maelstrom waits for all nodes
		Properties: slices.Concat([]property.Property{c.spoken(), c.received(), c.ready(p.first())}, w.promises(p.until())),
		Faults: rounds.Bounds{
			Omissions: 2, Isolations: 2, Pauses: pauses(requests), Period: max(1, s.rounds/10), From: p.first(), EFF: p.healed(),
			NeverCrash: s.services, Reliable: links(s.services),
		},
	}
	for _, name := range s.nodes {
		node := program
		node.Name, node.Stdio = name, c.newNode
		of.Nodes = append(of.Nodes, node)
	}
	made, err := of.System()
	if err != nil {
		return nil, err
	}
	made.Ask = func(text string) (any, error) {
		body, ok := parseBody(text)
		if !ok || body.Type() == "" || strings.ContainsAny(body.Type(), "{}[]\",:") {
			return nil, fmt.Errorf("%q is no body of a message: write its type, and what else it has as JSON, as in broadcast {\"message\":7}", text)
		}
		return body, nil
	}
	nodes := made.New
	made.Processes, made.Requests = append(made.Processes, s.services...), requests
	made.New = func(name string, random *rand.Rand) system.Process {
		if slices.Contains(s.services, name) {
			return newService(name, s.tick, random)
		}
		return nodes(name, random)
	}
	return made, nil
}

// pauses is how many nodes are paused by default: one if any is asked to read.
func pauses(requests []system.Request) int {
	if slices.ContainsFunc(requests, func(r system.Request) bool { return r.Payload.(Body).Type() == "read" }) {
		return 1
	}
	return 0
}

// links returns all links of services.
func links(services []string) (all []string) {
	for _, name := range services {
		all = append(all, "*>"+name, name+">*")
	}
	return all
}

// cluster is the nodes, and what they have.
type cluster struct {
	nodes, services []string
	setup           Body
}

// check reports names that are those of others.
func (c *cluster) check() error {
	for _, name := range c.nodes {
		if _, client := clientNumber(name); client || slices.Contains(services, name) {
			return fmt.Errorf("a node is called %s, as clients and services are: maelstrom.Names gives it another name", name)
		}
	}
	for _, name := range c.services {
		if !slices.Contains(services, name) {
			return fmt.Errorf("%s is none of the services %s", name, strings.Join(services, ", "))
		}
	}
	return nil
}

// clients is how many clients set the nodes up: one for each thing that each node is told.
func (c *cluster) clients() int {
	if c.setup == nil {
		return len(c.nodes)
	}
	return 2 * len(c.nodes)
}

// Workloads returns the workloads by the names that Maelstrom gives them.
func Workloads() map[string]Workload {
	return map[string]Workload{
		"echo": Echo{}, "unique-ids": UniqueIDs{}, "broadcast": Broadcast{}, "g-set": GSet{}, "g-counter": GCounter{},
		"pn-counter": PNCounter{}, "lin-kv": LinKV{}, "txn-rw-register": TxnRWRegister{}, "kafka": Kafka{},
	}
}

// nameOf returns the name of a workload.
func nameOf(w Workload) string {
	all := Workloads()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if fmt.Sprintf("%T", all[name]) == fmt.Sprintf("%T", w) {
			return name
		}
	}
	return "maelstrom"
}
