package zab

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

var servers = []string{"a", "b", "c"}

// SameLog is asked of ZOOKEEPER-335: who follows a leader has its log.
var SameLog = rules.New("same-log", `
violation(P, Q, E) :- follows(P, L, R), follows(Q, L, R), logged(P, E, V, R), logged(Q, E, W, R), V < W.`)

// Forgetting and Accepting return the broadcast with ZOOKEEPER-335 and without: three
// crashes and three restarts, as in the source.
func Forgetting() *system.System { return broadcast("zookeeper-335", false) }
func Accepting() *system.System  { return broadcast("zookeeper-335-fixed", true) }

func broadcast(name string, accepts bool) *system.System {
	return &system.System{
		Name: name, Processes: servers, Rounds: lastRound, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			return &server{accepts: accepts, number: slices.Index(servers, name)}
		},
		Properties: []property.Property{SameLog},
		Faults:     rounds.Bounds{Crashes: 3, Restarts: 3, CrashStop: true},
	}
}

// The steps begin in rounds 1, 7 and 13, and the last one ends when servers have been
// brought to the state of their leader.
const (
	steps     = 3
	length    = 6
	lastRound = 17
)

// log has the request of each epoch, 0 where there is none.
type log [steps + 1]int

// last is the epoch of the last transaction, 0 if there is none.
func (l log) last() int {
	for e := len(l) - 1; e > 0; e-- {
		if l[e] > 0 {
			return e
		}
	}
	return 0
}

// server is one process. All of its state is in fields of the type local.
type server struct {
	accepts bool // who joins a leader writes its epoch to the disk
	number  int
	local
}

// local is the state of a server.
type local struct {
	disk
	joined int // 1 and the number of the leader that it has just joined
	inbox  []system.Message
}

// disk is what a server has when it is started again.
type disk struct {
	log      log
	accepted int // the epoch of the last leader that it has joined, 0 if it does not write that
}

// The messages of a step.
type (
	vote struct{ Last int }
	info struct{ Last, Latest int }
	sync struct {
		Epoch int
		Lacks bool // the follower has not the last transaction of the leader
		Log   log
	}
	ack     struct{ Epoch int }
	propose struct{ Epoch, Request int }
)

// Receive keeps what comes for the next round.
func (v *server) Receive(_ *system.Step, inbox []system.Message) { v.inbox = slices.Clone(inbox) }

// Send takes what has come, and sends what comes of it.
func (v *server) Send(s *system.Step) {
	step, of := (s.Round()-1)/length+1, (s.Round()-1)%length+1
	if s.Round() == lastRound {
		v.report(s)
	}
	v.joined = 0
	if of == 1 {
		toAll(s, vote{v.log.last()})
	}
	v.elect(s)
	v.lead(s)
	v.join(s)
	if of == 5 {
		v.serve(s, step)
	}
	v.accept()
	v.inbox = nil
}

// toAll sends to all, also to oneself.
func toAll(s *system.Step, payload any) {
	for _, to := range servers {
		s.Send(to, payload)
	}
}

// received returns the messages of a kind, by the numbers of their senders.
func received[T any](v *server) map[int]T {
	all := map[int]T{}
	for _, m := range v.inbox {
		if p, ok := m.Payload.(T); ok {
			all[slices.Index(servers, m.From)] = p
		}
	}
	return all
}

// elect follows the best of a majority: with the latest transaction, of those with the
// greatest number.
func (v *server) elect(s *system.Step) {
	votes := received[vote](v)
	if len(votes) < 2 {
		return
	}
	leader := -1
	for i := range servers {
		if p, voted := votes[i]; voted && (leader < 0 || p.Last >= votes[leader].Last) {
			leader = i
		}
	}
	s.Send(servers[leader], info{v.log.last(), max(v.log.last(), v.accepted)})
}

// lead begins, with a majority that follows, the epoch after all that these know of, and
// brings them to its log.
func (v *server) lead(s *system.Step) {
	infos := received[info](v)
	if _, itself := infos[v.number]; !itself || len(infos) < 2 {
		return
	}
	newest := 0
	for _, p := range infos {
		newest = max(newest, p.Latest)
	}
	for i, to := range servers {
		if p, follows := infos[i]; follows {
			s.Send(to, sync{newest + 1, p.Last != v.log.last(), v.log})
		}
	}
}

// join takes what the leader sends.
func (v *server) join(s *system.Step) {
	for i, p := range received[sync](v) {
		v.joined = 1 + i
		if p.Lacks {
			v.log = p.Log
		}
		if v.accepts {
			v.accepted = p.Epoch
		}
		s.Send(servers[i], ack{p.Epoch})
	}
}

// serve logs the request of the step, when a majority has joined, and proposes it to that.
func (v *server) serve(s *system.Step, step int) {
	acks := received[ack](v)
	if len(acks) < 2 {
		return
	}
	for i, to := range servers {
		p, joined := acks[i]
		if !joined {
			continue
		}
		v.log[p.Epoch] = step
		if i != v.number {
			s.Send(to, propose{p.Epoch, step})
		}
	}
}

// accept logs what is proposed.
func (v *server) accept() {
	for _, p := range received[propose](v) {
		v.log[p.Epoch] = p.Request
	}
}

// report says what a server has that has been brought to the state of its leader.
func (v *server) report(s *system.Step) {
	if v.joined == 0 {
		return
	}
	s.Fact("follows", servers[v.joined-1])
	for epoch, request := range v.log {
		if request > 0 {
			s.Fact("logged", epoch, request)
		}
	}
}

// Restart forgets what is not on the disk.
func (v *server) Restart(*system.Step) { v.local = local{disk: v.disk} }

// Snapshot and Restore let a search go on from a state.
func (v *server) Snapshot() any        { return v.local }
func (v *server) Restore(snapshot any) { v.local = snapshot.(local) }

// Fingerprint names the state.
func (v *server) Fingerprint() string { return fmt.Sprintf("%+v", v.local) }
