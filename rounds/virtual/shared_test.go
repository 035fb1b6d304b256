package virtual_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// global is a client that all machines share, as are http.DefaultClient and those that
// are variables of a package.
var global = &http.Client{Transport: &http.Transport{}}

// neighbour is a server that asks the other one with such a client, every tick.
type neighbour struct {
	machine *virtual.Machine
	server  *http.Server
	client  *http.Client
}

func (n *neighbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%s to %s", n.machine.Name(), r.RemoteAddr)
}

func (n *neighbour) Request(r system.Request) {
	for range 3 {
		answer, err := n.client.Get("http://" + r.Payload.(string))
		if err != nil {
			n.machine.Fact("failed", err.Error())
			continue
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		n.machine.Fact("answer", string(text))
		time.Sleep(30 * time.Millisecond)
	}
}

func (n *neighbour) Stop() { n.server.Close() }

// With the overlay each machine has connections of its own also where all of them use
// the same client: as it has in a program of its own.
func TestSharedClients(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	for name, client := range map[string]*http.Client{"default": http.DefaultClient, "global": global} {
		s := &system.System{
			Name: name, Processes: []string{"a", "b"}, Rounds: 60,
			New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
				n := &neighbour{machine: m, client: client}
				n.server = &http.Server{Addr: ":80", Handler: n}
				go n.server.ListenAndServe()
				return n, nil
			}}),
			Requests: []system.Request{{Round: 2, Process: "a", Payload: "b"}, {Round: 3, Process: "b", Payload: "b"}, {Round: 3, Process: "b", Payload: "a"}},
		}
		for _, schedule := range []string{"", "crash b@9; restart b@15"} {
			first := run(t, s, schedule)
			require.Contains(t, facts(first, "answer"), "b to 10.0.0.1:")
			require.Contains(t, facts(first, "answer"), "b to 10.0.0.2:")
			for range 5 {
				again := run(t, s, schedule)
				require.Equal(t, first.Facts, again.Facts, "%s: %s", name, schedule)
				require.Equal(t, first.Messages, again.Messages, "%s: %s", name, schedule)
			}
		}
	}
}

// With the overlay a server may ask for signals. It gets none.
func TestSignals(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	s := &system.System{
		Name: "signals", Processes: []string{"a", "b"}, Rounds: 5,
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			asked := make(chan os.Signal, 1)
			signal.Notify(asked, os.Interrupt)
			signal.Ignore(os.Interrupt)
			signal.Reset()
			m.Fact("ignored", signal.Ignored(os.Interrupt))
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			go func() {
				defer stop()
				select {
				case <-asked:
				case <-ctx.Done():
				case <-time.After(25 * time.Millisecond):
					m.Fact("waited")
				}
				signal.Stop(asked)
			}()
			return nothing{}, nil
		}}),
	}
	e := run(t, s, "")
	require.Equal(t, `("a")@3 ("b")@3`, facts(e, "waited"))
	require.Equal(t, `("a", "false")@1 ("b", "false")@1`, facts(e, "ignored"))
}
