package ldfitest_test

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// heirs are two processes that decide: a at once, which it tells in the next round, and b
// in round 4 if it has not heard of that.
func heirs() *system.System {
	return &system.System{
		Name: "heirs", Processes: []string{"a", "b"}, Rounds: 5,
		New:        func(name string, _ *rand.Rand) system.Process { return &heir{first: name == "a"} },
		Properties: []property.Property{property.Agreement("decided")},
	}
}

type heir struct{ first, heard bool }

func (h *heir) Send(s *system.Step) {
	switch {
	case h.first && s.Round() == 1:
		s.Fact("decided", 1)
	case h.first && s.Round() == 2:
		s.Broadcast(1)
	case !h.first && !h.heard && s.Round() == 4:
		s.Fact("decided", 2)
	}
}

func (h *heir) Receive(_ *system.Step, inbox []system.Message) {
	h.heard = h.heard || len(inbox) > 0
}
