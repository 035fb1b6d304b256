package main

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// keeper stores the number of each round, and syncs that at the end of every second
// round. It has a clock, which says how old what it stores is.
type keeper struct {
	clock           int
	written, synced []int
}

func (k *keeper) Machine() system.Machine {
	return system.Machine{Clock: true, Disk: true, Goroutines: true, Terminates: true}
}

func (k *keeper) Send(s *system.Step) {
	c := s.Conditions()
	k.clock += 2 + c.Clock + 2*c.Jump
	k.written = append(k.written, k.clock)
	if s.Round()%2 == 0 && !c.FailSync {
		k.synced, k.written = append(k.synced, k.written...), nil
	}
	if c.Terminate > 0 { // it ends in good order
		k.synced, k.written = append(k.synced, k.written...), nil
	}
	s.Broadcast(k.clock)
}

func (k *keeper) Receive(s *system.Step, inbox []system.Message) {
	s.Fact("clock", k.clock)
	s.Fact("synced", len(k.synced))
	if c := s.Conditions(); c.Goroutines.Given {
		s.Fact("order", int(c.Goroutines.Value%10))
	}
}

func (k *keeper) CrashDisk(outcome string) {
	switch outcome {
	case "kept":
		k.synced = append(k.synced, k.written...)
	case "torn":
		k.synced = append(k.synced, k.written[:len(k.written)/2]...)
	}
	k.written = nil
}

func (k *keeper) Restart(s *system.Step) { s.Fact("synced", len(k.synced)) }

// keepers is a system whose processes run on machines. No process may have a clock
// that is far ahead.
func keepers() *system.System {
	return &system.System{
		Name: "keeper", Processes: []string{"a", "b"}, Rounds: 4,
		New: func(string, *rand.Rand) system.Process { return &keeper{} },
		Properties: []property.Property{{Name: "near", FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
			for _, f := range e.Facts {
				if f.Relation == "clock" && f.Args[1].Int() > 12 {
					all = append(all, result.Violation{Fact: f, Text: "the clock of " + f.Args[0].Text() + " is far ahead"})
				}
			}
			return all
		}}},
	}
}
