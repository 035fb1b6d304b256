package carrier

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
)

// held is a unit of which nothing was reported yet.
type held struct {
	store.Place
	kind       work.Kind
	text       []byte
	limit      time.Duration
	numbers    []int64      // by which it was ordered
	later      []work.Order // that want the same within another time
	state      state
	sequence   uint64    // in the store; 0: not known
	unanswered int       // how often the server, though it was there, did not say that it has it
	sure       bool      // it is not the message of an earlier order that is there
	worker     string    // who does it, by ID
	name       string    // of that worker
	heard      time.Time // when it said so last
	tries      []store.Failure
	before     bool // the store had its result before it was ordered
}

// mostUnanswered is how often a server may not answer that is there: its disk may be full.
const mostUnanswered = 3

// state is where a unit is.
type state int

const (
	looked state = iota // for, in the store
	queued              // in the queue, from which a unit that is not held any more drops by itself
	sent                // to the store, which has not said yet that it has it
	kept                // in the store
)

// unit takes the order for a unit.
func (c *Carrier) unit(ctx context.Context, o work.Order) {
	if err := o.Unit.Check(); err != nil {
		c.reports.write(work.Report{Number: o.Number, Refused: err.Error()})
		return
	}
	address := o.Unit.Address()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if reason := c.missing(o.Unit); reason != "" {
		c.reports.write(work.Report{Number: o.Number, Refused: reason})
		return
	}
	if h := c.held[address]; h != nil {
		c.numbers[o.Number] = h
		if h.limit == o.Limit {
			h.numbers = append(h.numbers, o.Number)
		} else {
			h.later = append(h.later, o)
		}
		return
	}
	text, err := json.Marshal(o.Unit)
	if err != nil {
		c.reports.write(work.Report{Number: o.Number, Refused: err.Error()})
		return
	}
	h := &held{Place: store.PlaceOf(o.Unit, address, c.job), kind: o.Unit.Kind, text: text, limit: o.Limit, numbers: []int64{o.Number}}
	c.held[address], c.numbers[o.Number] = h, h
	if c.finals[address] {
		c.out++
		go c.lookUp(ctx, h)
		return
	}
	c.enqueue(h)
	c.hand()
}

// lookUp reports what the store knows of a unit, and hands it out if that is nothing.
func (c *Carrier) lookUp(ctx context.Context, h *held) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := c.store.Final(ctx, h.Build, h.Address)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held[h.Address] != h {
		return // it was cancelled
	}
	if err == nil && r != nil {
		h.before = true
		c.report(h, r)
		return
	}
	c.out--
	delete(c.finals, h.Address)
	c.enqueue(h)
	c.hand()
}

// enqueue lets a unit wait until it is its turn.
func (c *Carrier) enqueue(h *held) {
	h.state, h.sequence, h.worker = queued, 0, ""
	c.queue = append(c.queue, h)
}

// pump hands out what waits.
func (c *Carrier) pump() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.hand()
}

// hand hands out what waits, as far as that is needed to keep all workers busy: the rest
// need not fill the store.
func (c *Carrier) hand() {
	if len(c.queue) == 0 || !c.nc.IsConnected() {
		return
	}
	most := c.window()
	for len(c.queue) > 0 && c.out < most {
		h := c.queue[0]
		c.queue[0], c.queue = nil, c.queue[1:]
		if c.held[h.Address] != h || h.state != queued {
			continue
		}
		if err := c.store.Hand(h.Place, h.text, h.limit); err != nil {
			if store.TooLarge(err) || !store.Unreachable(err) {
				c.refuse(h, refusal("it", len(h.text), err))
				continue
			}
			c.queue = append([]*held{h}, c.queue...)
			return
		}
		c.out++
		h.state = sent
	}
}

// window is how many units may be out at a time: twice what workers do, and some for those
// whose units take less time than to ask for another one.
func (c *Carrier) window() int { return 16 + 2*int(c.slots.Load()) }

// stored is called when the store has a unit.
func (c *Carrier) stored(m *nats.Msg, sequence uint64) {
	p, _ := store.Handed(m)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	h := c.held[p.Address]
	if h == nil { // it was cancelled, or done, meanwhile
		go c.takeOut(sequence)
		return
	}
	if sequence > h.sequence { // who has begun it did so for an earlier order
		h.worker = ""
	}
	h.sequence, h.unanswered = sequence, 0
	if h.state == sent {
		h.state = kept
	}
}

