package system

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
)

// ofKind is a fault of the messages of one kind that one process sends another.
type ofKind struct {
	fault    rounds.Fault
	from, to int
	count    *count // of a fault of the n-th message; nil: it hits all
}

// count counts the messages of a kind that one process sends another in a round. Identical messages are one.
type count struct {
	round  int            // in which it was counted last
	asked  int            // the envelope of which it is the number
	number int            // of that message, from 1
	seen   map[string]int // by what messages say: their numbers
}

// of returns the number of what an envelope has, the asked-th that anybody asks of.
func (c *count) of(round, asked int, says func() string) int {
	if c.round != round {
		c.round = round
		clear(c.seen)
	}
	if c.asked == asked {
		return c.number
	}
	text := says()
	number, known := c.seen[text]
	if !known {
		number = len(c.seen) + 1
		c.seen[text] = number
	}
	c.asked, c.number = asked, number
	return number
}

// strikes are the faults of kinds of messages that hit one message.
type strikes struct {
	faults []rounds.Fault
	loses  bool         // the message
	lost   rounds.Fault // the first in normal form that loses it
}

// by tells whether a fault is among them.
func (s *strikes) by(f rounds.Fault) bool { return slices.Contains(s.faults, f) }

// stream is a message with bytes of a connection: they arrive in order, and are sent again.
type stream interface {
	// Hold says that the message comes so many rounds later. Until 0 is said, nothing more
	// is sent in that direction of the connection.
	Hold(rounds int)
}

// takeKinds takes note of the faults of kinds of messages in a schedule.
func (r *Runner) takeKinds(s rounds.Schedule) {
	r.kinded, r.lasting, r.hold = r.kinded[:0], r.lasting[:0], r.hold[:0]
	clear(r.kindedOf)
	clear(r.counts)
	r.struck = strikes{faults: r.struck.faults[:0]}
	for _, f := range s.Faults {
		r.takeKind(f)
	}
	r.kindedIn = -1
}

// takeKind takes note of a fault, if it is of a kind of messages.
func (r *Runner) takeKind(f rounds.Fault) {
	if !isOfKind(f) {
		return
	}
	if r.counts == nil {
		r.counts, r.kindedOf = map[rounds.Fault]*count{}, map[int][]int{}
	}
	k := ofKind{fault: f, from: r.place(f.Process), to: r.place(f.To)}
	if f.Nth > 0 {
		on := rounds.Fault{Process: f.Process, To: f.To, Of: f.Of}
		if r.counts[on] == nil {
			r.counts[on] = &count{seen: map[string]int{}}
		}
		k.count = r.counts[on]
	}
	if f.Until > f.Round {
		r.lasting = append(r.lasting, len(r.kinded))
	} else {
		r.kindedOf[f.Round] = append(r.kindedOf[f.Round], len(r.kinded))
	}
	r.kinded, r.kindedIn = append(r.kinded, k), -1
}

func isOfKind(f rounds.Fault) bool { return f.Of != "" }

// sortKinded finds the faults of kinds of messages of this round, by link.
func (r *Runner) sortKinded() {
	n := len(r.processes)
	if len(r.kindedOn) != n*n {
		r.kindedOn = make([][]int, n*n)
	}
	for i := range r.kindedOn {
		r.kindedOn[i] = r.kindedOn[i][:0]
	}
	for _, list := range [2][]int{r.lasting, r.kindedOf[r.round]} {
		for _, i := range list {
			if k := &r.kinded[i]; k.fault.Round <= r.round && r.round <= max(k.fault.Until, k.fault.Round) {
				at := k.from*n + k.to
				r.kindedOn[at] = append(r.kindedOn[at], i)
			}
		}
	}
	r.kindedIn = r.round
}

// strikeKind finds the faults of kinds of messages that hit what is in an envelope.
func (r *Runner) strikeKind(from int, e *envelope) {
	r.struck = strikes{faults: r.struck.faults[:0]}
	if r.kindedIn != r.round {
		r.sortKinded()
	}
	on := r.kindedOn[from*len(r.processes)+e.to]
	if len(on) == 0 {
		return
	}
	r.strikings++
	known, payload := e.args != nil, ""
	text := func() string {
		switch {
		case e.args != nil:
			return e.args[1].Text()
		case !known:
			known, payload = true, execution.PayloadText(e.payload)
		}
		return payload
	}
	says := func() string { return r.kind(e.payload) + " " + text() }
	for _, i := range on {
		k := &r.kinded[i]
		f := k.fault
		if !execution.OfKind(f.Of, r.kind(e.payload), text) {
			continue
		}
		if k.count != nil && k.count.of(r.round, r.strikings, says) != f.Nth {
			continue
		}
		if _, ordered := e.payload.(stream); ordered && f.Kind != rounds.Delay {
			r.refuseKind(f)
			continue
		}
		r.struck.faults = append(r.struck.faults, f)
		if (f.Kind == rounds.Omit || f.Kind == rounds.Cut) && (!r.struck.loses || f.Compare(r.struck.lost) < 0) {
			r.struck.loses, r.struck.lost = true, f
		}
	}
}

// refuseKind ends the execution because of a fault that hits bytes of a connection.
func (r *Runner) refuseKind(f rounds.Fault) {
	if r.refused != nil {
		return
	}
	later := rounds.Fault{Kind: rounds.Delay, Process: f.Process, To: f.To, Round: r.round, Of: f.Of, Nth: f.Nth, By: max(f.By, 1)}
	r.refused = fmt.Errorf("system %q: %s: it hits bytes of a connection in round %d, which come in order, and are sent again when they are lost: "+
		"one kind of these can be delayed, with all bytes behind it (%s), and not lost or duplicated", r.system.Name, f, r.round, later)
}

// holdBehind keeps the bytes of a connection behind what is in an envelope until that arrives. It
// tells whether these are such bytes.
func (r *Runner) holdBehind(e *envelope, f rounds.Fault) bool {
	s, ok := e.payload.(stream)
	if ok {
		s.Hold(f.By)
		r.hold = append(r.hold, held{s, r.round + f.By})
	}
	return ok
}

// held is a direction of a connection on which nothing is sent before a round.
type held struct {
	stream stream
	until  int
}

// release lets connections go on that were held until this round.
func (r *Runner) release() {
	r.hold = slices.DeleteFunc(r.hold, func(h held) bool {
		if h.until > r.round || slices.ContainsFunc(r.hold, func(o held) bool { return o.stream == h.stream && o.until > r.round }) {
			return false
		}
		h.stream.Hold(0)
		return true
	})
}
