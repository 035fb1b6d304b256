package system

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Local runs single processes for single rounds, from saved local states, so that a
// search can go on from a state in several ways. In lock-step rounds no message is on
// its way between two rounds, so a global state is the local states of the processes,
// and the messages that are delayed, duplicated or wait for paused processes. The
// caller keeps track of those messages. Every process has to be a Snapshotter and a
// Fingerprinter. A Local is for one goroutine, and must be closed.
//
// For every crash, at the beginning of a round, at a point, or at the end of a round
// because the point was not reached, the caller calls Crash with the state in which the
// process crashes. The returned state may be used for a restart.
type Local struct{ runner *Runner }

// State is a saved local state of a process. It does not change, and can be used by any
// Local of the same system with the same settings.
type State struct {
	Name     string // two states have equal names exactly if the process behaves the same from them on
	snapshot any
	random   source
}

// NewLocal returns a Local for executions of eot rounds (0: those of the system) with
// the settings. Its method Settings returns them with the numbers that were drawn.
func (s *System) NewLocal(eot int, settings rounds.Settings) (local *Local, err error) {
	r := s.NewRunner()
	defer func() {
		if local == nil {
			_ = r.close() // what went wrong before is told
		}
	}()
	r.Options = RunOptions{Rounds: eot, Transition: func(Transition) {}}
	if err := r.reset(rounds.Schedule{Settings: settings}); err != nil {
		return nil, err
	}
	if r.starts != nil || r.latency != nil {
		return nil, fmt.Errorf("system %q: a process that goes on from kept states starts in round 1, on links without a latency", s.Name)
	}
	for _, p := range r.processes {
		if _, ok := p.process.(Snapshotter); !ok {
			return nil, p.wrong(callSnapshot, errors.New("its state cannot be kept: give it the methods Snapshot and Restore (system.Snapshotter)"))
		}
		if p.fingerprinter == nil {
			return nil, p.wrong(callFingerprint, errNoFingerprinter)
		}
	}
	r.course.Single, r.local = true, true
	clear(r.requests) // whoever calls Send says what is asked
	return &Local{r}, nil
}

// Close closes the processes. The Local cannot be used any more.
func (l *Local) Close() (err error) {
	l.runner.watched(func() { err = l.runner.close() })
	return err
}

// Settings returns the seed, and the ticks that were given or drawn.
func (l *Local) Settings() rounds.Settings { return l.runner.schedule.Settings }

// Start returns the state of the process with the given index before the first round.
func (l *Local) Start(process int) (state State, err error) {
	l.runner.watched(func() { state, err = l.start(process) })
	return state, err
}

func (l *Local) start(process int) (State, error) {
	r := l.runner
	r.round = 0
	p := r.processes[process]
	p.random.reset(r.schedule.Settings.Seed.Value, processStream+uint64(process))
	if err := r.begin(p); err != nil {
		return State{}, err
	}
	return p.keep(true)
}

// Send runs the first half of a round of a process: it restarts if restart is true,
// ticks, and sends. The requests are those that waited while the process was paused,
// followed by those of the round. The number of ticks of the round is larger by more,
// which may be negative. Send returns the state in the middle of the round for Receive,
// whose Name is empty; the messages sent; and the facts that the process reports.
//
// With a point other than "" the process crashes there in this round. If it reaches the
// point in Send, crashed is true: sent and facts are those before the point, and middle
// is the state in which it crashed, with its Name. Messages to the process in this
// round are then lost, and Receive must not be called. Otherwise Receive tells whether
// the process reaches the point.
func (l *Local) Send(process, round int, from State, restart bool, requests []Request, point string, more int) (middle State, sent []Message, facts []recording.Fact, crashed bool, err error) {
	l.runner.watched(func() {
		middle, sent, facts, crashed, err = l.send(process, round, from, restart, requests, point, more)
	})
	return middle, sent, facts, crashed, err
}

