package etcd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// LeaderAfter says that some process is the leader in the last round, if
// majorities are up and the last fault is over for so many rounds: majorities of
// the processes, or of the voters of the configurations that are in use, by a
// process that is up, or the newest.
// They should be enough for most elections. Which of those that are not over by then
// are late only, and not stuck, a search finds out ([property.Property.ByEnd]).
func LeaderAfter(calm int) property.Property {
	name := fmt.Sprintf("a leader after %d calm rounds", calm)
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
		up, last := outages(e)
		if e.Bounds.EOT-last < calm || !canElect(e, up) {
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

// canElect tells whether majorities are up.
func canElect(e *recording.Execution, up []string) bool {
	configs := configsOf(e)
	if len(configs) == 0 {
		return majorityOf(e.Bounds.Processes, among(up))
	}
	newest := slices.MaxFunc(configs, func(c, d *appliedConfig) int { return cmp.Compare(c.index, d.index) })
	if !newest.majority(among(up)) {
		return false
	}
	for _, p := range up {
		if c := inUse(configs, p); c != nil && !c.majority(among(up)) {
			return false
		}
	}
	return true
}

func among(processes []string) func(string) bool {
	return func(p string) bool { return slices.Contains(processes, p) }
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
