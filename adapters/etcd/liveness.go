package etcd

import (
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// LeaderAfter says that some process is the leader in the last round, if a
// majority of the processes is up and the last fault is over for so many rounds.
// They should be enough for most elections. Which of those that are not over by then
// are late only, and not stuck, a search finds out ([property.Property.ByEnd]).
func LeaderAfter(calm int) property.Property {
	name := fmt.Sprintf("a leader after %d calm rounds", calm)
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
		up, last := outages(e)
		if len(up) <= len(e.Bounds.Processes)/2 || e.Bounds.EOT-last < calm {
			return nil
		}
		for _, f := range e.Facts {
			if f.Relation == "leader" && f.Round == e.Bounds.EOT {
				return nil
			}
		}
		return []result.Violation{violation(name, fmt.Sprintf("%q are up and connected since round %d, and have no leader in round %d", up, last+1, e.Bounds.EOT))}
	}}
}

// outages returns which processes are up at the end, and the last round in which
// anything happened to any.
func outages(e *recording.Execution) (up []string, last int) {
	down := map[string]int{}
	for _, f := range e.Schedule.Faults {
		last = max(last, f.Round, f.Until)
		if f.Kind == rounds.Crash {
			down[f.Process] = max(down[f.Process], f.Round)
		}
	}
	for _, f := range e.Schedule.Faults {
		if f.Kind == rounds.Restart && f.Round >= down[f.Process] {
			delete(down, f.Process)
		}
	}
	for _, p := range e.Bounds.Processes {
		if down[p] == 0 {
			up = append(up, p)
		}
	}
	return up, last
}
