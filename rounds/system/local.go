package system

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Local runs single processes for single rounds, from local states that were
// kept. It is how a search goes on from a state in more than one way: in
// lock-step rounds no message is on its way between two rounds, so the local
// states are all there is, but for what waits for paused processes, is delayed, or
// comes once more: of that whoever goes on takes note. Every
// process has to be a Snapshotter and a Fingerprinter. A Local is for one
// goroutine, and is closed in the end.
//
// Whoever lets a process crash, at the beginning of a round, at a point, or at the
// end of a round because it has not come to its point, calls Crash with the state
// in which it crashes, and may go on from there with a restart.
type Local struct{ runner *Runner }

// State is the local state of a process. It does not change, and can be used by
// any Local of the same system with the same settings.
type State struct {
	Name     string // equal for two states exactly if the process goes on in the same way
	snapshot any
	random   source
}

// NewLocal returns a Local for executions of so many rounds (0: as the system
// says) with these settings. Its Settings say what was drawn.
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

// Close ends its processes. It cannot be used any more.
func (l *Local) Close() (err error) {
	l.runner.watched(func() { err = l.runner.close() })
	return err
}

// Settings returns the seed, and the ticks that were given or drawn.
func (l *Local) Settings() rounds.Settings { return l.runner.schedule.Settings }

// Start returns the state of a process, by its index, before the first round.
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

// Send lets a process begin a round: restart if it is to, tick, and send. Clients
// make these requests of it: those that waited for it because it was paused, and
// then those of the round. It returns the state in the middle of the round, whose Name is empty, for
// Receive; what it sends; and the facts that it reports.
//
// With a point other than "" the process crashes there in this round. If it has
// come to the point, crashed is true: it sent and reported so much until there, and
// middle is the state in which it crashed, with its Name; what is sent to it in
// this round is lost, and Receive is not called. Otherwise Receive shows whether it
// comes there. More is how many ticks more the round has, or fewer.
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

// Receive lets a process end a round: take what arrived. It returns the state
// after the round, and the facts that the process reports meanwhile.
//
// The point is that of Send. If the process has come to it, crashed is true: what
// arrived has arrived, and next is the state in which it crashed. Otherwise it
// crashes at the end of the round, in the state next as well.
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

// Crash lets a process crash in a state, in a round: it is told, if it is a [Crasher]
// or a [DiskCrasher], whose disk loses what was not synced. It returns the state from
// which it may restart.
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
