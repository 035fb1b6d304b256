package ratis

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// client asks one server for each request, and the next one when that does not lead. All
// of its state is in fields of the type asked.
type client struct{ asked }

// asked is the state of the client.
type asked struct {
	leader int // the server that it asks first
	of     [requests]struct {
		server  int
		due     bool // it asks in the next round
		waiting bool
	}
}

// Send asks for what is due.
func (c *client) Send(s *system.Step) {
	for _, r := range s.Requests() {
		request := &c.of[r.ID-1]
		request.server, request.due, request.waiting = c.leader, true, true
	}
	for i := range c.of {
		if request := &c.of[i]; request.due {
			s.Send(servers[request.server], ask{i + 1})
			request.due = false
		}
	}
}

// Receive takes answers, and turns to another server when one does not lead.
func (c *client) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		from := slices.Index(servers, m.From)
		switch p := m.Payload.(type) {
		case answer:
			if request := &c.of[p.Request-1]; request.waiting {
				request.due, request.waiting = false, false
				s.Reply(system.Request{ID: p.Request}, "written")
			}
		case notLeader:
			c.turn(p.Request, from)
		case restarted:
			for i := range c.of {
				c.turn(i+1, from)
			}
		}
	}
}

// turn turns away from a server that was asked.
func (c *client) turn(request, from int) {
	if r := &c.of[request-1]; r.waiting && r.server == from {
		r.server, r.due = (from+1)%len(servers), true
		c.leader = r.server
	}
}
