package maelstrom

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	node "github.com/jepsen-io/maelstrom/demo/go"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// Option changes a system.
type Option func(*setting)

type setting struct {
	nodes, rounds, operations int
	tick                      time.Duration
	services                  []string
}

// Nodes says how many nodes there are; without it, 3. Their names are n1, n2, ...
func Nodes(n int) Option { return func(s *setting) { s.nodes = n } }

// Rounds says how many rounds an execution has; without it, 200. Operations begin in
// the first half of them, and nothing is lost after the first 6 of 10.
func Rounds(n int) Option { return func(s *setting) { s.rounds = n } }

// Operations says for how many operations clients ask; without it, 8.
func Operations(n int) Option { return func(s *setting) { s.operations = n } }

// Tick is the time of a round, in which a message arrives; without it, 20ms. It has to
// be well below the timeouts of the nodes: an answer comes after two rounds.
func Tick(d time.Duration) Option { return func(s *setting) { s.tick = d } }

// Services says which services of Maelstrom the nodes have, of lin-kv, seq-kv and
// lww-kv, in place of those of the workload.
func Services(names ...string) Option { return func(s *setting) { s.services = names } }

// System returns nodes, and what clients ask of them. New is called for each node, at the
// start of an execution and after each restart.
//
// By default there are at most two isolations and two omissions, all of them in the
// first 6 of 10 rounds. Services are machines of their own, whose links are reliable,
// and which do not crash.
func System(New func() *node.Node, w Workload, with ...Option) *system.System {
	s := setting{nodes: 3, rounds: 200, operations: 8, tick: 20 * time.Millisecond, services: w.services()}
	for _, option := range with {
		option(&s)
	}
	var nodes []string
	for i := range s.nodes {
		nodes = append(nodes, fmt.Sprintf("n%d", i+1))
	}
	p := plan{nodes: nodes, rounds: s.rounds, operations: s.operations}
	c := cluster{nodes: nodes, services: s.services, new: New, setup: w.setup(nodes), tick: s.tick}
	return &system.System{
		Name: strings.ToLower(reflect.TypeOf(w).Name()), Processes: slices.Concat(nodes, s.services), Rounds: s.rounds,
		New:        c.processes(),
		Requests:   p.requests(w),
		Properties: append(w.promises(p.until()), reachable),
		Faults: rounds.Bounds{
			Omissions: 2, Isolations: 2, Period: max(1, s.rounds/10), EFF: p.healed(),
			NeverCrash: s.services, Reliable: links(s.services),
		},
	}
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
	new             func() *node.Node
	setup           Body
	tick            time.Duration
}

// processes returns what makes the processes of the system.
func (c *cluster) processes() func(string, *rand.Rand) system.Process {
	return virtual.New(virtual.Options{Tick: c.tick, Text: text, Start: func(m *virtual.Machine) (virtual.Server, error) {
		if slices.Contains(c.services, m.Name()) {
			return c.startService(m)
		}
		return c.startNode(m)
	}})
}
