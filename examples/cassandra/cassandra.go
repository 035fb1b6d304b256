package cassandra

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

const (
	transactions = 3
	phases       = 4
	phaseRounds  = 6
)

// Buggy and Fixed return the system with one ballot and with two.
func Buggy() *system.System { return cassandra("cassandra-6023", true) }
func Fixed() *system.System { return cassandra("cassandra-fixed", false) }

func cassandra(name string, buggy bool) *system.System {
	replicas := []string{"p1", "p2", "p3"}
	return &system.System{
		Name: name, Processes: replicas, Rounds: phases * phaseRounds,
		New: func(name string, _ *rand.Rand) system.Process {
			return &replica{name: name, replicas: replicas, buggy: buggy}
		},
		Properties: []property.Property{NoReturn},
	}
}

// update is a transaction with the ballot under which it was accepted, or
// committed. The zero update is none.
type update struct{ Ballot, Transaction int }

// replica is one process. All of its state is in fields of the type local.
type replica struct {
	name     string
	replicas []string
	buggy    bool
	local
}

// local is the state of a replica.
type local struct {
	promised  int     // the latest ballot that it promised; with the bug, or accepted
	accepted  update  // what it accepted last, unless that is committed; with the bug without a ballot
	committed update  // what it committed last
	reply     any     // what it sends the coordinator in the next round, nil if nothing
	proposal  *update // as a coordinator: what it proposes, or commits, in the next round
}

// The messages of the six rounds of a phase.
type (
	prepare struct{ Ballot int }
	promise struct {
		Ballot              int
		Accepted, Committed update
	}
	propose struct{ Update update }
	accept  struct{ Ballot int }
	commit  struct{ Update update }
	ack     struct{ Ballot int }
)

// Send sends what the round of the phase asks for.
func (r *replica) Send(s *system.Step) {
	ballot, round := place(s.Round())
	coordinator := r.replicas[(ballot-1)%len(r.replicas)]
	switch {
	case round == 1 && r.name == coordinator:
		r.toAll(s, prepare{ballot})
	case round == 3 && r.proposal != nil:
		r.toAll(s, propose{*r.proposal})
	case round == 5 && r.proposal != nil:
		r.toAll(s, commit{*r.proposal})
	case r.reply != nil:
		s.Send(coordinator, r.reply)
		r.reply = nil
	}
}

func (r *replica) toAll(s *system.Step, payload any) {
	for _, to := range r.replicas {
		s.Send(to, payload)
	}
}

// Receive updates the state as the round of the phase asks for.
func (r *replica) Receive(s *system.Step, inbox []system.Message) {
	ballot, round := place(s.Round())
	switch round {
	case 1:
		for _, p := range payloads[prepare](inbox) {
			r.prepare(p.Ballot)
		}
	case 2:
		r.choose(ballot, payloads[promise](inbox))
	case 3:
		for _, p := range payloads[propose](inbox) {
			r.propose(p.Update)
		}
	case 4:
		if count(accept{ballot}, inbox) < r.quorum() {
			r.proposal = nil
		}
	case 5:
		for _, c := range payloads[commit](inbox) {
			r.commit(s, c.Update)
		}
	case 6:
		if r.proposal != nil && count(ack{ballot}, inbox) >= r.quorum() {
			s.Fact("done", r.proposal.Transaction)
		}
		r.proposal = nil
	}
}

// payloads returns the messages of a type; a pause may have kept others for
// this round.
func payloads[T any](inbox []system.Message) []T {
	var all []T
	for _, m := range inbox {
		if p, ok := m.Payload.(T); ok {
			all = append(all, p)
		}
	}
	return all
}

// count returns how many messages are this one.
func count(payload any, inbox []system.Message) int {
	n := 0
	for _, m := range inbox {
		if m.Payload == payload {
			n++
		}
	}
	return n
}

// prepare promises a ballot, and answers with what was before that.
func (r *replica) prepare(ballot int) {
	if ballot <= r.promised {
		return
	}
	r.reply = promise{ballot, r.inProgress(), r.committed}
	r.promised = ballot
}

// inProgress returns what the replica accepted and has not committed. With the
// bug its ballot is the one that was promised since.
func (r *replica) inProgress() update {
	if r.buggy && r.accepted.Transaction != 0 {
		return update{r.promised, r.accepted.Transaction}
	}
	return r.accepted
}

// choose chooses what to propose when a quorum has promised the ballot.
func (r *replica) choose(ballot int, promises []promise) {
	promises = slices.DeleteFunc(promises, func(p promise) bool { return p.Ballot != ballot })
	if len(promises) < r.quorum() {
		return
	}
	var accepted, committed update
	for _, p := range promises[:r.quorum()] {
		accepted = later(accepted, p.Accepted)
		committed = later(committed, p.Committed)
	}
	switch next := committed.Transaction + 1; {
	case accepted.Ballot > committed.Ballot:
		r.proposal = &update{ballot, accepted.Transaction}
	case next <= transactions:
		r.proposal = &update{ballot, next}
	}
}

// later returns the update of the later ballot.
func later(u, v update) update {
	if v.Ballot > u.Ballot {
		return v
	}
	return u
}

// propose accepts an update unless a later ballot is promised.
func (r *replica) propose(u update) {
	if u.Ballot < r.promised {
		return
	}
	r.promised, r.accepted = u.Ballot, u
	if r.buggy {
		r.accepted.Ballot = 0 // there is no field for it
	}
	r.reply = accept{u.Ballot}
}

// commit applies an update to the row, and forgets what was in progress until
// then.
func (r *replica) commit(s *system.Step, u update) {
	r.reply = ack{u.Ballot}
	if u.Ballot <= r.committed.Ballot {
		return
	}
	r.committed = u
	if r.inProgress().Ballot <= u.Ballot {
		r.accepted = update{}
	}
	s.Fact("committed", u.Ballot, u.Transaction)
}

func (r *replica) quorum() int { return len(r.replicas)/2 + 1 }

// place returns the phase of a round, and the number of the round in it.
func place(round int) (phase, of int) {
	return (round-1)/phaseRounds + 1, (round-1)%phaseRounds + 1
}
