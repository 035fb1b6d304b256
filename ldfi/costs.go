package ldfi

import (
	"cmp"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/solver"
)

// weighs tells whether sets are ordered by cost, and not by the number of faults.
func (m *Model) weighs() bool { return m.costs != nil }

// costOf returns the cost of some units: one for each fault of a kind without another cost,
// and nothing for choices.
func (m *Model) costOf(u *schedules.Universe, units []int) (cost int) {
	for _, unit := range u.Faults(units) {
		cost += cmp.Or(m.costs[u.Fault(unit).Kind], 1)
	}
	return cost
}

// compare orders sets of units: by cost, and then as the universe does.
func (m *Model) compare(u *schedules.Universe, a, b []int) int {
	return cmp.Or(m.costOf(u, a)-m.costOf(u, b), u.Compare(a, b))
}

// prices are the costs of the faults that a search chooses from; nil: one for each.
func (v *view) prices() []int {
	if !v.weighs() {
		return nil
	}
	prices := make([]int, len(v.units.faults))
	for i, unit := range v.units.faults {
		prices[i] = v.costOf(v.graph.Universe, []int{unit})
	}
	return prices
}

// small is when a schedule has no more faults than the sets that are searched for.
func (v *view) small() solver.Lit {
	u := v.graph.Universe
	if v.size == 0 {
		return solver.True
	}
	return v.graph.Circuit.AtMost(v.graph.Inputs[:u.Len()-u.Choices()], v.size)
}
