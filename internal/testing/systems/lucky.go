package systems

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Why is what the systems say of themselves.
const Why = "the program is built without the overlay"

// Lucky returns a system in which b leads as well as a when it is isolated in round 2
// and in round 3, but only in the first so many of each 20 executions in which it is.
func Lucky(name string, of20 int64) *system.System {
	return isolated(name, func(n int64) bool { return n%20 < of20 })
}

// First is Lucky in the first such execution only.
func First(name string) *system.System {
	return isolated(name, func(n int64) bool { return n == 0 })
}

// Noisy is a system that does something else in every execution, and breaks nothing.
func Noisy(name string) *system.System {
	var executions atomic.Int64
	s := isolated(name, func(int64) bool { return false })
	s.New = func(name string, _ *rand.Rand) system.Process {
		return noisy{&process{name: name, leads: func() bool { return false }}, executions.Add(1)}
	}
	return s
}

// isolated returns a system in which b leads in those executions in which it is
// isolated, by their numbers from 0.
func isolated(name string, leads func(number int64) bool) *system.System {
	var number atomic.Int64
	return &system.System{
		Name: name, Processes: []string{"a", "b", "c"}, Rounds: 4,
		New: func(name string, _ *rand.Rand) system.Process {
			return &process{name: name, leads: func() bool { return leads(number.Add(1) - 1) }}
		},
		Properties: []property.Property{property.UniquePerTerm("leader")},
		Faults:     rounds.Bounds{Isolations: 2, Period: 1},
	}
}

type process struct {
	name  string
	alone int // rounds
	leads func() bool
}

func (*process) Machine() system.Machine { return system.Machine{Inexact: Why} }

func (p *process) Send(s *system.Step) { s.Broadcast("hello") }

func (p *process) Receive(s *system.Step, inbox []system.Message) {
	switch {
	case p.name == "a" && s.Round() == 1:
		s.Fact("leader", 1)
	case p.name == "b" && len(inbox) == 0 && (s.Round() == 2 || s.Round() == 3):
		if p.alone++; p.alone == 2 && p.leads() {
			s.Fact("leader", 1)
		}
	}
}

type noisy struct {
	*process
	number int64
}

func (p noisy) Send(s *system.Step) { s.Broadcast(p.number) }
