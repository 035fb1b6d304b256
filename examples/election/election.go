// Package election is a complete system for ldfi: processes that elect a leader
// in each term of two rounds, with a bug, and without. Its tests show how faults
// are searched in go test, and the program in host how they are searched from
// the command line.
package election

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Buggy and Fixed return the system with three processes and three terms. In
// the buggy one a candidate takes itself for the leader with the first vote,
// rather than with the votes of most processes.
func Buggy() *system.System { return election("election-buggy", true) }
func Fixed() *system.System { return election("election", false) }

func election(name string, buggy bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "b", "c"},
		Rounds: 6, Fixed: true, // a leader is promised within three terms
		New: func(string, *rand.Rand) system.Process { return &voter{buggy: buggy} },
		Properties: []property.Property{
			property.UniquePerTerm("leader"), // no term has two leaders
			property.EventualProgress("leader", 2, 4),
		},
	}
}

// voter is a process; all of them are candidates in every term.
type voter struct {
	buggy  bool
	choice string // whom it votes for in this term
}

// The messages: candidates ask for votes, and get them a round later.
type (
	candidacy struct{ Term int }
	vote      struct{ Term int }
)

// Send asks everybody for a vote in the first round of a term, and votes in the
// second.
func (v *voter) Send(s *system.Step) {
	term, asking := termOf(s)
	if asking {
		for _, to := range s.Processes() {
			s.Send(to, candidacy{term})
		}
	} else if v.choice != "" {
		s.Send(v.choice, vote{term})
	}
}

// Receive chooses the first of the candidates that it hears of, and counts votes.
func (v *voter) Receive(s *system.Step, inbox []system.Message) {
	term, asking := termOf(s)
	if asking {
		v.choice = ""
	}
	votes := 0
	for _, m := range inbox {
		switch payload := m.Payload.(type) {
		case candidacy:
			if payload.Term == term && v.choice == "" {
				v.choice = m.From
			}
		case vote:
			if payload.Term == term {
				votes++
			}
		}
	}
	if v.wins(votes, len(s.Processes())) {
		s.Fact("leader", term)
	}
}

func (v *voter) wins(votes, processes int) bool {
	if v.buggy {
		return votes > 0
	}
	return votes > processes/2
}

func termOf(s *system.Step) (term int, asking bool) {
	return (s.Round() + 1) / 2, s.Round()%2 == 1
}

// Fingerprint names the local state, so that a search can learn what the
// process does in which state; Snapshot and Restore let it try them all.
func (v *voter) Fingerprint() string  { return fmt.Sprintf("choice=%s", v.choice) }
func (v *voter) Snapshot() any        { return v.choice }
func (v *voter) Restore(snapshot any) { v.choice = snapshot.(string) }
