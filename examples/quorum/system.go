package quorum

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
)

var names = []string{"a", "b", "c"}

// Hasty and Careful return three servers and a client: a hasty server answers from what
// it has itself.
func Hasty() *system.System   { return counters("quorum-hasty", false) }
func Careful() *system.System { return counters("quorum", true) }

func counters(name string, careful bool) *system.System {
	return &system.System{
		Name: name, Processes: append([]string{"client"}, names...), Rounds: 90,
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			if m.Name() == "client" {
				return newClient(m)
			}
			return newServer(m, careful)
		}}),
		Requests: []system.Request{
			{Round: 10, Process: "client", Payload: "Add"},
			{Round: 50, Process: "client", Payload: "Value"},
		},
		Properties: []property.Property{{Name: "no update is lost", Func: lost, FactsOnly: true}},
		Faults:     rounds.Bounds{Isolations: 1, Period: 20, Crashes: 1, NeverCrash: []string{"client"}, EFF: 41},
	}
}

// lost compares the values that clients read with the number of updates that had been
// acknowledged before.
func lost(e *recording.Execution) []result.Violation {
	acknowledged := 0
	for _, f := range e.Facts {
		if f.Relation != "reply" {
			continue
		}
		value, err := strconv.Atoi(f.Args[2].Text())
		if err != nil || value < acknowledged {
			return []result.Violation{{Text: fmt.Sprintf("%d updates were acknowledged, but the value is %s", acknowledged, f.Args[2].Text()), Fact: f}}
		}
		acknowledged++
	}
	return nil
}

// connect returns a connection to the server of another machine.
func connect(m *virtual.Machine, name string) (*grpc.ClientConn, error) {
	c, err := grpc.NewClient("passthrough:///"+name+":80",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return m.DialContext(ctx, "tcp", address)
		}))
	if err == nil {
		c.Connect()
	}
	return c, err
}

// connections returns connections to all servers but that of the machine.
func connections(m *virtual.Machine) (all []*grpc.ClientConn, err error) {
	for _, name := range names {
		if name == m.Name() {
			continue
		}
		c, err := connect(m, name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// server is a Server on a machine.
type server struct{ *Server }

func newServer(m *virtual.Machine, careful bool) (virtual.Server, error) {
	l, err := m.Listen("tcp", ":80")
	if err != nil {
		return nil, err
	}
	others, err := connections(m)
	if err != nil {
		return nil, err
	}
	s := &server{&Server{Others: others, Timeout: 80 * time.Millisecond, Careful: careful}}
	go s.Serve(l)
	return s, nil
}

// Report tells the value at the end of each round.
func (s *server) Report(m *virtual.Machine) { m.Fact("value", s.Last()) }

// client is a Client on a machine.
type client struct {
	*Client
	machine *virtual.Machine
	end     context.CancelFunc
	context context.Context
}

func newClient(m *virtual.Machine) (virtual.Server, error) {
	servers, err := connections(m)
	if err != nil {
		return nil, err
	}
	c := &client{machine: m, Client: NewClient(200*time.Millisecond, servers...)}
	c.context, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Request does what a user asks of the client.
func (c *client) Request(r system.Request) {
	if value, err := c.Ask(c.context, r.Payload.(string)); err == nil {
		c.machine.Reply(r, value)
	}
}

func (c *client) Stop() {
	c.end()
	c.Close()
}
