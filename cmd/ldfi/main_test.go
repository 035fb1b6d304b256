package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/mirror"
	"github.com/lineage-driven/ldfi/examples/notes"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts and the documentation")

// TestMain makes this program the command ldfi, and hosts, for scripts and processes that
// the tests start. What is tested in parallel mostly waits for those.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == ldfi { // no command of testscript, whose scripts have "ldfi" carried out in their process
		os.Exit(watchedMain())
	}
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	testscript.Main(watched{m}, map[string]func(){
		"election-host": func() { serve(election.Buggy(), election.Fixed()) },
		"mirror-host":   func() { serve(mirror.Hasty(), mirror.Patient()) },
		"tickets-host":  func() { serve(tickets.Hasty(), tickets.Careful()) },
		"examples-host": func() {
			serve(election.Buggy(), election.Fixed(), replog.Buggy(), replog.Fixed(), cassandra.Buggy(), cassandra.Fixed())
		},
		"endless-host":   serveEndless,
		"failing-host":   serveFailing,
		"forgetful-host": func() { serve(forgetful()) },
		"heirs-host":     serveHeirs,
		"hostile-host":   func() { serve(hostileSystem()) },
		"machine-host":   func() { serve(keepers()) },
		"late-host":      func() { serve(followers("late", false), followers("brittle", true)) },
		"linear-host":    func() { serve(linearSystem("fresh", false), linearSystem("stale", true), linearSystem("slow", false)) },
		"notes-host":     func() { serve(notes.System("notes", false), notes.System("notes-careless", true)) },
		"signal-host":    func() { serve(signalling()) },
		"fake-cluster":   fakeCluster,
		"lucky-host": func() { // which breaks in so many of 20 executions
			luck := int64(14)
			if os.Getenv("LDFI_TEST_LUCK") == "0" {
				luck = 0
			}
			serve(systems.Lucky("lucky", luck), systems.Lucky("always", 20), calm(systems.Lucky("never", 0)), systems.First("first"), systems.Noisy("noisy"),
				systems.Racing("racing", true))
		},
	})
}

// serve makes this program the host of systems.
func serve(systems ...*system.System) {
	if err := wire.Serve(systems...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// forgetful is a system that does not do the same twice.
func forgetful() *system.System {
	calls := 0
	return &system.System{
		Name: "forgetful", Processes: []string{"a"}, Rounds: 2,
		New:        func(string, *rand.Rand) system.Process { return &counter{&calls} },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
}

// counter is a process that counts across executions.
type counter struct{ calls *int }

func (c *counter) Send(s *system.Step)                    { *c.calls++; s.Fact("calls", *c.calls) }
func (c *counter) Receive(*system.Step, []system.Message) {}

// signalling is a system whose host sends the program that started it the signal
// in LDFI_TEST_SIGNAL, in the first execution.
func signalling() *system.System {
	sender := &signaller{name: os.Getenv("LDFI_TEST_SIGNAL")}
	return &system.System{
		Name: "signalling", Processes: []string{"a", "b"}, Rounds: 2,
		New:        func(string, *rand.Rand) system.Process { return sender },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
}

type signaller struct {
	name string
	once sync.Once
}

func (s *signaller) Send(*system.Step) {
	s.once.Do(func() {
		parent, err := os.FindProcess(os.Getppid())
		signals := map[string]os.Signal{"interrupt": os.Interrupt, "kill": os.Kill}
		if signal, ok := signals[s.name]; ok && err == nil {
			_ = parent.Signal(signal)
		}
	})
}

func (s *signaller) Receive(*system.Step, []system.Message) {}

// calm is the system with a last round in which nothing fails.
func calm(s *system.System) *system.System {
	s.Faults.FaultFree = 1
	return s
}
