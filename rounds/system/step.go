package system

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Step is one round of one process: by its methods the process gets information, sends
// messages and reports facts. It is valid only during the call that it is passed to.
type Step struct {
	runner   *Runner
	self     int
	call     string // the method of the process that is running
	requests []Request
	outbox   []envelope
	facts    []recording.Fact
	err      error // the first thing that the process did wrong
}

// envelope is a message on its way.
type envelope struct {
	payload any
	to      int
	again   bool // the payload is that of the envelope before

	// Its kind, its receiver and its text, if they were asked for before it is recorded.
	kind string
	args []specs.Value
}

// message returns what a process sends in an envelope.
func (s *Step) message(e *envelope) Message {
	return Message{s.Process(), s.Processes()[e.to], e.payload}
}

// Round returns the number of the round, from 1.
func (s *Step) Round() int { return s.runner.round }

// FaultFree tells whether no fault of the schedule is in this round or to come, and nothing that
// one delays.
func (s *Step) FaultFree() bool { return s.runner.round > s.runner.lastFault }

// Process returns the name of the process.
func (s *Step) Process() string { return s.runner.system.Processes[s.self] }

// Processes returns the names of all processes; the caller must not change
// them.
func (s *Step) Processes() []string { return s.runner.system.Processes }

// Requests returns the requests that clients make of the process in this round.
func (s *Step) Requests() []Request { return s.requests }

// Rand returns the source of random numbers of this process, which follow from the seed
// of the schedule.
func (s *Step) Rand() *rand.Rand { return s.runner.processes[s.self].random.Rand }

// Send sends a message to the process called to, which may be the process itself. It
// can be called by Send and Tick only: answers to messages are sent in the next round.
func (s *Step) Send(to string, payload any) {
	if !s.maySend(to, payload) {
		return
	}
	i := s.runner.place(to)
	if i < 0 {
		s.fail(fmt.Errorf("it sends a message to %q, which is no process: the processes are %q", to, s.Processes()))
		return
	}
	s.outbox = append(s.outbox, envelope{payload: payload, to: i})
}

// Broadcast sends a message to all other processes.
func (s *Step) Broadcast(payload any) {
	if !s.maySend("all", payload) {
		return
	}
	again := false
	for i := range s.Processes() {
		if i != s.self {
			s.outbox = append(s.outbox, envelope{payload: payload, to: i, again: again})
			again = true
		}
	}
}

func (s *Step) maySend(to string, payload any) bool {
	if s.call == callSend || s.call == callTick {
		return true
	}
	s.fail(fmt.Errorf("the message %s to %s was generated and delivered inside one round, which lock-step rounds do not allow: keep it, and send it in the next call of Send",
		execution.PayloadKind(payload), to))
	return false
}

// Fact reports relation(process, args...) in this round. Integers are recorded
// as integers, everything else as text.
func (s *Step) Fact(relation string, args ...any) {
	if s.runner.observed {
		s.facts = append(s.facts, s.runner.fact(relation, s.self, args...))
	}
}

// Reply answers the request r, made in this round or before, of this process or
// another. It is recorded as reply(process, id, payload).
func (s *Step) Reply(r Request, payload any) {
	if !s.runner.asks(r.ID) {
		s.fail(fmt.Errorf("it replies to request %d, which no client has made", r.ID))
		return
	}
	if s.runner.observed {
		s.facts = append(s.facts, s.runner.factOf("reply", s.self, specs.Int(int64(r.ID)), specs.String(execution.PayloadText(payload))))
	}
}

// Fail ends the execution with an error that is about what executes the process, such as a
// program that cannot be started, and so is no finding about the process.
func (s *Step) Fail(err error) { s.fail(err) }

func (s *Step) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// What a process does not offer.
var (
	errNoFingerprinter = errors.New("its state has no name: give it a method Fingerprint() string (system.Fingerprinter)")
	errNoRestarter     = errors.New("it is to restart, but does not say what survives a crash: give it a method Restart(*system.Step) (system.Restarter)")
)
