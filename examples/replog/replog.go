// Package replog is the replicated log of Fig. 1 of Dragoi, Enea, Ozkan,
// Majumdar and Niksic, "Testing consensus implementations using communication
// closure", 2020, as Go processes: with its bug, and without.
//
// Processes agree on a growing sequence of commands, by phases of four rounds:
// the leader asks everybody to join its phase (Prepare), those who do send it
// their logs with dates (Ack), it takes the latest log of a majority, adds a
// command and sends it to all (Propose), and who took it tells everybody
// (Promise). A log that a majority promised is output. Of any two outputs one
// has to be a prefix of the other.
//
// The bug is in line 15 of the figure: a process that joins a phase dates its
// log with the phase that it was in before, though the log may be older. Then a
// process that missed a log that was output, but joined a phase or two that came
// to nothing, has an old log with a new date, which the next leader takes for the
// latest.
package replog

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Phases is the number of phases of an execution, and PhaseRounds the number of
// rounds of each.
const (
	Phases      = 4
	PhaseRounds = 4
)

// Buggy and Fixed return the system as the figure has it, and as the paper
// corrects it: with three processes and four phases.
func Buggy() *system.System { return replicatedLog("replog-buggy", true) }
func Fixed() *system.System { return replicatedLog("replog-fixed", false) }

func replicatedLog(name string, buggy bool) *system.System {
	processes := []string{"p1", "p2", "p3"}
	return &system.System{
		Name: name, Processes: processes, Rounds: Phases * PhaseRounds,
		New: func(name string, _ *rand.Rand) system.Process {
			return &replica{name: name, processes: processes, buggy: buggy}
		},
		Properties: []property.Property{property.PrefixOrder("output")},
	}
}

// replica is one process. All of its state is in fields of the type local.
type replica struct {
	name      string
	processes []string
	buggy     bool
	local
}

// local is the state of a replica, with the names of the figure.
type local struct {
	phase, last int
	log         string // a letter for each command
	joined      bool   // the phase that is going on: step is "Ack"
	took        bool   // its log: step is "Promise"
	proposal    string // of the leader, empty if it has none
}

// The messages of the four rounds of a phase.
type (
	prepare struct{ Phase int }
	ack     struct {
		Phase, Last int
		Log         string
	}
	propose struct {
		Phase int
		Log   string
	}
	promise struct {
		Phase int
		Log   string
	}
)

// compare orders logs by date, then by length, then by commands.
func (a ack) compare(b ack) int {
	return cmp.Or(cmp.Compare(a.Last, b.Last), cmp.Compare(len(a.Log), len(b.Log)), cmp.Compare(a.Log, b.Log))
}

// Send sends what the round of the phase asks for.
func (r *replica) Send(s *system.Step) {
	phase, round := place(s.Round())
	leader := r.processes[(phase-1)%len(r.processes)]
	switch {
	case round == 1 && r.name == leader:
		r.toAll(s, prepare{phase})
	case round == 2 && r.joined:
		s.Send(leader, ack{r.phase, r.last, r.log})
	case round == 3 && r.proposal != "":
		r.toAll(s, propose{phase, r.proposal})
	case round == 4 && r.took:
		r.toAll(s, promise{r.phase, r.log})
	}
}

func (r *replica) toAll(s *system.Step, payload any) {
	for _, to := range r.processes {
		s.Send(to, payload)
	}
}

// Receive updates the state as the round of the phase asks for. Messages that
// a pause has kept for a later round are ignored, unless that is one like it.
func (r *replica) Receive(s *system.Step, inbox []system.Message) {
	phase, round := place(s.Round())
	switch round {
	case 1:
		r.join(inbox)
	case 2:
		r.elect(phase, inbox)
	case 3:
		r.take(s, inbox)
	case 4:
		r.output(s, inbox)
		r.joined, r.took, r.proposal = false, false, ""
	}
}

// join joins the phase of the leader (lines 13 to 18).
func (r *replica) join(inbox []system.Message) {
	for _, m := range inbox {
		p, ok := m.Payload.(prepare)
		if !ok || p.Phase < r.phase {
			continue
		}
		if r.buggy {
			r.last = r.phase
		}
		r.phase, r.joined = p.Phase, true
	}
}

// elect takes the log of the latest date of a majority, of several the longest,
// and adds a command (lines 26 to 29).
func (r *replica) elect(phase int, inbox []system.Message) {
	acks := 0
	var latest ack
	for _, m := range inbox {
		a, ok := m.Payload.(ack)
		if !ok || a.Phase != phase {
			continue
		}
		acks++
		if a.compare(latest) > 0 {
			latest = a
		}
	}
	if r.majority(acks) {
		r.proposal = latest.Log + string(rune('a'+phase-1))
	}
}

// take takes the log that the leader proposes (line 34).
func (r *replica) take(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if p, ok := m.Payload.(propose); ok && p.Phase == r.phase {
			r.log, r.took = p.Log, true
			if !r.buggy {
				r.last = p.Phase
			}
			s.Fact("log", r.log)
		}
	}
}

// output outputs a log that a majority promises in one phase (lines 41 and 42),
// as facts output(process, index, command).
func (r *replica) output(s *system.Step, inbox []system.Message) {
	promises := map[promise]int{}
	for _, m := range inbox {
		if p, ok := m.Payload.(promise); ok {
			if promises[p]++; r.majority(promises[p]) {
				for i, command := range p.Log {
					s.Fact("output", i+1, string(command))
				}
			}
		}
	}
}

func (r *replica) majority(n int) bool { return n > len(r.processes)/2 }

// place returns the phase of a round, and the number of the round in it.
func place(round int) (phase, of int) {
	return (round-1)/PhaseRounds + 1, (round-1)%PhaseRounds + 1
}

// Snapshot, Restore and Fingerprint let a search keep and compare states.
func (r *replica) Snapshot() any        { return r.local }
func (r *replica) Restore(snapshot any) { r.local = snapshot.(local) }
func (r *replica) Fingerprint() string {
	return fmt.Sprintf("phase=%d last=%d log=%s joined=%t took=%t proposal=%s", r.phase, r.last, r.log, r.joined, r.took, r.proposal)
}
