package fle

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

var servers = []string{"a", "b", "c"}

// Premature and Established return the system with ZOOKEEPER-790 and without. Both have
// ZOOKEEPER-975, as the versions of that time do.
func Premature() *system.System {
	return election("zookeeper-790", Joins, variant{countsAll: true, premature: true})
}
func Established() *system.System {
	return election("zookeeper-790-fixed", Joins, variant{countsAll: true})
}

// Usurping and Joining return the system with ZOOKEEPER-975 and without.
func Usurping() *system.System { return election("zookeeper-975", Ends, variant{countsAll: true}) }
func Joining() *system.System  { return election("zookeeper-975-fixed", Ends, variant{}) }

// Circling and Settling return the system with ZOOKEEPER-1419 and without: three crashes
// and two restarts, as in the source. All servers have the same zxid.
func Circling() *system.System {
	return circling("zookeeper-1419", variant{level: true, unordered: true})
}
func Settling() *system.System { return circling("zookeeper-1419-fixed", variant{level: true}) }

func circling(name string, v variant) *system.System {
	s := election(name, Settles, v)
	s.Rounds, s.Faults.Crashes, s.Faults.Restarts = 20, 3, 2
	return s
}

// variant says which of the bugs there are.
type variant struct {
	premature bool // a leader begins its epoch before anybody follows it
	countsAll bool // who leads or follows counts to those that one has heard from
	unordered bool // of two votes with the same zxid each may be the better one
	level     bool // all servers have the same zxid
}

// election returns a system with one crash and one restart, as in the source.
func election(name string, p property.Property, v variant) *system.System {
	return &system.System{
		Name: name, Processes: servers, Rounds: 16,
		New: func(name string, _ *rand.Rand) system.Process {
			s := &server{variant: v, number: slices.Index(servers, name)}
			if name == "b" && !v.level {
				s.Zxid = 1
			}
			s.look(1)
			return s
		},
		Properties: []property.Property{p},
		Faults:     rounds.Bounds{Crashes: 1, Restarts: 1, CrashStop: true},
	}
}

// server is one process. All of its state is in fields of the type local.
type server struct {
	variant
	number int
	local
}

// disk is what a server has when it is started again: the last epoch that it has joined,
// and its last zxid.
type disk struct{ Epoch, Zxid int }

// local is the state of a server.
type local struct {
	disk
	position
	begun  int  // the last epoch that it has begun, in memory
	serves bool // as a leader: it has begun an epoch
	alone  int  // for so many rounds it has led or followed without company
	turns  int  // so often it has changed its vote in this election
	queue  queue
}

// The states of a server.
const (
	silent = iota // nothing has come from it
	looking
	following
	leading
)

// position is what a server tells all others in each round. Its clock counts its
// elections. Who looks has a vote, and who follows a leader.
type position struct {
	State, Clock int
	Vote         vote
	Leader       int
}

// Kind names the position in diagrams.
func (p position) Kind() string {
	return [...]string{"silent", "looking", "following", "leading"}[p.State]
}

// vote names a server, and what that has on its disk.
type vote struct {
	disk
	Server int
}

// newLeader is what a leader that has begun an epoch sends who follows it.
type newLeader struct{ disk }

// queue is what has come in a round, by the numbers of the senders. It is taken in the
// next round.
type queue struct {
	position  [3]position
	newLeader [3]newLeader
	invited   [3]bool
}

// Receive puts what comes into the queue.
func (v *server) Receive(s *system.Step, inbox []system.Message) {
	v.queue = queue{}
	for _, m := range inbox {
		from := slices.Index(servers, m.From)
		switch p := m.Payload.(type) {
		case position:
			v.queue.position[from] = p
		case newLeader:
			v.queue.newLeader[from], v.queue.invited[from] = p, true
		}
	}
}

// Send tells all others where the server stands, and takes what is in the queue.
func (v *server) Send(s *system.Step) {
	if v.State != looking && !v.accompanied() && v.alone == 3 {
		v.look(v.Clock + 1)
	}
	s.Broadcast(v.position)
	switch v.State {
	case looking:
		v.elect(s)
	case leading:
		s.Fact("leads", v.latest())
		v.lead(s)
	case following:
		s.Fact("follows", servers[v.Leader])
		v.follow(s)
	}
}

// Restart forgets what is not on the disk.
func (v *server) Restart(*system.Step) {
	v.local = local{disk: v.disk}
	v.look(1)
}

// look begins an election, with a vote for oneself.
func (v *server) look(clock int) {
	v.position = position{State: looking, Clock: clock, Vote: vote{v.disk, v.number}}
	v.serves, v.alone, v.turns = false, 0, 0
}

// latest is the last epoch that the server has begun or joined.
func (v *server) latest() int { return max(v.Epoch, v.begun) }

// accompanied tells whether a leader has heard from who follows it, and who follows from
// its leader.
func (v *server) accompanied() bool {
	return v.State == leading && v.followed() || v.State == following && v.queue.position[v.Leader].State == leading
}

// followed tells whether another server follows this one.
func (v *server) followed() bool {
	return slices.ContainsFunc(v.queue.position[:], func(p position) bool { return p.State == following && p.Leader == v.number })
}

// endure counts the rounds without company.
func (v *server) endure() {
	v.alone++
	if v.accompanied() {
		v.alone = 0
	}
}

// lead begins an epoch, and tells it to who follows.
func (v *server) lead(s *system.Step) {
	v.endure()
	if !v.serves {
		if v.premature || v.followed() {
			v.begun, v.serves = v.latest()+1, true
		}
		return
	}
	for i, p := range v.queue.position {
		if p.State == following && p.Leader == v.number {
			s.Send(servers[i], newLeader{disk{v.latest(), v.Zxid}})
			v.Epoch = v.latest()
		}
	}
}

// follow joins the epoch of the leader, unless the server knows of a later one.
func (v *server) follow(s *system.Step) {
	v.endure()
	if !v.queue.invited[v.Leader] {
		return
	}
	if l := v.queue.newLeader[v.Leader]; l.Epoch < v.latest() {
		s.Fact("refuses", servers[v.Leader])
	} else {
		v.disk = l.disk
	}
}

// Fingerprint names the state.
func (v *server) Fingerprint() string { return fmt.Sprintf("%+v", v.local) }

// Snapshot and Restore let a search go on from a state.
func (v *server) Snapshot() any        { return v.local }
func (v *server) Restore(snapshot any) { v.local = snapshot.(local) }