func (l *Local) send(process, round int, from State, restart bool, requests []Request, point string, more int) (middle State, sent []Message, facts []recording.Fact, crashed bool, err error) {
	p, err := l.load(process, round, from, point)
	if err != nil {
		return State{}, nil, nil, false, err
	}
	p.restarting, p.state, p.more = restart, from.Name, more
	p.waiting = append(p.waiting[:0], requests...)
	err = l.runner.send(p)
	if crashed = err == errCrashed; err != nil && !crashed {
		return State{}, nil, nil, false, err
	}
	sent = make([]Message, len(p.step.outbox))
	for i := range p.step.outbox {
		sent[i] = p.step.message(&p.step.outbox[i])
	}
	middle, err = p.keep(crashed)
	return middle, sent, p.takeFacts(), crashed, err
}

// Receive runs the second half of a round of a process, in which it receives inbox. It
// returns the state after the round, and the facts that the process reports.
//
// The point is that of Send. If the process reaches it, crashed is true, and next is
// the state in which it crashed. Otherwise it crashes at the end of the round, also in
// the state next.
func (l *Local) Receive(process, round int, middle State, inbox []Message, point string) (next State, facts []recording.Fact, crashed bool, err error) {
	l.runner.watched(func() { next, facts, crashed, err = l.receive(process, round, middle, inbox, point) })
	return next, facts, crashed, err
}

func (l *Local) receive(process, round int, middle State, inbox []Message, point string) (next State, facts []recording.Fact, crashed bool, err error) {
	p, err := l.load(process, round, middle, point)
	if err != nil {
		return State{}, nil, false, err
	}
	err = p.call(callReceive, func() { p.process.Receive(&p.step, inbox) })
	if crashed = err == errCrashed; err != nil && !crashed {
		return State{}, nil, false, err
	}
	next, err = p.keep(true)
	return next, p.takeFacts(), crashed, err
}

// Crash crashes the process with the given index in the given round and the state from.
// A Crasher or DiskCrasher is told; the disk loses what was not synced. Crash returns
// the state from which the process may restart.
func (l *Local) Crash(process, round int, from State) (down State, err error) {
	if l.runner.processes[process].crash("") == nil {
		return from, nil
	}
	l.runner.watched(func() { down, err = l.crash(process, round, from) })
	return down, err
}

func (l *Local) crash(process, round int, from State) (State, error) {
	p, err := l.load(process, round, from, "")
	if err != nil {
		return State{}, err
	}
	if err := p.tell(""); err != nil {
		return State{}, err
	}
	return p.keep(true)
}

// load puts a process into a state and a round, in which it is to crash at a point,
// or at none.
func (l *Local) load(process, round int, from State, point string) (*participant, error) {
	r := l.runner
	if round < 1 || round > r.rounds() {
		return nil, fmt.Errorf("system %q: there is no round %d, the rounds are 1 to %d", r.system.Name, round, r.rounds())
	}
	r.round = round
	r.inRound()
	p := r.processes[process]
	p.step.outbox, p.step.facts = p.step.outbox[:0], nil
	p.restarting, p.restarted, p.passed = false, false, p.passed[:0]
	p.ending = rounds.Fault{Kind: rounds.Crash, Process: p.name, Round: round, Detail: point}
	if err := p.checkCrash(p.ending); err != nil {
		return nil, err
	}
	p.random.source = from.random
	r.reseed(p, round)
	return p, p.call(callRestore, func() { p.process.(Snapshotter).Restore(from.snapshot) })
}

// keep returns the state of the process, with its name if it is wanted.
func (p *participant) keep(named bool) (State, error) {
	state := State{random: p.random.source}
	if named {
		if err := p.nameState(); err != nil {
			return State{}, err
		}
		state.Name = p.state
	}
	err := p.call(callSnapshot, func() { state.snapshot = p.process.(Snapshotter).Snapshot() })
	return state, err
}

func (p *participant) takeFacts() []recording.Fact {
	facts := p.step.facts
	p.step.facts = nil
	return facts
}
