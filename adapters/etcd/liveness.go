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

// LeaderAfter says that some process is the leader in the last round, if the last
// fault is over for so many rounds, and if processes are up that can elect one:
// majorities of the newest configuration, and of that of each of them, are up and
// know that they vote. What these should be enough for the library does not promise
// of others: who has learned that it votes no more, and has a longer log than those
// who do not know that yet, neither stands for election nor votes for them.
//
// So many rounds should be enough for most elections. Which of those that are not
// over by then are late only, and not stuck, a search finds out
// ([property.Property.ByEnd]).
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

// canElect tells whether those who are up can elect a leader, whoever of them has
// the longest log: without configurations whether they are a majority.
func canElect(e *recording.Execution, up []string) bool {
	configs := configsOf(e)
	if len(configs) == 0 {
		return majorityOf(e.Bounds.Processes, among(up))
	}
	newest := slices.MaxFunc(configs, func(c, d *appliedConfig) int { return cmp.Compare(c.index, d.index) })
	needed := []*appliedConfig{newest}
	var voters []string
	for _, p := range up {
		if c := inUse(configs, p); c != nil && c.votes(p) {
			needed, voters = append(needed, c), append(voters, p)
		}
	}
	return !slices.ContainsFunc(needed, func(c *appliedConfig) bool { return !c.majority(among(voters)) })
}

func among(processes []string) func(string) bool {
	return func(p string) bool { return slices.Contains(processes, p) }
}

// outages returns which processes are up at the end, and the last round in which
// anything happened to any.
func outages(e *recording.Execution) (up []string, last int) {
	up = slices.Clone(e.Bounds.Processes)
	for _, f := range e.Schedule.Faults {
		last = max(last, f.Round, f.Until)
	}
	for p, down := range downs(e.Schedule.Faults) {
		if down {
			up = slices.DeleteFunc(up, func(q string) bool { return q == p })
		}
	}
	return up, last
}

// downs tells of the processes that crash whether they are down in the end. In a
// round a crash comes first, then a restart, then a crash at a point.
func downs(faults []rounds.Fault) map[string]bool {
	down, since := map[string]bool{}, map[string]int{}
	for _, f := range faults {
		at := 3 * f.Round
		switch {
		case f.Kind == rounds.Restart:
			at++
		case f.Kind != rounds.Crash:
			continue
		case f.Point() != "":
			at += 2
		}
		if at >= since[f.Process] {
			since[f.Process], down[f.Process] = at, f.Kind == rounds.Crash
		}
	}
	return down
}
