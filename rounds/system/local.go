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
// states are all there is (but for what waits for paused processes). Every
// process has to be a Snapshotter and a Fingerprinter. A Local is for one
// goroutine.
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
func (s *System) NewLocal(eot int, settings rounds.Settings) (*Local, error) {
	r := s.NewRunner()
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
	r.course.Single = true
	return &Local{r}, nil
}

// Settings returns the seed, and the ticks that were given or drawn.
func (l *Local) Settings() rounds.Settings { return l.runner.schedule.Settings }

// Start returns the state of a process, by its index, before the first round.
func (l *Local) Start(process int) (State, error) {
	r := l.runner
	r.round = 0
	p := r.processes[process]
	p.random.reset(r.schedule.Settings.Seed.Value, processStream+uint64(process))
	if err := r.begin(p); err != nil {
		return State{}, err
	}
	return p.keep(true)
}

// Send lets a process begin a round: restart if it is to, tick, and send. Its
// requests are those of the round, after those that waited for it because it
// was paused. It returns the state in the middle of the round, whose Name is empty, for
// Receive; what it sends; and the facts that it reports.
func (l *Local) Send(process, round int, from State, restart bool, waiting []Request) (middle State, sent []Message, facts []recording.Fact, err error) {
	l.runner.watched(func() { middle, sent, facts, err = l.send(process, round, from, restart, waiting) })
	return middle, sent, facts, err
}

func (l *Local) send(process, round int, from State, restart bool, waiting []Request) (middle State, sent []Message, facts []recording.Fact, err error) {
	p, err := l.load(process, round, from)
	if err != nil {
		return State{}, nil, nil, err
	}
	p.restarting, p.state = restart, from.Name
	p.waiting = append(p.waiting[:0], waiting...)
	if err := l.runner.send(p); err != nil {
		return State{}, nil, nil, err
	}
	sent = make([]Message, len(p.step.outbox))
	for i, envelope := range p.step.outbox {
		sent[i] = envelope.message
	}
	middle, err = p.keep(false)
	return middle, sent, p.takeFacts(), err
}

// own returns the requests that are made of a process in a round.
func (l *Local) own(process, round int) []Request { return l.runner.own(process, round) }

// Receive lets a process end a round: take what arrived. It returns the state
// after the round, and the facts that the process reports meanwhile.
func (l *Local) Receive(process, round int, middle State, inbox []Message) (next State, facts []recording.Fact, err error) {
	l.runner.watched(func() { next, facts, err = l.receive(process, round, middle, inbox) })
	return next, facts, err
}

func (l *Local) receive(process, round int, middle State, inbox []Message) (next State, facts []recording.Fact, err error) {
	p, err := l.load(process, round, middle)
	if err != nil {
		return State{}, nil, err
	}
	if err := p.call(callReceive, func() { p.process.Receive(&p.step, inbox) }); err != nil {
		return State{}, nil, err
	}
	next, err = p.keep(true)
	return next, p.takeFacts(), err
}

// load puts a process into a state and a round.
func (l *Local) load(process, round int, from State) (*participant, error) {
	r := l.runner
	if round < 1 || round > r.rounds() {
		return nil, fmt.Errorf("system %q: there is no round %d, the rounds are 1 to %d", r.system.Name, round, r.rounds())
	}
	r.round = round
	r.inRound()
	p := r.processes[process]
	p.step.outbox, p.step.facts = p.step.outbox[:0], nil
	p.restarting, p.restarted = false, false
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
