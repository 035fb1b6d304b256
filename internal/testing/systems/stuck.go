package systems

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Stuck returns a system in which everybody is to be done: b is done late, in round 6 of
// 4, if it is isolated in round 2, and never in the first so many of each 20 executions
// in which it is, however long they are.
func Stuck(name string, of20 int64) *system.System {
	var number atomic.Int64
	return &system.System{
		Name: name, Processes: []string{"a", "b", "c"}, Rounds: 4,
		New: func(name string, _ *rand.Rand) system.Process {
			return &stuck{name: name, stays: func() bool { return (number.Add(1)-1)%20 < of20 }}
		},
		Properties: []property.Property{{Name: "all done", Rules: datalog.New("all done", "pre(P) :- process(P). post(P) :- done(P, _).")}},
		Faults:     rounds.Bounds{Isolations: 1, Period: 1},
	}
}

type stuck struct {
	name        string
	late, never bool
	stays       func() bool
}

func (*stuck) Machine() system.Machine { return system.Machine{Inexact: Why} }

func (p *stuck) Send(s *system.Step) { s.Broadcast("hello") }

func (p *stuck) Receive(s *system.Step, inbox []system.Message) {
	if p.name == "b" && s.Round() == 2 && len(inbox) == 0 {
		p.late, p.never = true, p.stays()
	}
	if !p.never && (s.Round() == 6 || s.Round() == 3 && !p.late) {
		s.Fact("done")
	}
}
