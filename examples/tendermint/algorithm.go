package tendermint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// The timeouts, in ticks, of which a round has one. They need not grow with the rounds of
// Tendermint: a message is never slower than a round, unless a fault delays it.
const (
	timeoutPropose   = 3
	timeoutPrevote   = 2
	timeoutPrecommit = 2
)

// step is where a process is in a round of Tendermint.
type step int

const (
	propose step = iota
	prevote
	precommit
)

func (s step) String() string { return []string{"propose", "prevote", "precommit"}[s] }

// replica is one process of Algorithm 1. All of its state is in fields of the type state.
type replica struct {
	self int
	bug  Bug
	state
}

// state is the state of a replica, with the names of Algorithm 1.
type state struct {
	round       int // none: it has not started
	step        step
	lockedValue string // null: none
	lockedRound int
	validValue  string
	validRound  int
	decision    string

	log    map[int]received // by round
	outbox []any            // to be sent
	timers [3]int           // the ticks until each timeout; 0: it does not run
	timed  [3]bool          // which timeouts were scheduled in this round
	polka  bool             // line 36 has been executed in this round
}

func newReplica(self int, bug Bug) *replica {
	return &replica{self: self, bug: bug, state: state{
		round: none, lockedValue: null, lockedRound: none, validValue: null, validRound: none, decision: null,
		log: map[int]received{},
	}}
}

// Tick lets timeouts expire: lines 57 to 67.
func (r *replica) Tick(s *system.Step) {
	for at := range r.timers {
		if r.timers[at] == 0 {
			continue
		}
		if r.timers[at]--; r.timers[at] > 0 || r.decision != null {
			continue
		}
		switch timeout := step(at); {
		case timeout == propose && r.step == propose:
			s.Fact("upon", 57, r.round)
			r.giveUp(s)
		case timeout == prevote && r.step == prevote:
			s.Fact("upon", 61, r.round)
			r.precommit(s, null)
		case timeout == precommit:
			s.Fact("upon", 65, r.round)
			r.start(s, r.round+1)
		}
	}
}

// Send sends what the process has to say. It starts with round 0: line 10.
func (r *replica) Send(s *system.Step) {
	if r.round == none {
		r.start(s, 0)
	}
	r.react(s)
	s.Fact("at", r.round)
	for _, m := range r.outbox {
		s.Broadcast(m)
	}
	r.outbox = nil
}

// Receive keeps the messages and follows the rules. Who has decided is done.
func (r *replica) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		r.keep(s, slices.Index(validators, m.From), m.Payload)
	}
	r.react(s)
	if round := r.later(r.skips); round != none {
		s.Fact("upon", 55, round)
		if r.bug == LaggingReplica {
			round = r.round + 1
		}
		r.start(s, round)
		r.react(s)
	}
	if round := r.later(skips); round != none {
		s.Fact("behind", r.round, round)
	}
}

// keep keeps a message in the log. What is none, or not from the proposer, is left out.
func (r *replica) keep(s *system.Step, from int, payload any) {
	var round int
	var put func(*received)
	switch m := payload.(type) {
	case Proposal:
		if round = m.Round; from != proposer(round) {
			return
		}
		put = func(got *received) {
			if !got.proposed {
				got.proposal, got.proposed = m, true
				s.Fact("proposal", m.Value, m.Round)
			}
		}
	case Prevote:
		round, put = m.Round, func(got *received) { got.prevotes.cast(from, m.Value) }
	case Precommit:
		round, put = m.Round, func(got *received) { got.precommits.cast(from, m.Value) }
	default:
		return
	}
	got := r.log[round]
	put(&got)
	r.log[round] = got
}

// broadcast sends a message to all, the process itself included.
func (r *replica) broadcast(s *system.Step, m any) {
	r.outbox = append(r.outbox, m)
	r.keep(s, r.self, m)
}

// start starts a round: lines 11 to 21.
func (r *replica) start(s *system.Step, round int) {
	r.round, r.timers, r.timed, r.polka = round, [3]int{}, [3]bool{}, false
	r.enter(s, propose)
	if proposer(round) != r.self {
		r.timers[propose] = timeoutPropose
		return
	}
	value := r.validValue
	if value == null {
		value = fresh(round)
	}
	s.Fact("proposed", value, round)
	r.broadcast(s, Proposal{round, value, r.validRound})
}

func (r *replica) enter(s *system.Step, step step) {
	r.step = step
	s.Fact("step", r.round, step.String())
}

func (r *replica) prevote(s *system.Step, value string) {
	s.Fact("prevoted", value, r.round)
	r.broadcast(s, Prevote{r.round, value})
	r.enter(s, prevote)
}

