package guide

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Guidance returns what came of a guide in some executions, as answers have it. Those whose schedules the
// guide does not allow count as such alone. If a violation ended them, nothing is missed: it lies behind that.
func (g *Guide) Guidance(outcomes []Outcome, violated bool) *result.Guidance {
	t := g.NewTally()
	all := &result.Guidance{File: g.Name(), Rules: g.own, Executions: len(outcomes)}
	good, bad := g.Ends()
	target := result.Reached{}
	for _, o := range outcomes {
		if len(o.Prevented) > 0 {
			all.Prevented++
			t.find(o.Findings)
			continue
		}
		t.Add(o)
		if slices.Contains(good, o.State()) {
			target.Executions++
		}
	}
	for i := range g.own {
		if g.Decides(i) {
			all.Fired += t.Fired[i]
		}
	}
	for _, state := range g.states() {
		all.States = append(all.States, result.Reached{Name: state, Executions: t.Entered[state]})
	}
	for i, executions := range t.Reached {
		all.Waypoints = append(all.Waypoints, result.Reached{Name: strconv.Itoa(i + 1), Executions: executions})
	}
	switch n := len(t.Reached); {
	case len(good) > 0:
		target.Name = text.List(good, "or")
		all.Target = &target
	case n > 0:
		all.Target = &result.Reached{Name: fmt.Sprintf("waypoint %d", n), Executions: t.Reached[n-1]}
	}
	for _, f := range t.Findings {
		all.Findings = append(all.Findings, f.Warning)
	}
	if violated || t.Executions == 0 {
		return all
	}
	if all.Missed() || all.Target == nil && len(bad) == 0 {
		all.Nearest = t.nearest()
	}
	all.Vacuous = t.Vacuous()
	return all
}
