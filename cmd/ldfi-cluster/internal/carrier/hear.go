package carrier

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
)

// result takes what a worker has come to; nil is none.
func (c *Carrier) result(address string, r *work.Result) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	h := c.held[address]
	if h == nil { // it was cancelled, or somebody else was faster
		return
	}
	if h.state == queued { // another message of it was there
		h.state = kept
		c.out++
	}
	f := store.Failure{Worker: h.name}
	switch {
	case r == nil:
		f.Reason = "what came back is no result"
	case c.liars[r.Worker]:
		f.Worker, f.Reason = r.Worker, "a worker that nobody believes any more has done it"
	default:
		c.report(h, r)
		return
	}
	c.tried(h, f)
	if c.held[address] == h {
		c.askAgain(h)
	}
}

// askAgain hands out a unit that the worker who had it takes for done. Its message may still
// be there.
func (c *Carrier) askAgain(h *held) {
	sequence := h.sequence
	h.worker, h.sequence, h.state = "", 0, sent
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if sequence > 0 {
			_ = c.store.TakeOut(ctx, sequence) // else it comes through when it is handed out again
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if c.held[h.Address] == h {
			_ = c.store.Hand(h.Place, h.text, h.limit)
		}
	}()
}

// given takes what a worker gives past the store.
func (c *Carrier) given(g store.Given) {
	if g.Result != nil && store.Meant(g.Result, g.Result.Address) {
		c.result(g.Result.Address, g.Result)
	}
	if g.Failure != nil && g.Failure.Reason != "" {
		c.failure(g.Failure)
	}
}

// failure takes why a try came to nothing. The worker has given the unit back.
func (c *Carrier) failure(f *store.Failure) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	h := c.held[f.Address]
	switch {
	case h == nil || h.state == queued:
	case f.Refused:
		c.withdraw(h)
		c.out--
		c.refuse(h, f.Reason)
		c.hand()
	default:
		h.worker = ""
		c.tried(h, *f)
	}
}

// tried takes note of a try. After too many of them a unit is set aside.
func (c *Carrier) tried(h *held, f store.Failure) {
	h.tries = append(h.tries, f)
	if len(h.tries) < mostTries {
		return
	}
	c.withdraw(h)
	r := &work.Result{Address: h.Address, Tries: len(h.tries), Worker: f.Worker, Build: c.build, Failure: failed(h.tries)}
	for _, t := range h.tries {
		if t.Log != "" {
			r.Log = t.Log
		}
	}
	c.report(h, r)
}

// failed says why all tries came to nothing.
func failed(tries []store.Failure) string {
	var reasons []string
	for _, t := range tries {
		reasons = append(reasons, fmt.Sprintf("%s (%s)", t.Reason, t.Worker))
	}
	return strings.Join(reasons, "; ")
}

// withdraw takes a unit out of the store, before it is reported.
func (c *Carrier) withdraw(h *held) {
	if h.sequence > 0 {
		go c.takeOut(h.sequence)
	}
}

// begun takes note of who does a unit.
func (c *Carrier) begun(b members.Begun) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if h := c.held[b.Address]; h != nil {
		h.begun(b.ID, b.Name, b.Sequence)
	}
}

// begun takes note of who does the unit, unless that is about an earlier order.
func (h *held) begun(id, name string, sequence uint64) {
	if h.state != queued && sequence >= h.sequence {
		h.worker, h.name, h.sequence, h.heard = id, name, sequence, time.Now()
	}
}

// noteWork takes note of what a worker says that it does: what it does for nobody it can end, and
// what it does not do any more somebody else may have to.
func (c *Carrier) noteWork(m *members.Member) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for i, u := range m.Units {
		if u.Job != c.job {
			continue
		}
		h := c.held[m.Doing[i].Address]
		if h != nil {
			h.begun(m.ID, m.Name, u.Sequence)
		} else {
			if c.stale[u.Sequence] { // for the second time: it has not just ended
				_ = members.SayCancel(c.nc, members.Cancel(u))
			}
			c.stale[u.Sequence] = true
		}
	}
	if m.Left {
		c.released(m.ID)
	}
}

// released takes note that a worker has given back what it had.
func (c *Carrier) released(id string) {
	for _, h := range c.held {
		if h.worker == id {
			h.worker = ""
		}
	}
}

// vanished counts a try for each unit whose worker has vanished while it did it. Somebody
// else may have it by now.
func (c *Carrier) vanished() {
	for _, m := range c.workers.Vanished() {
		did := map[string]bool{}
		for i, u := range m.Units {
			did[m.Doing[i].Address] = u.Job == c.job
		}
		c.mutex.Lock()
		for _, h := range c.held {
			if h.worker != m.ID && !did[h.Address] {
				continue
			}
			if h.worker == m.ID {
				h.worker = ""
			}
			c.tried(h, store.Failure{Worker: m.Name, Reason: "the worker was gone while it did it"})
		}
		c.mutex.Unlock()
	}
}

// silent hands out again what workers do not say any more that they do, though they are
// there, and brought nothing.
func (c *Carrier) silent() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.stale) > 10_000 {
		clear(c.stale)
	}
	for _, h := range c.held {
		if h.worker != "" && time.Since(h.heard) > 2*members.Gone {
			h.worker = ""
			_ = c.store.Hand(h.Place, h.text, h.limit)
		}
	}
}

// count takes note of how many units workers can do at a time.
func (c *Carrier) count(members []*members.Member) {
	slots := 0
	for _, m := range members {
		if m.Build == c.build {
			slots += m.Slots
		}
	}
	c.slots.Store(int64(slots))
}

// summary is how all units stand, and who is there.
func (c *Carrier) summary() work.Report {
	r := &work.Workers{Workers: []work.Worker{}, Lost: !c.nc.IsConnected()}
	members := c.workers.All()
	c.count(members)
	for _, m := range members {
		r.Workers = append(r.Workers, m.Worker)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, h := range c.held {
		if h.worker != "" {
			r.Running++
		} else {
			r.Waiting++
		}
	}
	return work.Report{Crew: r}
}
