package members

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
)

// How often a worker says that it is there, and after what time without that it is taken
// for gone.
const (
	Beat = time.Second
	Gone = 5 * time.Second
)

const (
	memberSubject = "ldfi.crew."
	callSubject   = "ldfi.call" // asks all workers to say that they are there
)

// Member is a worker, as it says.
type Member struct {
	ID string `json:"id"` // no other worker has it
	work.Worker
	Units []Unit `json:"units,omitempty"` // which those in Doing are
	Left  bool   `json:"left,omitempty"`  // it has ended, and given back what it had
}

// Unit names a unit in work.
type Unit struct {
	Job      string `json:"job"`
	Sequence uint64 `json:"sequence"`
}

// Say says that a worker is there.
func Say(nc *nats.Conn, m Member) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return nc.Publish(memberSubject+m.ID, text)
}

// Called calls say when somebody wants to know who is there.
func Called(nc *nats.Conn, say func()) error {
	_, err := nc.Subscribe(callSubject, func(*nats.Msg) { say() })
	return err
}

// Members is who was heard of.
type Members struct {
	nc    *nats.Conn
	said  func(*Member)
	mutex sync.Mutex
	all   map[string]lastHeard
	since time.Time // the connection is there again; zero: it was never lost
}

type lastHeard struct {
	*Member
	at time.Time
}

// Listen listens from now on who is there, and asks all to say so. It calls said, if it is
// not nil, with each member that says something.
func Listen(nc *nats.Conn, said func(*Member)) (*Members, error) {
	c := &Members{nc: nc, said: said, all: map[string]lastHeard{}}
	if _, err := nc.Subscribe(memberSubject+"*", c.hear); err != nil {
		return nil, err
	}
	return c, nc.Publish(callSubject, nil)
}

// hear keeps what a worker says of itself.
func (c *Members) hear(msg *nats.Msg) {
	m := new(Member)
	if json.Unmarshal(msg.Data, m) != nil || m.ID != strings.TrimPrefix(msg.Subject, memberSubject) || m.Slots < 1 {
		return // that is nobody
	}
	m.Units = m.Units[:min(len(m.Units), len(m.Doing))] // which are those in Doing
	c.mutex.Lock()
	if m.Left {
		delete(c.all, m.ID)
	} else {
		c.all[m.ID] = lastHeard{m, time.Now()}
	}
	c.mutex.Unlock()
	if c.said != nil {
		c.said(m)
	}
}

// Back says that the connection is there again: everybody has time to come back too.
func (c *Members) Back() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.since = time.Now()
	_ = c.nc.Publish(callSubject, nil)
}

// Vanished forgets the members that were not heard of for long, without having left, and
// returns them. While we hear nobody, or not for long again, that does not mean anything.
func (c *Members) Vanished() []*Member {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.nc.IsConnected() || time.Since(c.since) < 2*Gone {
		return nil
	}
	var all []*Member
	for id, h := range c.all {
		if time.Since(h.at) > Gone {
			all = append(all, h.Member)
			delete(c.all, id)
		}
	}
	return all
}

// Members are the workers that are there, by name.
func (c *Members) All() []*Member {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	all := make([]*Member, 0, len(c.all))
	for _, h := range c.all {
		all = append(all, h.Member)
	}
	slices.SortFunc(all, func(a, b *Member) int {
		return strings.Compare(a.Name+"\x00"+a.ID, b.Name+"\x00"+b.ID)
	})
	return all
}
