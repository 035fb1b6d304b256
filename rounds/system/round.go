package system

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// step executes the next round: crashes and restarts, ticks, Send of every
// process, the losses of the environment, Receive of every process.
func (r *Runner) step() error {
	r.round++
	r.inRound()
	if len(r.hold) > 0 {
		r.release()
	}
	for _, p := range r.processes {
		r.reseed(p, r.round)
		if err := r.strike(p); err != nil {
			return err // nothing was reported in this round
		}
	}
	for _, p := range r.processes {
		err := r.send(p)
		if err == errCrashed {
			err = r.fall(p)
		}
		if err != nil {
			return r.cut(0, err)
		}
	}
	if r.options.Steer != nil {
		if err := r.steer(); err == errAgain {
			return err
		} else if err != nil {
			return r.cut(0, err)
		}
	}
	if len(r.orders) > 0 {
		r.markOwn()
	}
	for _, p := range r.processes {
		if !r.recordsMessages() && len(r.kinded)+len(r.lies) == 0 {
			r.deliver(p)
		} else if err := p.call(callText, func() { r.deliver(p) }); err != nil {
			return r.cut(0, err)
		}
	}
	if r.refused != nil {
		return r.cut(0, r.refused)
	}
	if len(r.orders) > 0 {
		r.reorder()
	}
	if len(r.underway) > 0 {
		r.arrive()
	}
	for i, p := range r.processes {
		if err := r.receive(p); err != nil {
			return r.cut(i, err)
		}
	}
	if r.death != nil {
		for _, p := range r.processes {
			if err := r.bury(p); err != nil {
				return err
			}
		}
	}
	return r.checkTraffic()
}

// cut ends an execution in the middle of a round, by what went wrong. What was
// reported until then is recorded: that of the processes from one on is not yet.
func (r *Runner) cut(from int, err error) error {
	for _, p := range r.processes {
		if p.ending.Round > 0 && !p.fell && !p.crashed && !slices.Contains(r.unreached, p.ending) {
			r.unreached = append(r.unreached, p.ending)
		}
	}
	if r.options.Record {
		for _, p := range r.processes[from:] {
			r.recording.facts = append(r.recording.facts, p.step.facts...)
		}
	}
	return err
}

// strike lets the crashes, restarts and pauses of the schedule happen to a
// process, except for crashes within the round.
func (r *Runner) strike(p *participant) error {
	p.step.facts, p.step.outbox, p.inbox = p.step.facts[:0], p.step.outbox[:0], p.inbox[:0]
	p.restarted, p.reported = false, marks{}
	if p.ending.Round > 0 {
		p.ending, p.fell, p.crashed = rounds.Fault{}, false, false
	}
	if len(p.passed)+len(p.wokenAt) > 0 {
		p.passed, p.wokenAt = p.passed[:0], p.wokenAt[:0]
	}
	if r.system.Joins != nil {
		p.absent = r.round < r.system.Joins[p.name]
	}
	if r.starts != nil {
		joined := r.round >= r.system.Joins[p.name]
		p.begins = joined && r.round < r.starts[p.step.self]
		p.absent = !joined || p.begins
	}
	stood := p.paused
	p.paused = false
	if p.affected {
		p.conditions, p.more, p.extra, p.affected = Conditions{}, 0, 0, false
	}
	for _, f := range p.faults {
		switch {
		case f.Kind == rounds.Pause:
			p.paused = p.paused || f.Round <= r.round && r.round <= max(f.Until, f.Round)
		case f.Kind >= rounds.Fast:
			p.strikeMachine(f, r.round)
		case f.Round != r.round:
		case f.Point() != "":
			p.ending = f
		case f.Kind == rounds.Crash:
			if err := r.crash(p, f); err != nil {
				return err
			}
		case f.Kind == rounds.Restart:
			p.down, p.restarting = false, true
		}
	}
	if p.begins { // there is nothing yet that could stand still
		p.paused = false
	}
	if len(p.refusals) > 0 {
		if !p.down {
			p.step.outbox = append(p.step.outbox, p.refusals...)
		}
		p.refusals = p.refusals[:0]
	}
	if stood && p.active() {
		r.wake(p)
	}
	return nil
}

// drop loses what waits for a process that crashes.
func (r *Runner) drop(p *participant, crash rounds.Fault) {
	for _, at := range p.heldAt {
		r.lose(at, crash)
	}
	r.traffic.lost += len(p.held)
	p.held, p.heldAt, p.waiting = p.held[:0], p.heldAt[:0], p.waiting[:0]
}

// lose says of a message that was recorded that it is lost.
func (r *Runner) lose(at int, crash rounds.Fault) {
	if r.recordsMessages() {
		m := &r.recording.messages[at]
		m.Lost, m.Cause, m.Arrival = true, crash, 0
	}
}

// wake gives a process what came while it stood still.
func (r *Runner) wake(p *participant) {
	for i := range p.held {
		if r.recordsMessages() {
			r.recording.messages[p.heldAt[i]].Arrival = r.round
		}
	}
	p.inbox = append(p.inbox, p.held...)
	p.held, p.heldAt, p.wokenAt = p.held[:0], p.wokenAt[:0], p.heldAt
}

