package maelstrom

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// The services that Maelstrom has: stores of values by keys that are linearizable, sequentially
// consistent, and such that the last write wins, and one that counts.
const (
	linKV  = "lin-kv"
	seqKV  = "seq-kv"
	lwwKV  = "lww-kv"
	linTSO = "lin-tso"
)

var services = []string{linKV, linTSO, lwwKV, seqKV}

// The codes of errors of the protocol.
const (
	nodeNotFound       = 1
	notSupported       = 10
	keyDoesNotExist    = 20
	preconditionFailed = 22
)

// service is a machine that the nodes ask.
type service struct {
	tick    time.Duration
	now     time.Duration // by its clock
	round   int           // in which it was called last
	answers []message     // that it sends next
	store   interface {
		// answer does what a node asks at a time, or says why not.
		answer(now time.Duration, from string, asked Body) Body
	}
}

// newService returns the service that has a name.
func newService(name string, tick time.Duration, random *rand.Rand) *service {
	s := &service{tick: tick}
	switch name {
	case linKV:
		s.store = keys{}
	case seqKV:
		s.store = &past{random: random, latest: keys{}, seen: map[string]int{}}
	case lwwKV:
		s.store = newReplicas(random)
	case linTSO:
		s.store = new(oracle)
	}
	return s
}

// Machine says what faults a service can have: as nodes, without a disk.
func (*service) Machine() system.Machine { return system.Machine{Clock: true, Goroutines: true} }

// Send sends the answers to what arrived in the round before.
func (s *service) Send(step *system.Step) {
	c := step.Conditions()
	s.now += time.Duration(step.Round()-s.round+c.Jump)*s.tick + time.Duration(c.Clock)*s.tick/10
	s.round = step.Round()
	for _, a := range s.answers {
		step.Send(a.Dest, a)
	}
	s.answers = nil
}

// Restart goes on: what a service has is durable.
func (*service) Restart(*system.Step) {}

// Receive does what nodes ask.
func (s *service) Receive(step *system.Step, inbox []system.Message) {
	for _, arrived := range inbox {
		m, ok := arrived.Payload.(message)
		if !ok || m.Body["in_reply_to"] != nil {
			continue
		}
		told := s.store.answer(s.now, m.Src, m.Body)
		told["in_reply_to"] = m.Body["msg_id"]
		s.answers = append(s.answers, newMessage(m.Dest, m.Src, told))
	}
}

// refusal is an error of the protocol.
func refusal(code int, text string) Body { return Body{"type": "error", "code": code, "text": text} }

// oracle gives everybody who asks the next number, from 0.
type oracle struct{ next int }

func (o *oracle) answer(_ time.Duration, _ string, asked Body) Body {
	if asked.Type() != "ts" {
		return refusal(notSupported, asked.Type()+" is not ts")
	}
	o.next++
	return Body{"type": "ts_ok", "ts": o.next - 1}
}

// keys are values by keys, both as JSON: linearizable, as every operation happens
// when it arrives.
type keys map[string]string

func (k keys) answer(_ time.Duration, _ string, asked Body) Body {
	key := compact(asked["key"])
	value, has := k[key]
	switch asked.Type() {
	case "read":
		if !has {
			return refusal(keyDoesNotExist, "there is no key "+key)
		}
		return Body{"type": "read_ok", "value": json.RawMessage(value)}
	case "write":
		k[key] = compact(asked["value"])
		return Body{"type": "write_ok"}
	case "cas":
		switch {
		case !has && asked["create_if_not_exists"] != true:
			return refusal(keyDoesNotExist, "there is no key "+key)
		case has && value != compact(asked["from"]):
			return refusal(preconditionFailed, fmt.Sprintf("key %s has the value %s, not %s", key, value, compact(asked["from"])))
		}
		k[key] = compact(asked["to"])
		return Body{"type": "cas_ok"}
	}
	return refusal(notSupported, asked.Type()+" is none of read, write and cas")
}

// past is sequentially consistent: writes happen when they arrive, reads may be told
// what was true before, but nobody is told what is older than what they were told or
// have written.
type past struct {
	random interface{ IntN(int) int }
	latest keys
	older  []version      // that somebody may still be told, the newest last
	seen   map[string]int // the number of the newest version that each node knows of
	number int            // of the latest
}

// version is what was true until some time.
type version struct {
	number int
	until  time.Duration
	keys   keys
}

// stale is how old something is at most that a read is told.
const stale = time.Second

func (p *past) answer(now time.Duration, from string, asked Body) Body {
	if asked.Type() != "read" {
		before := p.latest.clone()
		told := p.latest.answer(now, from, asked)
		if told.Type() != "error" {
			p.older = append(p.older, version{p.number, now, before})
			p.number++
		}
		p.seen[from] = p.number
		return told
	}
	p.older = slices.DeleteFunc(p.older, func(v version) bool { return now-v.until > stale })
	allowed := slices.DeleteFunc(slices.Clone(p.older), func(v version) bool { return v.number < p.seen[from] })
	if i := p.random.IntN(len(allowed) + 1); i < len(allowed) {
		p.seen[from] = allowed[i].number
		return allowed[i].keys.answer(now, from, asked)
	}
	p.seen[from] = p.number
	return p.latest.answer(now, from, asked)
}

func (k keys) clone() keys {
	c := make(keys, len(k))
	for key, value := range k {
		c[key] = value
	}
	return c
}
