package main

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
)

// heir decides 1 at once if it is a, and tells the others in the next round. Who has
// heard of nothing by round 4 decides 2.
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

// heirs are a system that is to agree, as a property says.
func heirs(name string, p property.Property) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b"}, Rounds: 5,
		Faults:     rounds.Bounds{Crashes: 1},
		New:        func(process string, _ *rand.Rand) system.Process { return &heir{first: process == "a"} },
		Properties: []property.Property{p},
	}
}

// agreed is a function that says what agreement does.
func agreed(e *recording.Execution) (all []result.Violation) {
	values := map[int64]bool{}
	for _, f := range e.Facts {
		values[f.Args[1].Int()] = true
	}
	if len(values) > 1 {
		all = append(all, result.Violation{Text: "they disagree"})
	}
	return all
}

func serveHeirs() {
	counts := property.Agreement("decided")
	counts.CrashedCounts = true
	function := property.Property{Name: "agreed", FactsOnly: true, Func: agreed}
	counted := function
	counted.CrashedCounts = true
	serve(heirs("rules", property.Agreement("decided")), heirs("rules-count", counts), heirs("function", function), heirs("function-counts", counted),
		heirs("plain", rules.New("nobody restarts", `violation(P) :- restarted(P, _).`)))
}
