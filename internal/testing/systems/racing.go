package systems

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Racing returns a system whose processes have goroutines: b leads as well as a when it
// is isolated in round 2, in one of four orders of goroutines if it races, else in all.
func Racing(name string, races bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b", "c"}, Rounds: 4,
		New:        func(name string, _ *rand.Rand) system.Process { return &racing{name, races} },
		Properties: []property.Property{property.UniquePerTerm("leader")},
		Faults:     rounds.Bounds{Isolations: 2, Period: 1},
	}
}

type racing struct {
	name  string
	races bool
}

func (*racing) Machine() system.Machine { return system.Machine{Goroutines: true, Single: true} }

func (p *racing) Send(s *system.Step) { s.Broadcast("hello") }

func (p *racing) Receive(s *system.Step, inbox []system.Message) {
	order := s.Conditions().Goroutines
	switch {
	case p.name == "a" && s.Round() == 1:
		s.Fact("leader", 1)
	case p.name == "b" && s.Round() == 2 && len(inbox) == 0 && (!p.races || order.Given && order.Value%4 == 1):
		s.Fact("leader", 1)
	}
}
