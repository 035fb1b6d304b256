package virtual_test

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// A set that is replicated: whoever is asked to add a value stores it, and tells the
// others every second round until they have acknowledged it; then the client gets its
// answer. It is written twice, as a state machine and as a server with goroutines,
// and there are ways to get it wrong.
type wrong struct {
	Hasty   bool // the client is answered when one of the others has acknowledged
	Once    bool // the others are told once
	Forgets bool // what others tell is not written to the disk
}

func replicated(processes int, w wrong, forms func(w wrong) func(string, *rand.Rand) system.Process) *system.System {
	return &system.System{
		Name: "replicated", Processes: []string{"a", "b", "c", "d"}[:processes], Rounds: 6, Fixed: true, New: forms(w),
		Requests: []system.Request{{Round: 1, Process: "a", Payload: "red"}, {Round: 2, Process: "b", Payload: "blue"}},
		Properties: []property.Property{
			rules.New("stored", `violation(P, X, M) :- request(R, I, X, _), reply(R, I, "ok", N), serves(P, M), M > N, !has(P, X, M).`),
			rules.New("answered", `pre(X) :- request(_, _, X, 1). post(X) :- request(R, I, X, _), reply(R, I, "ok", _).`),
		},
	}
}

// machineForm is the state machine.
type machineForm struct {
	wrong
	name   string
	names  []string
	stored map[string]bool // on the disk
	has    map[string]bool
	open   []*order
	acks   []system.Message // to be sent
}

// order is what a client has asked for.
type order struct {
	Request system.Request
	Age     int
	Acked   map[string]bool
}

func (w wrong) enough(acked, processes int) bool {
	return acked == processes-1 || w.Hasty && acked > 0
}

func asMachine(w wrong) func(string, *rand.Rand) system.Process {
	return func(name string, _ *rand.Rand) system.Process {
		return &machineForm{wrong: w, name: name, stored: map[string]bool{}, has: map[string]bool{}}
	}
}

func (p *machineForm) Send(s *system.Step) {
	p.names = s.Processes()
	for _, m := range p.acks {
		s.Send(m.From, m.Payload)
	}
	p.acks = nil
	for _, r := range s.Requests() {
		p.has[r.Payload.(string)], p.stored[r.Payload.(string)] = true, true
		p.open = append(p.open, &order{Request: r, Acked: map[string]bool{}})
		p.tell(s, p.open[len(p.open)-1])
	}
	for _, o := range p.open {
		if o.Age++; o.Age%2 == 0 && !p.Once {
			p.tell(s, o)
		}
	}
}

func (p *machineForm) tell(s *system.Step, o *order) {
	for _, name := range p.names {
		if name != p.name && !o.Acked[name] {
			s.Send(name, "set "+o.Request.Payload.(string))
		}
	}
}

func (p *machineForm) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		switch verb, value, _ := strings.Cut(m.Payload.(string), " "); verb {
		case "set":
			p.has[value] = true
			p.stored[value] = p.stored[value] || !p.Forgets
			p.acks = append(p.acks, system.Message{From: m.From, Payload: "ack " + value})
		case "ack":
			for _, o := range p.open {
				if o.Request.Payload == value {
					o.Acked[m.From] = true
				}
			}
		}
	}
	p.open = slices.DeleteFunc(p.open, func(o *order) bool {
		done := p.enough(len(o.Acked), len(p.names))
		if done {
			s.Reply(o.Request, "ok")
		}
		return done
	})
	report(s.Fact, p.has)
}

func report(fact func(string, ...any), has map[string]bool) {
	fact("serves")
	for _, value := range slices.Sorted(maps.Keys(has)) {
		fact("has", value)
	}
}

func (p *machineForm) Restart(*system.Step) {
	p.open, p.acks, p.has = nil, nil, map[string]bool{}
	for value, ok := range p.stored {
		if ok {
			p.has[value] = true
		}
	}
}

// The state machine has states that can be kept and named.
func (p *machineForm) Snapshot() any {
	c := *p
	c.stored, c.has, c.acks, c.open = maps.Clone(p.stored), maps.Clone(p.has), slices.Clone(p.acks), nil
	for _, o := range p.open {
		c.open = append(c.open, &order{o.Request, o.Age, maps.Clone(o.Acked)})
	}
	return &c
}

func (p *machineForm) Restore(snapshot any) {
	*p = *snapshot.(*machineForm).Snapshot().(*machineForm)
}

