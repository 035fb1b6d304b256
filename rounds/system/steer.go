package system

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Steering decides faults while an execution goes on.
type Steering interface {
	// Begin is told the schedule with which an execution begins. It is called again where
	// the execution starts again.
	Begin(schedule rounds.Schedule)

	// Decide returns the faults that are added to the schedule in a turn. None begins before
	// the round of the turn, but for one that replaces a Delay of the schedule whose message is
	// still on its way: a Delay with another By, by which it does not arrive before this round,
	// or an Omit.
	Decide(t Turn) ([]rounds.Fault, error)
}

// Turn is what is known of an execution in the middle of a round: everything of the
// round has been sent, and nothing of it has arrived. Its slices are valid until Decide
// returns.
type Turn struct {
	Round   int
	Facts   []recording.Fact    // those of the round before
	Arrived []recording.Message // in the round before
	Lost    []recording.Message // those that were lost in the round before when they were sent, and not later at a receiver
	Sent    []recording.Message // in this round, in the order of sending; identical ones are one
	First   int                 // how many of these were sent in earlier rounds

	// Settled tells that what happens to processes in this round is decided: the execution has
	// started again. In the last such round, faults of messages are still added to the schedule,
	// and what Decide returns of the ones before is not read.
	Settled bool
}

// steering is what a Runner keeps of an execution that is steered.
type steering struct {
	settled  int // the last round of which the faults are decided
	facts    int // how many facts of the recording were told
	messages int // how many of its messages
	first    int // how many messages were sent
	onWay    []int
	sent     []recording.Message
	arrived  []recording.Message
	lost     []recording.Message
	said     map[saying]struct{} // what one process has sent in the round
}

// fewSent is how many messages of a process are compared one by one.
const fewSent = 12

// saying is what a process sends another.
type saying struct {
	to         int
	kind, text string
}

// errAgain says that a fault was decided that changes what was sent in its own round.
var errAgain = errors.New("the execution starts again")

// steered executes all rounds, as often as faults are decided that change what was sent
// already.
func (r *Runner) steered(ctx context.Context, schedule rounds.Schedule) error {
	if r.repeats() {
		if _, err := r.system.Run(ctx, schedule, RunOptions{Rounds: r.options.Rounds}); err != nil {
			return err
		}
	}
	r.steering.said = map[saying]struct{}{}
	for r.steering.settled = 0; ; {
		r.recordAll()
		r.steering.facts, r.steering.messages, r.steering.first, r.steering.onWay = 0, 0, 0, r.steering.onWay[:0]
		r.options.Steer.Begin(r.schedule)
		err := r.toEnd(ctx)
		if err != errAgain {
			return err
		}
		r.steering.settled = r.round
		if err := r.anew(r.schedule); err != nil {
			return err
		}
	}
}

// steer tells what was sent in this round, and adds the faults that are decided.
func (r *Runner) steer() error {
	s := &r.steering
	if r.system.Calls != nil { // no process is called meanwhile
		r.course.Aside(true)
		defer r.course.Aside(r.aside)
	}
	turn, err := r.turn()
	if err != nil {
		return err
	}
	faults, err := r.options.Steer.Decide(turn)
	s.first += len(s.sent)
	switch {
	case err != nil:
		return fmt.Errorf("system %q: deciding the faults of round %d: %w", r.system.Name, r.round, err)
	case r.round < s.settled || len(faults) == 0:
		return nil
	}
	again := slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Round == r.round && ofProcess(f.Kind) })
	if again && r.round == s.settled {
		return fmt.Errorf("system %q: what happens to processes in round %d is decided twice", r.system.Name, r.round)
	}
	if err := r.amend(faults); err != nil {
		return fmt.Errorf("system %q: the faults that were decided in round %d: %w", r.system.Name, r.round, err)
	}
	if again {
		return errAgain
	}
	return nil
}

// turn returns what is known in the middle of this round.
func (r *Runner) turn() (Turn, error) {
	s := &r.steering
	s.sent, s.arrived, s.lost = s.sent[:0], s.arrived[:0], s.lost[:0]
	for at := s.messages; at < len(r.recording.messages); at++ {
		if m := &r.recording.messages[at]; m.Lost {
			s.lost = append(s.lost, *m)
		} else {
			s.onWay = append(s.onWay, at)
		}
	}
	s.messages = len(r.recording.messages)
	s.onWay = slices.DeleteFunc(s.onWay, func(at int) bool {
		m := &r.recording.messages[at]
		if !m.Lost && m.Arrival < r.round {
			s.arrived = append(s.arrived, *m)
		}
		return m.Lost || m.Arrival < r.round
	})
	facts := r.recording.facts[s.facts:]
	s.facts = len(r.recording.facts)
	for _, p := range r.processes {
		if len(p.step.outbox) == 0 {
			continue
		}
		if err := p.call(callText, func() {
			clear(s.said)
			from := len(s.sent)
			for i := range p.step.outbox {
				m, sent := r.message(p, i)
				if !sent {
					continue
				}
				if len(p.step.outbox) <= fewSent {
					if !slices.ContainsFunc(s.sent[from:], func(o recording.Message) bool {
						return o.To == m.To && o.Relation == m.Relation && o.Args[1] == m.Args[1]
					}) {
						s.sent = append(s.sent, m)
					}
					continue
				}
				says := saying{p.step.outbox[i].to, m.Relation, m.Args[1].Text()}
				if _, twice := s.said[says]; twice {
					continue
				}
				s.said[says] = struct{}{}
				s.sent = append(s.sent, m)
			}
		}); err != nil {
			return Turn{}, err
		}
	}
	return Turn{Round: r.round, Facts: facts, Arrived: s.arrived, Lost: s.lost, Sent: s.sent, First: s.first, Settled: r.round <= s.settled}, nil
}