func (r *replica) precommit(s *system.Step, value string) {
	s.Fact("precommitted", value, r.round)
	r.broadcast(s, Precommit{r.round, value})
	r.enter(s, precommit)
}

// schedule starts a timeout for the first time in a round, and tells whether it did.
func (r *replica) schedule(at step, ticks int) bool {
	if r.timed[at] {
		return false
	}
	r.timers[at], r.timed[at] = ticks, true
	return true
}

// react follows the rules of lines 22 to 54 until none applies.
func (r *replica) react(s *system.Step) {
	for r.decision == null {
		line := r.rule(s)
		if line == 0 {
			return
		}
		s.Fact("upon", line, r.round)
	}
}

// rule follows one rule, and returns the line where it begins; 0: none applies.
func (r *replica) rule(s *system.Step) int {
	if r.decide(s) {
		return 49
	}
	now := r.log[r.round]
	value, validRound := now.proposal.Value, now.proposal.ValidRound
	earlier := r.log[validRound]
	votes := &now.prevotes
	switch {
	case r.step == propose && now.proposed && validRound == none:
		r.answer(s, value, r.lockedRound == none)
		return 22
	case r.step == propose && now.proposed && validRound >= 0 && validRound < r.round && earlier.prevotes.of(value) >= quorum:
		r.answer(s, value, r.lockedRound <= validRound)
		return 28
	case r.step >= prevote && now.proposed && valid(value) && votes.of(value) >= quorum && !r.polka:
		r.polka = true
		if r.step == prevote {
			r.lockedValue, r.lockedRound = value, r.round
			s.Fact("locked", value, r.round)
			r.precommit(s, value)
		}
		r.validValue, r.validRound = value, r.round
		return 36
	case r.step == prevote && votes.of(null) >= quorum:
		if r.bug == ExpectUnlock && r.lockedRound != none {
			r.lockedValue, r.lockedRound = null, none
			s.Fact("unlocked", r.round)
		}
		r.precommit(s, null)
		return 44
	case r.step == prevote && votes.all() >= quorum && r.schedule(prevote, timeoutPrevote):
		return 34
	case now.precommits.all() >= quorum && r.schedule(precommit, timeoutPrecommit):
		return 47
	}
	return 0
}

// answer prevotes for the value of a proposal, or for nil: lines 22 to 33. The lock permits
// another value than the locked one if free is true.
func (r *replica) answer(s *system.Step, value string, free bool) {
	switch {
	case !valid(value):
		r.giveUp(s)
	case free || r.lockedValue == value:
		r.prevote(s, value)
	case r.bug == Relocked:
		r.prevote(s, r.lockedValue)
	default:
		r.prevote(s, null)
	}
}

// giveUp is what a process does without a valid proposal.
func (r *replica) giveUp(s *system.Step) {
	if r.bug == LockedCommit && r.lockedRound != none {
		got := r.log[r.round]
		got.proposal, got.proposed = Proposal{r.round, r.lockedValue, r.lockedRound}, true
		r.log[r.round] = got
	}
	if r.bug == LockedCommit {
		r.prevote(s, r.lockedValue) // null without a lock
	} else {
		r.prevote(s, null)
	}
}

// decide decides a value that has a quorum of precommits in any round: lines 49 to 51.
func (r *replica) decide(s *system.Step) bool {
	for _, round := range slices.Sorted(maps.Keys(r.log)) {
		got := r.log[round]
		value := got.proposal.Value
		if got.proposed && valid(value) && got.precommits.of(value) >= quorum {
			r.decision = value
			s.Fact("decided", value, round)
			return true
		}
	}
	return false
}

// skips tells whether what came of a later round takes a process there: line 55.
func skips(round int, got *received) bool { return got.senders(round) >= honest }

func (r *replica) skips(round int, got *received) bool {
	if r.bug == ForeverLaggingReplica {
		return got.prevotes.all() >= quorum
	}
	return skips(round, got)
}

// later returns the last round to which a process that is undecided has to go; none: there is none.
func (r *replica) later(skips func(int, *received) bool) int {
	later := none
	for round, got := range r.log {
		if r.decision == null && round > r.round && skips(round, &got) {
			later = max(later, round)
		}
	}
	return later
}

// Snapshot and Restore let a search go on from a state.
func (r *replica) Snapshot() any        { return r.copy() }
func (r *replica) Restore(snapshot any) { r.state = snapshot.(state); r.state = r.copy() }

func (r *replica) copy() state {
	c := r.state
	c.log, c.outbox = maps.Clone(c.log), slices.Clone(c.outbox)
	return c
}

// Fingerprint names the state.
func (r *replica) Fingerprint() string { return fmt.Sprintf("%+v", r.state) }
