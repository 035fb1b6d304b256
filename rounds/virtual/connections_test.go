package virtual_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// echo is a server that asks the server of process b for what a client asks of it, over
// a connection for each request, as unchanged code does.
type echo struct {
	machine  *virtual.Machine
	listener net.Listener
}

func startEcho(m *virtual.Machine) (virtual.Server, error) {
	l, err := m.Listen("tcp", ":80")
	e := &echo{m, l}
	go http.Serve(l, e)
	return e, err
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%s has %s", e.machine.Name(), r.URL.Path)
}

func (e *echo) Request(q system.Request) {
	client := http.Client{Transport: &http.Transport{DialContext: e.machine.DialContext, DisableKeepAlives: true}, Timeout: 250 * time.Millisecond}
	answer, err := client.Get("http://b/" + q.Payload.(string))
	if err != nil {
		e.machine.Reply(q, "failed")
		return
	}
	defer answer.Body.Close()
	text, _ := bufio.NewReader(answer.Body).ReadString('\n')
	e.machine.Reply(q, text)
}

func (e *echo) Stop() { e.listener.Close() }

// A client and a server of net/http talk: what is lost is sent again, and a server that
// crashed refuses.
func TestConnections(t *testing.T) {
	s := &system.System{
		Name: "echo", Processes: []string{"a", "b"}, Rounds: 40, New: virtual.New(virtual.Options{Start: startEcho}),
		Requests: []system.Request{{Round: 1, Process: "a", Payload: "x"}},
	}
	for schedule, reply := range map[string]string{
		"":                            `("a", 1, "b has /x")@4`,
		"omit a>b@1":                  `("a", 1, "b has /x")@5`,
		"omit a>b@1; omit b>a@3":      `("a", 1, "b has /x")@6`,
		"crash b@3; restart b@4":      `("a", 1, "failed")@5`,
		"crash b@2":                   `("a", 1, "failed")@25`,
		"crash a@3; restart a@4":      "",
		"pause b@2..9; isolate a@10":  `("a", 1, "b has /x")@13`,
		"isolate a@1..25; crash b@30": `("a", 1, "failed")@25`,

		"latency a>b 2":                       `("a", 1, "b has /x")@8`,
		"latency a>b 1,b>a 2":                 `("a", 1, "b has /x")@10`,
		"latency a>b 1,b>a 2; omit a>b@1":     `("a", 1, "b has /x")@12`,
		"latency a>b 1,b>a 2; isolate a@6..8": `("a", 1, "b has /x")@14`,
		"start b@5":                           `("a", 1, "failed")@2`,
		"start a@5":                           `("a", 1, "b has /x")@8`,
	} {
		e := run(t, s, schedule)
		require.Equal(t, reply, facts(e, "reply"), schedule)
	}
	once := map[string]bool{} // what is on its way is not sent again
	for _, m := range run(t, s, "latency a>b 2,b>a 2").Messages {
		text := fmt.Sprint(m.From, m.Relation, m.Args)
		require.False(t, once[text], m)
		once[text] = true
	}
}
