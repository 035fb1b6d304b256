package system

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// underway is a message that does not arrive in the round in which it is sent.
type underway struct {
	message       Message
	from, to      int
	sent, arrival int  // the rounds
	again         bool // it has arrived before, or will: this is its duplicate
	at            int  // its place in the recording
	by            rounds.Fault
}

// divert takes note of the faults of a schedule by which messages arrive late, again,
// or in another order.
func (r *Runner) divert(schedule rounds.Schedule) {
	clear(r.later)
	r.orders, r.underway = r.orders[:0], r.underway[:0]
	for _, f := range schedule.Faults {
		switch f.Kind {
		case rounds.Delay, rounds.Duplicate:
			r.sendsLater(f)
		case rounds.Order:
			r.orders = append(r.orders, f)
		}
	}
}

// sendsLater takes note of a delay or a duplicate.
func (r *Runner) sendsLater(f rounds.Fault) {
	if r.later == nil {
		r.later = map[int][]rounds.Fault{}
	}
	r.later[f.Round] = append(r.later[f.Round], f)
}

// sendLater sends what is in an envelope on its way, once for each fault by which it
// arrives later. It tells whether it does not arrive at once because of that.
func (r *Runner) sendLater(from int, envelope *envelope) (delayed bool) {
	for _, f := range r.later[r.round] {
		if f.Process != r.system.Processes[from] || f.To != r.system.Processes[envelope.to] || r.stopped(from, envelope.to) {
			continue
		}
		if f.Of != "" && !r.struck.by(f) || delayed && f.Kind == rounds.Delay {
			continue
		}
		u := underway{
			message: r.processes[from].step.message(envelope), from: from, to: envelope.to,
			sent: r.round, arrival: r.round + f.By + r.late(from, envelope.to), again: f.Kind == rounds.Duplicate, by: f,
		}
		if u.again {
			r.traffic.sent++
		} else {
			delayed = true
		}
		if r.recordsMessages() {
			u.at = r.recordMessage(from, envelope, true, false)
			m := &r.recording.messages[u.at]
			m.Arrival, m.Again = min(u.arrival, r.rounds()+1), u.again
		}
		if f.Of != "" && r.holdBehind(envelope, f) {
			r.slow = append(r.slow, u) // it comes before the bytes behind it
			continue
		}
		r.underway = append(r.underway, u)
	}
	return delayed
}

// stopped tells whether something loses what is sent in this round on its way, rather
// than at a receiver that has crashed.
func (r *Runner) stopped(from, to int) bool {
	return r.struck.loses || r.env.Stops(from, to, r.round)
}

// arrive brings what was sent in earlier rounds to the receivers, after what was sent
// in this one.
func (r *Runner) arrive() {
	var due []underway
	r.underway = slices.DeleteFunc(r.underway, func(u underway) bool {
		if u.arrival == r.round {
			due = append(due, u)
		}
		return u.arrival == r.round
	})
	slices.SortStableFunc(due, func(u, v underway) int {
		return cmp.Or(cmp.Compare(u.sent, v.sent), cmp.Compare(u.from, v.from), compareBools(u.again, v.again))
	})
	for _, u := range due {
		r.hand(u)
	}
}

// hand brings a message that was on its way to its receiver.
func (r *Runner) hand(u underway) {
	to := r.processes[u.to]
	crash, down := r.downBy(to)
	switch {
	case down:
		r.lose(u.at, crash)
		r.traffic.lost++
	case to.paused:
		if r.recordsMessages() {
			r.recording.messages[u.at].Arrival = r.rounds() + 1 // unless the pause ends before
		}
		to.held, to.heldAt = append(to.held, u.message), append(to.heldAt, u.at)
	default:
		to.inbox = append(to.inbox, u.message)
	}
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// downBy returns the crash because of which a process does not take what arrives now.
func (r *Runner) downBy(p *participant) (crash rounds.Fault, down bool) {
	if p.fell {
		return p.ending, true
	}
	now, last := 3*r.round+1, -1
	for _, f := range p.faults {
		if f.Kind != rounds.Crash && f.Kind != rounds.Restart {
			continue
		}
		if at := schedules.Instant(f); last < at && at <= now {
			crash, last = f, at
		}
	}
	return crash, p.down && last >= 0 && crash.Kind == rounds.Crash
}

// reorder changes the order in which what was sent in this round reaches processes.
func (r *Runner) reorder() {
	for _, f := range r.orders {
		if f.Round != r.round {
			continue
		}
		p := r.processes[r.place(f.Process)]
		order, _ := schedules.Arranged(f, r.system.Processes)
		rank := func(m Message) int { return slices.Index(order, r.place(m.From)) }
		if !p.paused {
			slices.SortStableFunc(p.inbox[p.own:], func(m, n Message) int { return rank(m) - rank(n) })
			continue
		}
		r.reorderHeld(p, rank)
	}
}

// reorderHeld does that to what waits for a process that stands still.
func (r *Runner) reorderHeld(p *participant, rank func(Message) int) {
	type waiting struct {
		message Message
		at      int
	}
	var own []waiting
	for i := p.own; i < len(p.held); i++ {
		own = append(own, waiting{p.held[i], p.heldAt[i]})
	}
	slices.SortStableFunc(own, func(a, b waiting) int { return rank(a.message) - rank(b.message) })
	for i, w := range own {
		p.held[p.own+i], p.heldAt[p.own+i] = w.message, w.at
	}
}

// markOwn takes note of what each process has before anything of this round arrives.
func (r *Runner) markOwn() {
	for _, p := range r.processes {
		p.own = len(p.inbox)
		if p.paused {
			p.own = len(p.held)
		}
	}
}
