// Command sharedhost has servers that hand out numbers. Those of the system shared count
// in a variable of the package, so that a number is never handed out by two of them, and
// each misses those of the other; those of the system own count for themselves.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// handed is how many numbers were handed out.
var handed int

func main() {
	if err := wire.Serve(numbers("shared", true), numbers("own", false), cutOff()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func numbers(name string, shared bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b"}, Rounds: 4,
		Faults: rounds.Bounds{Isolations: 1, Period: 2},
		New:    virtual.New(virtual.Options{Start: func(*virtual.Machine) (virtual.Server, error) { return &server{shared: shared}, nil }}),
		Properties: []property.Property{rules.New("one number a round", `
			violation(P, K) :- has(P, K, N), :lt(N, K).`)},
	}
}

type server struct {
	shared bool
	handed int
}

// Report hands out a number in each round.
func (s *server) Report(m *virtual.Machine) {
	if !s.shared {
		s.handed++
		m.Fact("has", s.handed)
		return
	}
	handed++
	m.Fact("has", handed)
}

func (s *server) Stop() {}

// cutOff has servers that count in the variable of the package, and a property that nothing
// but a fault breaks.
func cutOff() *system.System {
	s := numbers("cut off", true)
	s.Properties = []property.Property{rules.New("nobody is isolated", `
		violation(P, R) :- isolated(P, R).`)}
	return s
}
