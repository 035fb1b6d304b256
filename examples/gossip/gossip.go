package gossip

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

var nodes = []string{"a", "b", "c"}

const (
	silence = 4 // how many rounds without a report the failure detector waits
	oldest  = 8 // the age of a heartbeat with which nobody is up
)

// Taken is what is asked of both versions: who has a heartbeat that has been the same for
// eight rounds is taken for down.
var Taken = rules.New("taken for down", `violation(P, Q) :- up(P, Q, R), age(P, Q, 8, R).`)

// Buggy and Fixed return the system with CASSANDRA-3626 and without: at most two crashes
// and a reboot, as in the source.
func Buggy() *system.System { return gossip("cassandra-3626", false) }
func Fixed() *system.System { return gossip("cassandra-3626-fixed", true) }

func gossip(name string, reportsNew bool) *system.System {
	return &system.System{
		Name: name, Processes: nodes, Rounds: 12, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			n := &node{self: slices.Index(nodes, name), reportsNew: reportsNew}
			n.peers = [3]peer{{beat: 1, since: 1}, {beat: 1, since: 1}, {beat: 1, since: 1}}
			return n
		},
		Properties: []property.Property{Taken},
		Faults:     rounds.Bounds{Crashes: 2, Restarts: 1},
	}
}

// node is one process. All of its state is in fields of the type local.
type node struct {
	self       int
	reportsNew bool
	local
}

// local is the state of a node.
type local struct {
	clock int     // the rounds in which it was up: on its disk
	heard [3]int  // the newest heartbeats that came in the last round
	peers [3]peer // what it knows of each; its own place is not used
}

// peer is what a node knows of another one.
type peer struct {
	beat  int // its newest heartbeat; 0: never heard of
	since int // the rounds since the last report to the failure detector; 0: there was none
	age   int // the rounds since that came, up to the oldest
}

func (p peer) down() bool { return p.since == silence }

// beats are the heartbeats of all nodes, 0 of whom the sender does not know.
type beats [3]int

// Send takes what it heard in the round before, and tells all.
func (n *node) Send(s *system.Step) {
	n.clock++
	told := beats{}
	for i := range nodes {
		if i == n.self {
			told[i] = n.clock
			continue
		}
		n.take(i)
		told[i] = n.peers[i].beat
		n.say(s, i)
	}
	n.heard = [3]int{}
	for i, to := range nodes {
		if i != n.self {
			s.Send(to, told)
		}
	}
}

// take takes the heartbeat of another node that came, if one did.
func (n *node) take(i int) {
	p := &n.peers[i]
	known, newer := p.beat > 0, n.heard[i] > p.beat
	p.beat = max(p.beat, n.heard[i])
	switch {
	case newer && (known || n.reportsNew):
		p.since = 1
	case p.since > 0:
		p.since = min(p.since+1, silence)
	}
	if known && !newer {
		p.age = min(p.age+1, oldest)
	} else {
		p.age = 0
	}
}

// say reports what the property asks for.
func (n *node) say(s *system.Step, i int) {
	p := n.peers[i]
	if p.beat == 0 {
		return
	}
	s.Fact("age", nodes[i], p.age)
	if !p.down() {
		s.Fact("up", nodes[i])
	}
}

// Receive keeps the newest heartbeats.
func (n *node) Receive(_ *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		for i, beat := range m.Payload.(beats) {
			n.heard[i] = max(n.heard[i], beat)
		}
	}
}

// Restart forgets everything but the clock.
func (n *node) Restart(*system.Step) { n.local = local{clock: n.clock} }

// Snapshot and Restore let a search go on from a state.
func (n *node) Snapshot() any        { return n.local }
func (n *node) Restore(snapshot any) { n.local = snapshot.(local) }

// Fingerprint names the state.
func (n *node) Fingerprint() string { return fmt.Sprintf("%+v", n.local) }
