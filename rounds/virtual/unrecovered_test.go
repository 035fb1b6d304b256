package virtual_test

import (
	"log"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// With the overlay a goroutine of the server that panics or ends the program ends its
// process, and the others go on.
func TestUnrecovered(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	log.SetOutput(discard{})
	defer log.SetOutput(os.Stderr)
	for name, story := range map[string]struct {
		does                  func()
		property, text, stack string
	}{
		"panic": {oh, "no panic", "process a panics in round 2: oh", "virtual_test.oh at virtual/failures_test.go:"},
		"exit":  {func() { os.Exit(3) }, "no exit", "process a ends its program in round 2: os.Exit(3)", "virtual_test.TestUnrecovered."},
		"fatal": {func() { log.Fatal("oh") }, "no exit", "process a ends its program in round 2: os.Exit(1)", "log.Fatal at log/log.go:"},
		"nil":   {func() { assign(nil) }, "no panic", "process a panics in round 2: assignment to entry in nil map", "virtual_test.assign at "},
	} {
		t.Run(name, func(t *testing.T) {
			s := fragiles(func(_ *virtual.Machine, f *fragile) error {
				f.request = func() { go story.does() }
				return nil
			})
			target, err := search.NewTarget(s, nil)
			require.NoError(t, err)
			executor, err := target.Open(0, true)
			require.NoError(t, err)
			e, violations, err := executor.Execute(t.Context(), rounds.Schedule{})
			require.NoError(t, err)
			require.Equal(t, `("b")@1 ("b")@2 ("b")@3 ("b")@4`, alive(e, "b"))
			require.Equal(t, `("a")@1`, alive(e, "a"))
			require.Len(t, violations, 1)
			require.Equal(t, story.property, violations[0].Property)
			require.Equal(t, story.text, violations[0].Text)
			require.Contains(t, violations[0].Stack[0], story.stack)
		})
	}
}

func assign(m map[string]int) { m["a"] = 1 }

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// unchanged is a server that knows nothing of machines.
type unchanged struct{ server *http.Server }

func (u *unchanged) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _ := os.Hostname()
	w.Write([]byte("this is " + name))
}

func (u *unchanged) Stop() { u.server.Close() }

// asks is unchanged, with clients that ask by package net/http.
type asks struct {
	*unchanged
	machine *virtual.Machine
}

func (a *asks) Request(r system.Request) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://b:8080/")
	if err != nil {
		a.machine.Reply(r, err.Error())
		return
	}
	defer answer.Body.Close()
	var b [100]byte
	n, _ := answer.Body.Read(b[:])
	a.machine.Reply(r, string(b[:n]))
}

// With the overlay net.Listen, net.Dial and net/http work in code that nobody changed.
func TestUnchanged(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	s := &system.System{
		Name: "unchanged", Processes: []string{"a", "b"}, Rounds: 10, Requests: []system.Request{{Round: 1, Process: "a", Payload: "x"}},
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			l, err := net.Listen("tcp", ":8080")
			if err != nil {
				return nil, err
			}
			u := &unchanged{}
			u.server = &http.Server{Handler: u}
			go u.server.Serve(l)
			return &asks{u, m}, nil
		}}),
	}
	require.Equal(t, `("a", 1, "this is b")@4`, facts(run(t, s, ""), "reply"))
	require.Equal(t, `("a", 1, "this is b")@6`, facts(run(t, s, "omit a>b@1; omit b>a@3"), "reply"))
}
