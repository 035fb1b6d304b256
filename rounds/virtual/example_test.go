package virtual_test

import (
	"context"
	"net"
	"os"
	"sync"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// register is a server as engineers write it: it keeps a value, and tells the others
// when a client stores one.
type register struct {
	machine *virtual.Machine
	conn    net.PacketConn
	mutex   sync.Mutex
	value   string
}

func start(m *virtual.Machine) (virtual.Server, error) {
	conn, err := m.ListenPacket("udp", ":7000")
	if err != nil {
		return nil, err
	}
	r := &register{machine: m, conn: conn}
	go r.listen()
	return r, nil
}

// listen takes what the others tell.
func (r *register) listen() {
	var b [100]byte
	for {
		n, _, err := r.conn.ReadFrom(b[:])
		if err != nil {
			return
		}
		r.store(string(b[:n]))
	}
}

func (r *register) store(value string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.value = value
}

func (r *register) Request(q system.Request) {
	r.store(q.Payload.(string))
	for _, name := range r.machine.Names() {
		if name != r.machine.Name() {
			ip, _ := r.machine.Lookup(name)
			r.conn.WriteTo([]byte(q.Payload.(string)), &net.UDPAddr{IP: ip, Port: 7000})
		}
	}
	r.machine.Reply(q, "stored")
}

func (r *register) Report(m *virtual.Machine) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.value != "" {
		m.Fact("stored", r.value)
	}
}

func (r *register) Stop() { r.conn.Close() }

// Registers is what ldfitest.Run searches, or a host serves by wire.Serve.
func Registers() *system.System {
	return &system.System{
		Name: "registers", Processes: []string{"a", "b", "c"}, Rounds: 3,
		New:      virtual.New(virtual.Options{Start: start, Text: func(b []byte) string { return string(b) }}),
		Requests: []system.Request{{Round: 1, Process: "a", Payload: "hello"}},
	}
}

func Example() {
	schedule, err := rounds.ParseSchedule("omit a>b@1")
	if err != nil {
		panic(err)
	}
	execution, err := Registers().Run(context.Background(), schedule, system.RunOptions{})
	if err != nil {
		panic(err)
	}
	execution.Inexact = "" // it says so where the program is built without ldfi overlay
	if err := diagram.Write(os.Stdout, execution, diagram.Options{}); err != nil {
		panic(err)
	}
	// Output:
	// round  a              b              c              client
	//                                                     of a
	//   1    │◀─────────────┼──────────────┼─── 1: hello ─┤
	//        ├─ hello ─────✗┼─────────────▶│              │   lost: omit a>b@1
	//        ├─ 1: stored ──┼──────────────┼─────────────▶│
	//   2    │              │              │              │
	//   ⋮
	//        ─✗ lost   ⋮ as the round before
}
