package zookeeper

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

var servers = []string{"s0", "s1", "s2"}

// Diverging and Converging return the system with ZOOKEEPER-2832 and without, in the
// harness H_div: at most four faults, as in the report.
func Diverging() *system.System  { return zookeeper("zookeeper-2832", div, variant{keepsLog: true}) }
func Converging() *system.System { return zookeeper("zookeeper-2832-fixed", div, variant{}) }

// Inconsistent and Consistent return the system with ZOOKEEPER-3875 and without, in the
// harness H_sc.
func Inconsistent() *system.System { return zookeeper("zookeeper-3875", sc, variant{logAlone: true}) }
func Consistent() *system.System   { return zookeeper("zookeeper-3875-fixed", sc, variant{}) }

// Both returns the system with both bugs in the harness H_sc, where either may show.
func Both() *system.System {
	s := zookeeper("zookeeper-both", sc, variant{keepsLog: true, logAlone: true})
	s.Properties = []property.Property{Same, Explained}
	return s
}

// variant says which of the bugs there are.
type variant struct {
	keepsLog bool // a snapshot leaves the log as it is
	logAlone bool // what is sent of the log does not depend on what is in the snapshot
}

func zookeeper(name string, h harness, v variant) *system.System {
	end := h.healed() + phaseRounds - 1
	s := &system.System{
		Name: name, Processes: servers, Rounds: end, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			return &server{harness: h, variant: v, end: end, number: slices.Index(servers, name), local: local{disk: disk{snapshot: 1}, leader: -1}}
		},
		Properties: []property.Property{Same},
		Faults:     rounds.Bounds{Isolations: 4, Period: phaseRounds, EFF: h.healed()},
	}
	if len(h) == len(sc) {
		s.Properties, s.Choices = []property.Property{Explained}, sizes(h, end)
		s.Faults.Isolations, s.Faults.Choices = 6, rounds.Unlimited
	}
	return s
}

// sizes are choices, for each step, of servers whose state is so large, or so small
// beside their log, that they send a snapshot where they could send their log.
func sizes(h harness, end int) []system.Choice {
	var all []system.Choice
	for round := 1; round <= end; round++ {
		if step, of := h.place(round); of == 3 {
			all = append(all, system.Choice{Kind: fmt.Sprintf("snapshot_%d", step), From: round, To: round})
		}
	}
	return all
}

// server is one process. All of its state is in fields of the type local.
type server struct {
	harness
	variant
	end    int // the last round
	number int
	local
}

// local is the state of a server.
type local struct {
	disk
	memory  history // what it has since it was started, or got it from its leader
	leader  int     // whom it takes for the leader, -1: nobody
	infos   [3]int  // as a leader: the last zxid of each that has sent it, and 1
	leads   bool
	joined  bool
	acks    [3]bool
	serves  bool
	pending bool // as a leader: there is a request to propose
}

// The messages of the rounds of a step.
type (
	vote struct{ Epoch, Last, Server int }
	info struct{ Last int }
	sync struct {
		Diff         bool
		Transactions history
	}
	ack      struct{}
	upToDate struct{}
	forward  struct{}
	propose  struct{}
)

// better orders votes.
func (v vote) better(than vote) bool {
	return slices.Compare([]int{v.Epoch, v.Last, v.Server}, []int{than.Epoch, than.Last, than.Server}) > 0
}

// Send sends what the round of the step asks for.
func (v *server) Send(s *system.Step) {
	step, round := v.place(s.Round())
	switch {
	case round == 1:
		v.local = local{disk: v.disk, memory: v.disk.history(), leader: -1}
		toAll(s, vote{v.epoch, v.memory.last(), v.number})
	case round == 2 && v.leader >= 0:
		s.Send(servers[v.leader], info{v.memory.last()})
	case round == 3 && v.leads:
		v.sync(s)
	case round == 4 && v.joined:
		s.Send(servers[v.leader], ack{})
	case round == 5 && v.leads && v.acked() > 1:
		for i, to := range servers {
			if v.acks[i] {
				s.Send(to, upToDate{})
			}
		}
	case round == 6 && v.serves && v.wanted(step):
		s.Send(servers[v.leader], forward{})
	case round == 7 && v.pending:
		toAll(s, propose{})
	}
}

