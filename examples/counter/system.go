package counter

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Hasty and Strict return two servers and a client: hasty servers go on alone when they
// do not reach each other.
func Hasty() *system.System  { return counters("counter-hasty", hasty, over) }
func Strict() *system.System { return counters("counter", strict, over) }

// Unchanged returns hasty servers that listen and dial by themselves, with net.Listen
// and an http.Client of their own. That takes a program that is built with the overlay
// of the standard library.
func Unchanged() *system.System {
	return counters("counter-unchanged", func(m *virtual.Machine, s *Server) error {
		go s.ListenAndServe(":80")
		return nil
	}, func(*virtual.Machine) *http.Client { return &http.Client{Transport: &http.Transport{}} })
}

// serve starts a server on its machine.
type serve func(m *virtual.Machine, s *Server) error

func hasty(m *virtual.Machine, s *Server) error {
	l, err := m.Listen("tcp", ":80")
	if err == nil {
		go s.Serve(l)
	}
	return err
}

func strict(m *virtual.Machine, s *Server) error {
	s.Strict = true
	return hasty(m, s)
}

// over returns a client whose connections are those of a machine.
func over(m *virtual.Machine) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: m.DialContext}}
}

func counters(name string, start serve, clients func(*virtual.Machine) *http.Client) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b", "client"}, Rounds: 90,
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			if m.Name() == "client" {
				return newClient(m, clients(m)), nil
			}
			other := map[string]string{"a": "b", "b": "a"}[m.Name()]
			s := &server{&Server{Other: other, Client: clients(m), Timeout: 80 * time.Millisecond}}
			return s, start(m, s.Server)
		}}),
		Requests: []system.Request{
			{Round: 1, Process: "client", Payload: "add"},
			{Round: 24, Process: "client", Payload: "add"},
			{Round: 50, Process: "client", Payload: "value"},
		},
		Properties: []property.Property{{Name: "no update is lost", Func: lost, FactsOnly: true}},
		Faults:     rounds.Bounds{Isolations: 1, Period: 20, Crashes: 1, NeverCrash: []string{"client"}, EFF: 60},
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

// server is a Server on a machine.
type server struct{ *Server }

func (s *server) Stop() { s.Close() }

// Report tells the value at the end of each round.
func (s *server) Report(m *virtual.Machine) { m.Fact("value", s.Value()) }

// client is a Client on a machine.
type client struct {
	*Client
	machine *virtual.Machine
	end     context.CancelFunc
	context context.Context
}

func newClient(m *virtual.Machine, over *http.Client) *client {
	c := &client{machine: m, Client: NewClient(over, 200*time.Millisecond, "a", "b")}
	c.context, c.end = context.WithCancel(context.Background())
	return c
}

// Request does what a user asks of the client.
func (c *client) Request(r system.Request) {
	ask := map[string]func(context.Context) (int, error){"add": c.Add, "value": c.Value}[r.Payload.(string)]
	if value, err := ask(c.context); err == nil {
		c.machine.Reply(r, value)
	}
}

func (c *client) Stop() {
	c.end()
	c.Client.Client.CloseIdleConnections()
}