func (p *machineForm) Fingerprint() string {
	text := fmt.Sprint(p.stored, p.has, p.acks)
	for _, o := range p.open {
		text += fmt.Sprint(*o)
	}
	return text
}

// serverForm is the server.
type serverForm struct {
	wrong
	machine *virtual.Machine
	conn    net.PacketConn
	done    chan struct{}

	mutex sync.Mutex
	has   map[string]bool
	open  map[string]*waiting // values that clients wait for
}

// waiting is what a goroutine waits for.
type waiting struct {
	acks  chan string
	acked map[string]bool
	since time.Time
}

func asServer(w wrong) func(string, *rand.Rand) system.Process {
	return virtual.New(virtual.Options{Disk: true, Fingerprint: fingerprint, Start: func(m *virtual.Machine) (virtual.Server, error) {
		conn, err := m.ListenPacket("udp", ":7000")
		if err != nil {
			return nil, err
		}
		p := &serverForm{wrong: w, machine: m, conn: conn, done: make(chan struct{}), has: map[string]bool{}, open: map[string]*waiting{}}
		if f, err := m.Disk().Open("set"); err == nil {
			b, err := io.ReadAll(f)
			if err != nil {
				return nil, err
			}
			for _, value := range strings.Fields(string(b)) {
				p.has[value] = true
			}
		}
		go p.listen()
		return p, nil
	}})
}

// write adds a value to the set, on the disk too if it should be.
func (p *serverForm) write(value string, durable bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.has[value] = true
	if !durable {
		return
	}
	f, err := p.machine.Disk().OpenFile("set", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(f, value)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = p.machine.Disk().SyncDir("/")
	}
	if err != nil {
		panic(err)
	}
}

func (p *serverForm) listen() {
	b := make([]byte, 1000)
	for {
		n, from, err := p.conn.ReadFrom(b)
		if err != nil {
			return
		}
		switch verb, value, _ := strings.Cut(string(b[:n]), " "); verb {
		case "set":
			p.write(value, !p.Forgets)
			_, _ = p.conn.WriteTo([]byte("ack "+value), from)
		case "ack":
			p.mutex.Lock()
			w := p.open[value]
			p.mutex.Unlock()
			if w != nil {
				w.acks <- from.String()
			}
		}
	}
}

func (p *serverForm) Request(r system.Request) {
	value := r.Payload.(string)
	p.write(value, true)
	w := &waiting{make(chan string, 100), map[string]bool{}, time.Now()}
	p.mutex.Lock()
	p.open[value] = w
	p.mutex.Unlock()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	p.tell(value, w.acked)
	for !p.enough(len(w.acked), len(p.machine.Names())) {
		select {
		case from := <-w.acks:
			w.acked[from] = true
		case <-ticker.C:
			if !p.Once {
				p.tell(value, w.acked)
			}
		case <-p.done:
			return
		}
	}
	p.mutex.Lock()
	delete(p.open, value)
	p.mutex.Unlock()
	p.machine.Reply(r, "ok")
}

// fingerprint says where the goroutines are.
func fingerprint(s virtual.Server) string {
	p := s.(*serverForm)
	name := fmt.Sprint(p.has)
	for _, value := range slices.Sorted(maps.Keys(p.open)) {
		w := p.open[value]
		name += fmt.Sprint(" ", value, w.acked, time.Since(w.since)%(20*time.Millisecond))
	}
	return name
}

// plain hides that a server runs on a machine whose executions may differ, which those
// of this one do not.
type plain struct{ server }

type server interface {
	system.Process
	system.Restarter
	system.Crasher
	system.Closer
	system.Fingerprinter
}

func asPlain(w wrong) func(string, *rand.Rand) system.Process {
	start := asServer(w)
	return func(name string, random *rand.Rand) system.Process { return plain{start(name, random).(server)} }
}

func (p *serverForm) tell(value string, acked map[string]bool) {
	for _, name := range p.machine.Names() {
		ip, _ := p.machine.Lookup(name)
		to := &net.UDPAddr{IP: ip, Port: 7000}
		if name != p.machine.Name() && !acked[to.String()] {
			_, _ = p.conn.WriteTo([]byte("set "+value), to)
		}
	}
}

func (p *serverForm) Report(m *virtual.Machine) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	report(m.Fact, p.has)
}

func (p *serverForm) Stop() {
	close(p.done)
	_ = p.conn.Close()
}
