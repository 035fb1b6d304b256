package etcd

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// clients is what clients of a process wait for.
type clients struct {
	open    []open
	replied []int // requests that are repeated, and need not be any more
}

// open is a request that has no reply yet.
type open struct {
	system.Request
	repeated bool
}

// add takes note of a request. It tells whether the node is to be asked.
func (c *clients) add(r system.Request, repeated bool) bool {
	if slices.Contains(c.replied, r.ID) {
		return false
	}
	if c.find(r.ID) < 0 {
		c.open = append(c.open, open{r, repeated})
	}
	return true
}

// reply answers a request that was made of this process and has no reply yet.
func (c *clients) reply(s *system.Step, id int, relation string, index uint64) {
	i := c.find(id)
	if i < 0 {
		return
	}
	o := c.open[i]
	c.open = slices.Delete(c.open, i, i+1)
	if o.repeated {
		c.replied = append(c.replied, id)
	}
	s.Fact(relation, id, index)
	s.Reply(o.Request, index)
}

// find returns the place of a request that has no reply yet, -1 if there is none.
func (c *clients) find(id int) int {
	for i := range c.open {
		if c.open[i].ID == id {
			return i
		}
	}
	return -1
}

// write writes the part of a fingerprint.
func (c *clients) write(b *bytes.Buffer) {
	for _, o := range c.open {
		fmt.Fprintf(b, " open=%d", o.ID)
	}
	for _, id := range c.replied {
		fmt.Fprintf(b, " replied=%d", id)
	}
}

// take lets the node do what a client asks, if it is for this process now.
func (p *process) take(s *system.Step, r system.Request) {
	repeated := false
	for {
		switch payload := r.Payload.(type) {
		case retried:
			r.ID, r.Payload, repeated = payload.of(r.ID), payload.payload, true
		case AtLeader:
			if p.work.Role != "leader" {
				return
			}
			r.Payload = payload.Payload
		default:
			p.ask(s, r, repeated)
			return
		}
	}
}

// ask asks the node for what a client wants. What it drops gets no reply.
func (p *process) ask(s *system.Step, r system.Request, repeated bool) {
	switch payload := r.Payload.(type) {
	case Propose:
		if p.clients.add(r, repeated) {
			_ = p.node.Propose(dataOf(r.ID, payload))
		}
	case ReadIndex:
		p.needs(r, Reads)
		if p.clients.add(r, repeated) {
			p.node.ReadIndex(contextOf(r.ID))
		}
	case ConfChange:
		change := payload.change(func(name string) uint64 { return numberOf(s, name) })
		change.Context = contextOf(r.ID)
		p.needs(r, change.features()...)
		if p.clients.add(r, repeated) {
			_ = p.node.ProposeConfChange(change)
		}
	case TransferLeader:
		p.needs(r, Transfers)
		p.node.TransferLeader(numberOf(s, payload.To))
	case Compact:
		p.compact()
	default:
		panic(fmt.Sprintf("request %d is a %T, and has to be an etcd.Propose, ReadIndex, ConfChange, TransferLeader or Compact, or one of these in an etcd.AtLeader", r.ID, r.Payload))
	}
}

// needs says that the library does not have what is asked for.
func (p *process) needs(r system.Request, features ...Feature) {
	for _, f := range features {
		if !p.node.Offers(f) {
			panic(fmt.Sprintf("request %d is %q: this version of the library has no %s", r.ID, fmt.Sprint(r.Payload), f))
		}
	}
}
