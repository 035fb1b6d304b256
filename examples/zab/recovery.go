package zab

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// Works is asked of ZOOKEEPER-1653: a server that is started works.
var Works = rules.New("works", `violation(S) :- starts(S, R), !works(S, R).`)

// Unmarked and Marked return the recovery with ZOOKEEPER-1653 and without: two crashes and
// two restarts.
func Unmarked() *system.System { return recovery("zookeeper-1653", false) }
func Marked() *system.System   { return recovery("zookeeper-1653-fixed", true) }

func recovery(name string, marks bool) *system.System {
	return &system.System{
		Name: name, Processes: servers, Rounds: 16, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			return &replica{marks: marks, stored: disks[name], learner: learner{starting: name != leader}}
		},
		Properties: []property.Property{Works},
		Faults:     rounds.Bounds{Crashes: 2, Restarts: 2, CrashStop: true},
	}
}

// leader is the server that leads, in epoch 2.
const leader = "a"

// disks are those of the beginning. a and b have the transactions of epoch 1, and c, which
// was not there, those of epoch 0.
var disks = map[string]stored{
	"a": {Last: 1, Epoch: 2},
	"b": {Last: 1, Epoch: 1},
	"c": {},
}

// stored is what a server has on its disk.
type stored struct {
	Last     int  // the epoch of the last transaction of its snapshot
	Epoch    int  // the epoch that it has joined last
	Updating bool // a mark: it is about to write the epoch
}

// learner is what a server has in memory.
type learner struct {
	starting bool
	asked    [3]bool // as the leader: who has asked for its state
	sent     int     // 1 and the epoch of the snapshot that has come from the leader
	ready    int     // the same, when it is to be written
	taken    bool    // the snapshot has been written, and the epoch has not
}

// replica is one process.
type replica struct {
	marks bool // it marks its disk before it takes a snapshot
	stored
	learner
}

// The messages: who starts asks for the state, and the leader sends it.
type (
	state    struct{}
	snapshot struct{ Epoch int }
)

// Receive keeps what comes for the next round.
func (v *replica) Receive(_ *system.Step, inbox []system.Message) {
	v.asked, v.sent = [3]bool{}, 0
	for _, m := range inbox {
		switch p := m.Payload.(type) {
		case state:
			for i, name := range servers {
				v.asked[i] = v.asked[i] || name == m.From
			}
		case snapshot:
			v.sent = 1 + p.Epoch
		}
	}
}

// Send starts, sends the state of the leader to who has asked for it, and goes on to
// write what has come.
func (v *replica) Send(s *system.Step) {
	if v.starting {
		v.start(s)
	}
	for i, asked := range v.asked {
		if asked {
			s.Send(servers[i], snapshot{v.Last})
		}
	}
	v.write()
}

// start works if the snapshot is of no later epoch than the one on the disk, or if that was
// about to be written.
func (v *replica) start(s *system.Step) {
	s.Fact("starts")
	v.starting = false
	if v.Last > v.Epoch {
		if !v.Updating {
			return
		}
		v.Epoch, v.Updating = v.Last, false
	}
	s.Fact("works")
	if s.Process() != leader {
		s.Send(leader, state{})
	}
}

// write takes a snapshot in one round, and writes the epoch in the next one.
func (v *replica) write() {
	if v.taken {
		v.Epoch, v.Updating = 2, false
	}
	v.taken = v.ready > 0
	if v.taken {
		v.Last = v.ready - 1
	}
	v.ready = v.sent
	if v.ready > 0 && v.marks {
		v.Updating = true
	}
}

// Restart forgets what is not on the disk.
func (v *replica) Restart(*system.Step) { v.learner = learner{starting: true} }

// kept is the state of a server.
type kept struct {
	stored
	learner
}

// Snapshot and Restore let a search go on from a state.
func (v *replica) Snapshot() any     { return kept{v.stored, v.learner} }
func (v *replica) Restore(state any) { k := state.(kept); v.stored, v.learner = k.stored, k.learner }

// Fingerprint names the state.
func (v *replica) Fingerprint() string { return fmt.Sprintf("%+v %+v", v.stored, v.learner) }