// toAll sends to all, also to oneself.
func toAll(s *system.Step, payload any) {
	for _, to := range servers {
		s.Send(to, payload)
	}
}

// sync brings everybody to the state of the leader that has sent its last zxid.
func (v *server) sync(s *system.Step) {
	bulky := len(s.Requests()) > 0
	for i, to := range servers {
		last := v.infos[i] - 1
		switch {
		case last < 0:
		case last == v.memory.last():
			s.Send(to, sync{Diff: true})
		case v.memory.has(last) && !bulky && (v.logAlone || v.snapshot.last() <= last):
			s.Send(to, sync{Diff: true, Transactions: v.log.after(last)})
		default:
			s.Send(to, sync{Transactions: v.memory})
		}
	}
}

// wanted tells whether the server gets the request of the step, and reads what it asks
// for.
func (v *server) wanted(step int) bool {
	r := v.harness[step-1]
	return r.server == servers[v.number] && (r.want < 0 || v.state(v.memory)[r.asked] == r.want)
}

func (v *server) acked() (n int) {
	for _, there := range v.acks {
		if there {
			n++
		}
	}
	return n
}

// Receive updates the state as the round of the step asks for. What a pause has kept for
// a later round is ignored.
func (v *server) Receive(s *system.Step, inbox []system.Message) {
	step, round := v.place(s.Round())
	switch round {
	case 1:
		v.elect(inbox)
	case 2:
		v.gather(inbox)
	case 3:
		v.join(step, inbox)
	case 4:
		for _, m := range inbox {
			if _, ok := m.Payload.(ack); ok && v.leads {
				v.acks[slices.Index(servers, m.From)] = true
			}
		}
	case 5:
		v.serves = v.joined && holds[upToDate](inbox)
	case 6:
		v.pending = v.leads && holds[forward](inbox)
	case 7:
		if v.joined && holds[propose](inbox) {
			v.log = v.log.with(step)
		}
	}
	if s.Round() == v.end {
		values := v.state(v.memory)
		s.Fact("state", values[key0], values[key1])
	}
}

// holds tells whether there is a message of this kind.
func holds[T any](inbox []system.Message) bool {
	return slices.ContainsFunc(inbox, func(m system.Message) bool { _, ok := m.Payload.(T); return ok })
}

// elect takes the best of a majority for the leader.
func (v *server) elect(inbox []system.Message) {
	votes, best := 0, vote{Epoch: -1}
	for _, m := range inbox {
		if p, ok := m.Payload.(vote); ok {
			votes++
			if p.better(best) {
				best = p
			}
		}
	}
	if votes > 1 {
		v.leader = best.Server
	}
}

// gather begins to lead with the infos of a majority.
func (v *server) gather(inbox []system.Message) {
	infos := 0
	for _, m := range inbox {
		if p, ok := m.Payload.(info); ok {
			v.infos[slices.Index(servers, m.From)] = p.Last + 1
			infos++
		}
	}
	if infos > 1 && v.leader == v.number {
		v.leads = true
	}
}

// join takes what the leader of the server sends.
func (v *server) join(step int, inbox []system.Message) {
	for _, m := range inbox {
		p, ok := m.Payload.(sync)
		if !ok || v.leader < 0 || m.From != servers[v.leader] {
			continue
		}
		v.joined, v.epoch = true, step
		if p.Diff {
			v.log, v.memory = v.log|p.Transactions, v.memory|p.Transactions
			continue
		}
		v.snapshot, v.memory = p.Transactions, p.Transactions
		if !v.keepsLog {
			v.log &= p.Transactions
		}
	}
}