// message returns what a process sends in an envelope as recordings have it, unless it
// reaches nobody.
func (r *Runner) message(p *participant, i int) (m recording.Message, sent bool) {
	envelope := &p.step.outbox[i]
	to := r.processes[envelope.to]
	if to.absent && !to.begins {
		return m, false
	}
	envelope.args = r.arguments(2)
	envelope.args[0] = r.names[envelope.to]
	if before := i - 1; envelope.again && before >= 0 && p.step.outbox[before].args != nil {
		envelope.kind, envelope.args[1] = p.step.outbox[before].kind, p.step.outbox[before].args[1]
	} else {
		envelope.kind, envelope.args[1] = r.kind(envelope.payload), specs.String(execution.PayloadText(envelope.payload))
	}
	return recording.Message{From: p.name, To: to.name, Round: r.round, Relation: envelope.kind, Args: envelope.args}, true
}

// amend adds faults to the schedule of the execution.
func (r *Runner) amend(faults []rounds.Fault) error {
	if !slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Round >= r.round && !ofMessages(f.Kind) }) {
		return r.amendMessages(faults)
	}
	schedule := rounds.Schedule{Settings: r.schedule.Settings, Faults: slices.Clone(r.schedule.Faults)}
	for _, f := range faults {
		if f.Round < r.round {
			if err := r.redirect(schedule.Faults, f); err != nil {
				return err
			}
			continue
		}
		schedule.Faults = append(schedule.Faults, f)
	}
	hold := slices.Clone(r.hold)
	if err := r.environment(schedule); err != nil {
		return err
	}
	r.schedule, r.hold = schedule, hold
	for _, f := range faults {
		r.lastFault = max(r.lastFault, f.Round+f.By, f.Until)
		switch {
		case f.Round < r.round:
		case f.Kind == rounds.Delay || f.Kind == rounds.Duplicate:
			r.sendsLater(f)
		case f.Kind == rounds.Order:
			r.orders = append(r.orders, f)
		case ofProcess(f.Kind) && f.Kind != rounds.Choose:
			p := r.processes[r.place(f.Process)]
			p.faults = append(p.faults, f)
			sortFaults(p.faults)
			if err := errors.Join(p.checkCrash(f), p.checkMachine(f)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofMessages tells whether all that a fault of the kind does is done to messages.
func ofMessages(k rounds.Kind) bool {
	switch k {
	case rounds.Omit, rounds.Cut, rounds.Isolate, rounds.Partition, rounds.Delay, rounds.Duplicate, rounds.Lie:
		return true
	}
	return false
}

// amendMessages is amend for faults of messages, and costs what they cost, however many there were before.
func (r *Runner) amendMessages(faults []rounds.Fault) error {
	if !r.amended {
		r.amended, r.schedule.Faults = true, slices.Clone(r.schedule.Faults) // it is somebody else's
	}
	var more []rounds.Fault
	for _, f := range faults {
		if f.Round >= r.round {
			more = append(more, f)
			continue
		}
		i := execution.DelayedBy(r.schedule.Faults, f)
		if i >= 0 {
			if err := r.env.Redirect(r.schedule.Faults[i], f); err != nil {
				return err
			}
		}
		if err := r.redirect(r.schedule.Faults, f); err != nil {
			return err
		}
	}
	if err := r.env.Add(more...); err != nil {
		return err
	}
	for _, f := range more {
		if f.Kind == rounds.Lie {
			if err := r.takeLie(f); err != nil {
				return err
			}
		}
		if isOfKind(f) {
			r.takeKind(f)
		}
		if f.Kind == rounds.Delay || f.Kind == rounds.Duplicate {
			r.sendsLater(f)
		}
	}
	for _, f := range faults {
		r.lastFault = max(r.lastFault, f.Round+f.By, f.Until)
	}
	r.schedule.Faults = append(r.schedule.Faults, more...)
	return nil
}

// redirect lets a message that is on its way arrive in another round, or not at all.
func (r *Runner) redirect(faults []rounds.Fault, f rounds.Fault) error {
	i := execution.DelayedBy(faults, f)
	if i < 0 || f.Kind == rounds.Delay && f.Round+f.By < r.round || f.Kind != rounds.Delay && f.Kind != rounds.Omit {
		return fmt.Errorf("%s begins before round %d", f, r.round)
	}
	old := faults[i]
	faults[i] = f
	r.underway = r.redirected(r.underway, old, f)
	r.slow = r.redirected(r.slow, old, f)
	return nil
}

// redirected changes messages that a fault has delayed. Bytes of a connection are not lost,
// they arrive as the fault says.
func (r *Runner) redirected(all []underway, old, f rounds.Fault) []underway {
	kept := all[:0]
	for _, u := range all {
		bytes, ordered := u.message.Payload.(stream)
		switch {
		case u.by != old:
		case f.Kind == rounds.Delay:
			u.arrival, u.by = f.Round+f.By+r.late(u.from, u.to), f
			r.recording.messages[u.at].Arrival = min(u.arrival, r.rounds()+1)
			for i := range r.hold {
				if ordered && r.hold[i].stream == bytes {
					r.hold[i].until = f.Round + f.By
				}
			}
		case !ordered:
			r.lose(u.at, f)
			r.traffic.lost++
			continue
		}
		kept = append(kept, u)
	}
	clear(all[len(kept):])
	return kept
}