// send lets a process restart, tick and send. It returns errCrashed if it has come to
// the point where it crashes.
func (r *Runner) send(p *participant) error {
	requests := r.own(p.step.self, r.round)
	if !p.active() {
		if (p.paused || p.begins) && !p.down {
			p.waiting = append(p.waiting, requests...)
		}
		return nil
	}
	if len(p.waiting) > 0 {
		requests = append(p.waiting[:len(p.waiting):len(p.waiting)], requests...)
		p.waiting = p.waiting[:0]
	}
	p.step.requests = requests
	if r.options.Transition != nil && p.state == "" {
		if err := p.nameState(); err != nil {
			return err
		}
	}
	var begun error
	if p.restarting || p.ticker != nil {
		if begun = r.begun(p); begun != nil && begun != errCrashed {
			return begun
		}
	}
	if r.observed && len(requests) > 0 {
		if err := p.call(callText, func() { r.reportRequests(p) }); err != nil {
			return err
		}
	}
	if begun == nil {
		begun = p.call(callSend, func() { p.process.Send(&p.step) })
	}
	p.reported.sent = len(p.step.facts)
	return begun
}

// begun lets a process restart, if it is to, and tick.
func (r *Runner) begun(p *participant) error {
	if p.restarting {
		if err := r.restart(p); err != nil {
			return err
		}
	}
	if p.ticker != nil {
		return p.call(callTick, func() { r.tick(p) })
	}
	return nil
}

// tick lets a process tick as often as the schedule and its clock say, unless it does
// something wrong.
func (r *Runner) tick(p *participant) {
	for i := 0; i < r.ticks+p.more+p.extra && p.step.err == nil; i++ {
		p.ticker.Tick(&p.step)
	}
}

// reportRequests reports what clients ask of a process in this round.
func (r *Runner) reportRequests(p *participant) {
	for _, q := range p.step.requests {
		p.step.facts = append(p.step.facts, r.factOf("request", p.step.self, specs.Int(int64(q.ID)), specs.String(r.askedText(q))))
	}
}

// askedText returns what a request says. It is the same in every execution.
func (r *Runner) askedText(q Request) string {
	text, known := r.asked[q.ID]
	if !known || q.ID >= firstAsk {
		text = execution.PayloadText(q.Payload)
		r.asked[q.ID] = text
	}
	return text
}

// own returns the requests that are made of a process in a round.
func (r *Runner) own(process, round int) []Request {
	own := r.requests[round*len(r.processes)+process]
	if len(r.chosen) == 0 {
		return own
	}
	return append(own[:len(own):len(own)], r.chosenIn(process, round)...)
}

// restart brings back a process that had crashed.
func (r *Runner) restart(p *participant) error {
	p.restarting, p.restarted = false, true
	restarter, ok := p.process.(Restarter)
	if !ok {
		return p.wrong(callRestart, errNoRestarter)
	}
	err := p.call(callRestart, func() { restarter.Restart(&p.step) })
	p.reported.restarted = len(p.step.facts)
	return err
}

// deliver brings what a process sent to the receivers, or loses it.
func (r *Runner) deliver(p *participant) {
	from := p.step.self
	if len(r.slow) > 0 {
		r.arriveFrom(from)
	}
	r.traffic.sent += len(p.step.outbox)
	lied := false
	for i := range p.step.outbox {
		envelope := &p.step.outbox[i]
		to := r.processes[envelope.to]
		if to.absent && !to.begins { // it reaches nobody, and no fault is to blame
			r.traffic.lost++
			continue
		}
		if len(r.kinded) > 0 {
			r.strikeKind(from, envelope)
		}
		if len(r.lies) > 0 {
			said := *envelope
			said.again = said.again && !lied
			if said.payload, lied = r.lie(from, envelope); lied {
				said.args = nil
			}
			said.again, envelope = said.again && !lied, &said
		}
		if len(r.later) > 0 && r.sendLater(from, envelope) {
			continue
		}
		if r.latency != nil && r.sendSlowly(from, envelope) {
			continue
		}
		delivers := !to.fell && (envelope.to == from || r.env.Delivers(from, envelope.to, r.round)) && !r.struck.loses
		at := 0
		if r.recordsMessages() {
			at = r.recordMessage(from, envelope, delivers, to.paused)
		}
		switch {
		case !delivers:
			r.traffic.lost++
		case to.paused:
			to.held = append(to.held, p.step.message(envelope))
			to.heldAt = append(to.heldAt, at)
		default:
			to.inbox = append(to.inbox, p.step.message(envelope))
		}
	}
}

// receive lets a process take what arrived.
func (r *Runner) receive(p *participant) error {
	if p.ending.Round > 0 {
		return r.receiveLast(p)
	}
	if !p.active() {
		r.traffic.lost += len(p.inbox) // of one that died, which no fault knows of, or that has not started
		if p.begins {
			r.refuse(p)
		}
		return nil
	}
	r.traffic.delivered += len(p.inbox)
	if err := p.call(callReceive, func() { p.process.Receive(&p.step, p.inbox) }); err != nil {
		return err
	}
	return r.note(p)
}

// note takes note of what a process did in the round.
func (r *Runner) note(p *participant) error {
	if r.options.Record {
		r.recording.facts = append(r.recording.facts, p.step.facts...)
	}
	if r.options.Transition != nil {
		return r.observe(p)
	}
	return nil
}

// traffic counts the messages of an execution.
type traffic struct{ sent, delivered, lost int }

// checkTraffic reports messages that came from nowhere, or went there.
func (r *Runner) checkTraffic() error {
	kept := 0
	for _, p := range r.processes {
		kept += len(p.held)
	}
	onWay := len(r.underway) + len(r.slow)
	if t := r.traffic; t.sent != t.delivered+t.lost+kept+onWay {
		return fmt.Errorf("system %q: round %d: %d messages were sent, but %d delivered, %d lost, %d wait for a paused process and %d are on their way",
			r.system.Name, r.round, t.sent, t.delivered, t.lost, kept, onWay)
	}
	return nil
}
