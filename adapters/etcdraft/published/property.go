package published

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

const (
	// calm is for how many rounds the network is as it is.
	calm = 60
	// changes is how often the leader may change meanwhile, as in the published tests.
	changes = 4
)

// LeaderStays says that the leader does not change again and again while the network
// stays as it is, if a majority of the processes are connected with each other.
var LeaderStays = property.Property{Name: "the leader stays", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	since := lastChange(e)
	if e.Bounds.EOT-since < calm || !connected(e, since) {
		return nil
	}
	terms := map[int64]bool{}
	var last recording.Fact
	for _, f := range e.Facts {
		if term := leads(f); f.Round > since && term > 0 && !terms[term] {
			terms[term], last = true, f
		}
	}
	if len(terms) <= 1+changes {
		return nil
	}
	text := fmt.Sprintf("%d terms have a leader since round %d, where links are as they are, and a majority is connected; the last is %s", len(terms), since+1, last)
	return []result.Violation{{Property: "the leader stays", Fact: last, Text: text}}
}}

// leads returns the term of a fact that says that a process leads, 0 of others.
func leads(f recording.Fact) int64 {
	if f.Relation != "leader" {
		return 0
	}
	return f.Args[1].Int()
}

// Progress says that something is committed in the last rounds, if the network stays as
// it is, and a majority of the processes are connected with each other. Clients have to
// write to them.
var Progress = property.Property{Name: "progress", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	since, late := lastChange(e), e.Bounds.EOT-calm
	if since > late || !connected(e, since) {
		return nil
	}
	var last recording.Fact
	for _, f := range e.Facts { // by round
		if f.Relation == "committed" && (last.Relation == "" || f.Args[1].Int() > last.Args[1].Int()) {
			last = f
		}
	}
	if last.Round > late {
		return nil
	}
	text := fmt.Sprintf("nothing is committed from round %d on, where links are as they are since round %d, and a majority is connected; the last is %s", last.Round+1, since+1, last)
	return []result.Violation{{Property: "progress", Fact: last, Text: text}}
}}

// lastChange returns the round after which no fault begins or ends.
func lastChange(e *recording.Execution) (last int) {
	for _, f := range e.Schedule.Faults {
		last = max(last, f.Round-1)
		if until := max(f.Round, f.Until); until < e.Bounds.EOT {
			last = max(last, until)
		}
	}
	return last
}

// connected tells whether a majority of processes exchange all messages after a round.
func connected(e *recording.Execution, since int) bool {
	processes := e.Bounds.Processes
	for set := range 1 << len(processes) {
		var some []string
		for i, p := range processes {
			if set>>i&1 == 1 {
				some = append(some, p)
			}
		}
		if len(some) > len(processes)/2 && !slices.ContainsFunc(e.Schedule.Faults, func(f rounds.Fault) bool {
			return (f.Kind == rounds.Crash || max(f.Round, f.Until) > since) && parts(f, some)
		}) {
			return true
		}
	}
	return false
}

// parts tells whether a fault can keep some processes from hearing of each other.
func parts(f rounds.Fault, some []string) bool {
	if f.To != "" {
		return slices.Contains(some, f.Process) && slices.Contains(some, f.To)
	}
	return f.Process == "" || slices.Contains(some, f.Process)
}
