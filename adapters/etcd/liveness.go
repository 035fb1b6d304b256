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
// majorities of the newest configuration, and of that of each of them, are up. Who of
// these does not know yet that it votes counts, unless its log may be longer than those
// of all who do: it does not stand for election itself, and votes for nobody with a
// shorter one. That it answers as a learner the library promises from 3.4 on; before,
// learners ignored elections, and a cluster could stay without a leader (PR 10998). The
// same is true of who has learned that it votes no more.
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
	voters = append(voters, unaware(e, up, voters)...)
	return !slices.ContainsFunc(needed, func(c *appliedConfig) bool { return !c.majority(among(voters)) })
}

// unaware returns who of those that are up does not vote, as far as it knows, and has no
// entry behind the last that one of the voters has applied: it votes for the voter with
// the longest log.
func unaware(e *recording.Execution, up, voters []string) (all []string) {
	var applied recording.Fact
	for _, f := range e.Facts {
		if f.Relation == "committed" && slices.Contains(voters, f.Args[0].Text()) && (applied.Args == nil || behind(f, applied)) {
			applied = f
		}
	}
	for _, f := range e.Facts {
		if p := f.Args; f.Relation == "log" && f.Round == e.Bounds.EOT && slices.Contains(up, p[0].Text()) && !slices.Contains(voters, p[0].Text()) && applied.Args != nil && !behind(f, applied) {
			all = append(all, p[0].Text())
		}
	}
	return all
}

// behind tells whether the entry of a fact, with its process, index and term, stands
// behind that of another in a longer log.
func behind(f, g recording.Fact) bool {
	return cmp.Or(f.Args[2].Compare(g.Args[2]), f.Args[1].Compare(g.Args[1])) > 0
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
	for p, down := range downInTheEnd(e.Schedule.Faults) {
		if down {
			up = slices.DeleteFunc(up, func(q string) bool { return q == p })
		}
	}
	return up, last
}

// downInTheEnd tells of the processes that crash whether they are down in the end. In a
// round a crash comes first, then a restart, then a crash at a point.
func downInTheEnd(faults []rounds.Fault) map[string]bool {
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
