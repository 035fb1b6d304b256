package hints

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
	coordinator = 0
	writeRound  = 3 // in which column 2 is written; all have column 1
	readRound   = 6 // from which on clients read, up to
	lastRead    = 11
)

// Fresh is what is asked of both versions: a read does not return what was replaced when it
// began, two rounds before.
var Fresh = rules.New("no stale value", `violation(N) :- answer(_, N, R), done(_, M, S), R = fn:plus(S, 2), N < M.`)

// Buggy and Fixed return the system with CASSANDRA-3395 and without: at most two crashes
// and two reboots. The source needs one of each.
func Buggy() *system.System { return hints("cassandra-3395", false) }
func Fixed() *system.System { return hints("cassandra-3395-fixed", true) }

func hints(name string, trims bool) *system.System {
	return &system.System{
		Name: name, Processes: nodes, Rounds: 14, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			return &node{self: slices.Index(nodes, name), trims: trims, local: local{disk: disk{newest: 1}}}
		},
		Properties: []property.Property{Fresh},
		Faults:     rounds.Bounds{Crashes: 2, Restarts: 2},
	}
}

// node is one process. All of its state is in fields of the type local.
type node struct {
	self  int
	trims bool
	local
}

// local is the state of a node.
type local struct {
	disk
	came
}

// disk is what a node has when it is started again.
type disk struct {
	newest int // the newest column

	// As the coordinator.
	wrote bool    // column 2, in a round before
	late  bool    // it has been for a round or more
	has   [3]bool // who is known to have it
	asked bool    // clients read
}

// came is what came in the last round, by its sender.
type came struct {
	store, read, alive [3]bool
	reply              [3]int // the newest column; 0: no reply
}

// The messages.
type (
	store  struct{}
	stored struct{}
	read   struct{}
	reply  struct{ Column int }
	alive  struct{}
)

// Send answers what came in the round before.
func (n *node) Send(s *system.Step) {
	in := n.came
	n.came = came{}
	for i, to := range nodes {
		if in.store[i] {
			s.Send(to, stored{})
		}
		if in.read[i] {
			s.Send(to, reply{n.newest})
		}
	}
	s.Send(nodes[coordinator], alive{})
	if n.self == coordinator {
		n.write(s, in)
		n.answer(s, in)
	}
}

// write writes column 2, and delivers hints of it.
func (n *node) write(s *system.Step, in came) {
	if n.wrote && slices.Contains(n.has[:], true) {
		s.Fact("done", 2)
	}
	writes := s.Round() == writeRound
	for i, to := range nodes {
		hinted := n.late && !n.has[i] && in.alive[i]
		if i != n.self && (writes || hinted) {
			s.Send(to, store{})
		}
	}
	if writes {
		n.newest = 2
	}
	n.late = n.wrote
	n.wrote = n.wrote || writes
}

// answer answers the reads that began two rounds before, and asks for new ones.
func (n *node) answer(s *system.Step, in came) {
	var columns []int
	for _, column := range in.reply {
		if column > 0 {
			columns = append(columns, column)
		}
	}
	if len(columns) > 1 {
		if n.trims {
			columns = []int{slices.Max(columns)}
		}
		slices.Sort(columns)
		for _, column := range slices.Compact(columns) {
			s.Fact("answer", column)
		}
	}
	if n.asked = n.asked || s.Round() == readRound; n.asked && s.Round() <= lastRead {
		for _, to := range nodes {
			s.Send(to, read{})
		}
	}
}

// Receive writes to the disk what belongs there, and keeps the rest for the next turn.
func (n *node) Receive(_ *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		i := slices.Index(nodes, m.From)
		switch p := m.Payload.(type) {
		case store:
			n.newest, n.store[i] = 2, true
		case stored:
			n.has[i] = true
		case read:
			n.read[i] = true
		case alive:
			n.alive[i] = true
		case reply:
			n.reply[i] = p.Column
		}
	}
}

// Restart goes on from the disk.
func (n *node) Restart(*system.Step) { n.came = came{} }

// Snapshot and Restore let a search go on from a state.
func (n *node) Snapshot() any        { return n.local }
func (n *node) Restore(snapshot any) { n.local = snapshot.(local) }

// Fingerprint names the state.
func (n *node) Fingerprint() string { return fmt.Sprintf("%+v", n.local) }
