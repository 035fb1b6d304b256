package strategies

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// choose returns the next schedule to execute, which leads to an unknown step: in turns one
// where the reports of processes differ most, because agreement breaks there, and one in
// the earliest round, because most depends on it. It returns false if all steps are known.
func (l *learner) choose() (rounds.Schedule, bool) {
	var best pending
	var bestRank [2]int
	n := 0
	for _, what := range l.missing() {
		for _, w := range l.product.open[what] {
			if !l.product.current(w) {
				continue
			}
			rank := [2]int{0, l.gap(w)}
			if l.Executions%2 == 1 {
				rank[0] = -int(w.node.round)
			}
			switch c := slices.Compare(rank[:], bestRank[:]); {
			case n == 0 || c > 0:
				best, bestRank, n = w, rank, 1
			case c == 0:
				if n++; l.Random.IntN(n) == 0 {
					best = w
				}
			}
		}
	}
	if n == 0 {
		return rounds.Schedule{}, false
	}
	return l.extend(l.product.route(best), int(best.node.round)), true
}

// missing returns the unknown steps, in a fixed order.
func (l *learner) missing() []string {
	var all []string
	for what, waiting := range l.product.open {
		if slices.ContainsFunc(waiting, l.product.current) {
			all = append(all, what)
		}
	}
	slices.Sort(all)
	return all
}

// gap returns the most facts that others have reported and some process has not.
func (l *learner) gap(w pending) int {
	reports := l.product.nodes[w.at].reports
	if gap, ok := l.gaps[reports]; ok {
		return gap
	}
	h := l.table.reports
	reported := map[string]uint64{}
	for _, i := range h.lists[reports] {
		f := h.facts[i]
		if len(f.Args) == 0 {
			continue
		}
		p, ok := l.table.index[f.Args[0].Text()]
		if ok {
			g := recording.Fact{Relation: f.Relation, Args: f.Args[1:]}
			reported[g.String()] |= 1 << p
		}
	}
	lacks := make([]int, len(l.table.processes))
	most := 0
	for _, by := range reported {
		for p := range lacks {
			if by>>p&1 == 0 {
				lacks[p]++
				most = max(most, lacks[p])
			}
		}
	}
	l.gaps[reports] = most
	return most
}

// extend adds an isolation to each phase after a round, within the budget: the messages of
// later rounds are unknown, so they may as well be lost.
func (l *learner) extend(s rounds.Schedule, after int) rounds.Schedule {
	left := len(l.phases) + len(s.Faults)
	if l.Bounds.Isolations != rounds.Unlimited {
		left = l.Bounds.Isolations
	}
	for _, f := range s.Faults {
		if f.Kind == rounds.Isolate {
			left--
		}
	}
	for _, ph := range l.phases {
		if ph.First <= after || left <= 0 || len(l.isolable) == 0 {
			continue
		}
		s.Faults = append(s.Faults, ph.Isolation(l.Random, l.isolable[l.Random.IntN(len(l.isolable))]))
		left--
	}
	return s.Normal()
}