// notStored is called when the store does not take a unit, or does not say so.
func (c *Carrier) notStored(m *nats.Msg, err error) {
	p, _ := store.Handed(m)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	h := c.held[p.Address]
	switch {
	case h == nil || h.state != sent && h.state != kept:
	case store.There(err):
		h.state = kept
		if !h.sure { // it may be one that is just being taken out
			h.sure = true
			time.AfterFunc(time.Second, func() { c.handOne(h) })
		}
	case store.Unreachable(err) && h.unanswered < mostUnanswered:
		h.state = sent // until it is handed out again
		if c.nc.IsConnected() {
			h.unanswered++
		}
	default:
		c.out--
		c.refuse(h, refusal("it", len(h.text), err))
	}
}

// handOne hands out a unit again. That somebody is said to do it may be about an earlier
// order; where somebody does, the store refuses what it has.
func (c *Carrier) handOne(h *held) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held[h.Address] == h && h.state == kept {
		_ = c.store.Hand(h.Place, h.text, h.limit)
	}
}

// handAgain hands out again what nobody is known to do: the store refuses what it has.
func (c *Carrier) handAgain() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, h := range c.held {
		if (h.state == sent || h.state == kept) && h.worker == "" {
			_ = c.store.Hand(h.Place, h.text, h.limit) // else the next time
		}
	}
	c.hand()
}

// refuse reports that a unit cannot be handed out. It is not out any more.
func (c *Carrier) refuse(h *held, reason string) {
	c.forget(h)
	for _, number := range h.numbers {
		c.reports.write(work.Report{Number: number, Refused: reason})
	}
	for _, o := range h.later {
		c.reports.write(work.Report{Number: o.Number, Refused: reason})
	}
}

// report reports what became of a unit that was out.
func (c *Carrier) report(h *held, r *work.Result) {
	c.forget(h)
	c.out--
	for _, number := range h.numbers {
		c.reports.write(work.Report{Number: number, Result: r, Before: h.before, Accused: c.accused[r.Worker]})
	}
	for _, o := range h.later {
		if r.Final {
			c.reports.write(work.Report{Number: o.Number, Result: r, Before: h.before, Accused: c.accused[r.Worker]})
		} else {
			go c.orderLater(h.sequence, o)
		}
	}
	c.hand()
}

// orderLater orders a unit that has waited for one with the same address, whose message may
// still be there.
func (c *Carrier) orderLater(sequence uint64, o work.Order) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if sequence > 0 {
		_ = c.store.TakeOut(ctx, sequence) // else the order comes through when it is handed out again
	}
	c.unit(context.Background(), o)
}

// forget forgets a unit of which everything was reported.
func (c *Carrier) forget(h *held) {
	delete(c.held, h.Address)
	for _, number := range h.numbers {
		delete(c.numbers, number)
	}
	for _, o := range h.later {
		delete(c.numbers, o.Number)
	}
}

// cancel takes back a unit.
func (c *Carrier) cancel(number int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	h := c.numbers[number]
	if h == nil {
		return // it is done
	}
	delete(c.numbers, number)
	h.numbers = slices.DeleteFunc(h.numbers, func(n int64) bool { return n == number })
	h.later = slices.DeleteFunc(h.later, func(o work.Order) bool { return o.Number == number })
	if len(h.numbers) > 0 {
		return
	}
	later := h.later
	h.later = nil
	c.forget(h)
	if h.state != queued {
		c.out--
		c.withdraw(h)
	}
	for _, o := range later {
		go c.orderLater(h.sequence, o)
	}
	c.hand()
}

// takeOut takes a unit out of the store, and tells whoever does it.
func (c *Carrier) takeOut(sequence uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = c.store.TakeOut(ctx, sequence) // else its job ends some time
	_ = members.SayCancel(c.nc, members.Cancel{Job: c.job, Sequence: sequence})
}

// refusal says why something cannot be handed out.
func refusal(what string, size int, err error) string {
	switch {
	case store.Full(err):
		return "the store of the server is full (ldfi serve --store-limit)"
	case store.TooLarge(err):
		return fmt.Sprintf("%s has %d bytes, which is more than the server takes at a time", what, size)
	case store.Unreachable(err):
		return "the server does not say that it has taken it; its disk may be full"
	}
	return err.Error()
}
