package ldfitest

import (
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// ends are what servers do that ends a program without the overlay.
var ends = map[string]func(){
	"exit":    func() { os.Exit(3) },
	"panic":   func() { go func() { panic("nobody recovers this") }() },
	"network": func() { _, _ = http.Get("http://b/") },
	"nothing": func() {},
}

// ending says, in the environment, which of them the server of TestServer does.
const ending = "LDFITEST_ENDING"

type ender struct {
	machine *virtual.Machine
	ends    func()
}

func (e *ender) Stop()                   {}
func (e *ender) Request(system.Request)  { e.ends() }
func (e *ender) Report(*virtual.Machine) { e.machine.Fact("leader", e.machine.Round()) }

// server is a server that does one of them when it is asked.
func server(ends func()) *system.System {
	return &system.System{
		Name: "ender", Processes: []string{"a", "b"}, Rounds: 4,
		Requests: []system.Request{{Round: 2, Process: "a", Payload: "end"}},
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			return &ender{m, ends}, nil
		}}),
		Properties: []property.Property{property.Agreement("decided")},
	}
}

func TestServer(t *testing.T) {
	end := ends[os.Getenv(ending)]
	if end == nil {
		t.Skip("it is for TestWithoutOverlay")
	}
	Run(t, server(end), Executions(5))
}

// A server that ends the program for want of the overlay ends no test program: the failure
// names the system, and the command that can run it.
func TestWithoutOverlay(t *testing.T) {
	if bubble.Exact() {
		t.Skip("these tests are built with it")
	}
	for kind := range ends {
		t.Run(kind, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServer$")
			c.Env = append(os.Environ(), ending+"="+kind)
			out, err := c.CombinedOutput()
			if kind == "nothing" {
				require.NoError(t, err, string(out))
				require.Equal(t, "PASS\n", string(out))
				return
			}
			require.Error(t, err)
			require.Regexp(t, `ending_test.go:\d+: without any fault, a server of the system "ender" ends the program \(.*\); go test alone cannot run .*; this command can: ldfi test -run '\^TestServer\$' \S+/ldfitest\n`, string(out))
			require.NotContains(t, string(out), "goroutine ", "the runtime says nothing")
		})
	}
}

// A server that hangs may do so for want of the overlay, which the failure says.
func TestHangWithoutOverlay(t *testing.T) {
	if bubble.Exact() {
		t.Skip("these tests are built with it")
	}
	need := needed(server(func() {}), "go test -run x ./p")
	err := &hangError{place: &execution.CallPlace{}, command: "go test -run x ./p", overlay: need}
	require.Contains(t, err.Error(), "\n  overlay go test alone cannot run ")
	require.Contains(t, err.Error(), " this command can: ldfi test -run x ./p\n")
	require.NotContains(t, (&hangError{place: &execution.CallPlace{}}).Error(), "overlay")
}
