package maelstrom

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	node "github.com/jepsen-io/maelstrom/demo/go"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// maelstromServices are those that Maelstrom has.
var maelstromServices = []string{node.LinKV, linTSO, node.LWWKV, node.SeqKV}

// linTSO is the service that counts.
const linTSO = "lin-tso"

// service is a machine that the nodes ask.
type service struct {
	conn  net.PacketConn
	store interface {
		// answer does what a node asks, or says why not.
		answer(from string, asked Body) Body
	}
}

// startService starts the service that has the name of the machine.
func (*cluster) startService(m *virtual.Machine) (virtual.Server, error) {
	conn, err := m.ListenPacket("udp", fmt.Sprint(":", port))
	if err != nil {
		return nil, err
	}
	s := &service{conn: conn}
	switch m.Name() {
	case node.LinKV:
		s.store = keys{}
	case node.SeqKV:
		s.store = &past{random: m.Random(), latest: keys{}, seen: map[string]int{}}
	case node.LWWKV:
		s.store = newReplicas(m.Random())
	case linTSO:
		s.store = new(oracle)
	default:
		return nil, fmt.Errorf("%s is none of the services %s", m.Name(), strings.Join(maelstromServices, ", "))
	}
	go s.serve()
	return s, nil
}

// serve answers until the machine stops.
func (s *service) serve() {
	b := make([]byte, 1<<16)
	for {
		n, from, err := s.conn.ReadFrom(b)
		if err != nil {
			return
		}
		var m struct {
			Src, Dest string
			Body      Body
		}
		if decode(b[:n], &m) != nil || m.Body["in_reply_to"] != nil {
			continue
		}
		told := s.store.answer(m.Src, m.Body)
		told["in_reply_to"] = m.Body["msg_id"]
		line := compact(node.Message{Src: m.Dest, Dest: m.Src, Body: json.RawMessage(compact(told))})
		if _, err := s.conn.WriteTo([]byte(line), from); err != nil {
			return
		}
	}
}

// Stop ends the service.
func (s *service) Stop() { s.conn.Close() }

// refusal is an error of the protocol.
func refusal(code int, text string) Body { return Body{"type": "error", "code": code, "text": text} }

// oracle gives everybody who asks the next number, from 0.
type oracle struct{ next int }

func (o *oracle) answer(_ string, asked Body) Body {
	if asked.Type() != "ts" {
		return refusal(node.NotSupported, asked.Type()+" is not ts")
	}
	o.next++
	return Body{"type": "ts_ok", "ts": o.next - 1}
}

// keys are values by keys, both as JSON: linearizable, as every operation happens
// when it arrives.
type keys map[string]string

func (k keys) answer(_ string, asked Body) Body {
	key := compact(asked["key"])
	value, has := k[key]
	switch asked.Type() {
	case "read":
		if !has {
			return refusal(node.KeyDoesNotExist, "there is no key "+key)
		}
		return Body{"type": "read_ok", "value": json.RawMessage(value)}
	case "write":
		k[key] = compact(asked["value"])
		return Body{"type": "write_ok"}
	case "cas":
		switch {
		case !has && asked["create_if_not_exists"] != true:
			return refusal(node.KeyDoesNotExist, "there is no key "+key)
		case has && value != compact(asked["from"]):
			return refusal(node.PreconditionFailed, fmt.Sprintf("key %s has the value %s, not %s", key, value, compact(asked["from"])))
		}
		k[key] = compact(asked["to"])
		return Body{"type": "cas_ok"}
	}
	return refusal(node.NotSupported, asked.Type()+" is none of read, write and cas")
}

// past is sequentially consistent: writes happen when they arrive, reads may be told
// what was true before, but nobody is told what is older than what they were told or
// have written.
type past struct {
	random interface{ IntN(int) int }
	latest keys
	older  []version      // that somebody may still be told, the newest last
	seen   map[string]int // the number of the newest version that each node knows of
	now    int            // the number of the latest
}

// version is what was true until some time.
type version struct {
	number int
	until  time.Time
	keys   keys
}

// stale is how old something is at most that a read is told.
const stale = time.Second

func (p *past) answer(from string, asked Body) Body {
	if asked.Type() != "read" {
		before := p.latest.clone()
		told := p.latest.answer(from, asked)
		if told.Type() != "error" {
			p.older = append(p.older, version{p.now, time.Now(), before})
			p.now++
		}
		p.seen[from] = p.now
		return told
	}
	p.older = slices.DeleteFunc(p.older, func(v version) bool { return time.Since(v.until) > stale })
	allowed := slices.DeleteFunc(slices.Clone(p.older), func(v version) bool { return v.number < p.seen[from] })
	if i := p.random.IntN(len(allowed) + 1); i < len(allowed) {
		p.seen[from] = allowed[i].number
		return allowed[i].keys.answer(from, asked)
	}
	p.seen[from] = p.now
	return p.latest.answer(from, asked)
}

func (k keys) clone() keys {
	c := make(keys, len(k))
	for key, value := range k {
		c[key] = value
	}
	return c
}
