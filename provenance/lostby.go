package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// LostBy returns the faults any one of which prevents the firing, whatever facts its body
// has: faults that lose its message and, for a rule that stops with its process
// (Bounds.CrashStop), crashes of this process until the round. If processes can restart, a
// crash prevents the firing unless the process is back in between.
func (f *Firing) LostBy() []rounds.Fault {
	g := f.rule.graph
	var units []int
	switch {
	case f.to < 0:
	case f.rule.late > 0:
		units = slices.Concat(g.Universe.SeveringOf(f.kindOf(), int(f.from), int(f.to), int(f.round)), g.Universe.Losing(-1, int(f.to), f.arrives()), f.crashesUntil(int(f.from)))
	default:
		units = g.Universe.LosingOf(f.kindOf(), int(f.from), int(f.to), int(f.round))
	}
	if p := f.StopsWith(); p >= 0 {
		units = append(units, f.crashesUntil(p)...)
	}
	slices.Sort(units)
	var faults []rounds.Fault
	for _, unit := range slices.Compact(units) {
		if !g.Universe.Alive(unit) {
			continue
		}
		faults = append(faults, g.Universe.Fault(unit))
	}
	return faults
}

// crashesUntil returns the crashes of a process until the round of the firing: none if it
// never crashes.
func (f *Firing) crashesUntil(p int) []int {
	crashes := f.rule.graph.Universe.Crashes(p)
	return crashes[:min(int(f.round), len(crashes))]
}

// StopsWith returns the process with which the rule of the firing stops, -1 if the rule
// does not stop.
func (f *Firing) StopsWith() int {
	g := f.rule.graph
	if !g.Bounds.CrashStop || !f.rule.carries() || f.rule.frozen || f.rule.location == nil || f.env == nil || g.Bounds.Crashes == 0 {
		return -1
	}
	id, ok := f.rule.location.id(g.values, f.env)
	if !ok {
		return -1
	}
	return slices.IndexFunc(g.Bounds.Processes, func(name string) bool { return g.values.list[id].Text() == name })
}

// StoppedBy returns the crashes any one of which makes a firing without a rule carry over
// its fact; nil for other firings.
func (f *Firing) StoppedBy() []rounds.Fault {
	if !f.rule.frozen {
		return nil
	}
	g := f.rule.graph
	p := slices.Index(g.Bounds.Processes, f.positive[0].Arg(0).Text())
	var faults []rounds.Fault
	for _, unit := range f.crashesUntil(p) {
		if !g.Universe.Alive(unit) {
			continue
		}
		faults = append(faults, g.Universe.Fault(unit))
	}
	return faults
}

// Prevented returns the condition under which faults prevent the firing, whatever facts its
// body has: its message is lost, the process of its rule has stopped (Bounds.CrashStop), or
// the process of its head restarts at the same time and has forgotten the fact.
func (f *Firing) Prevented() solver.Lit {
	g := f.rule.graph
	var lits []solver.Lit
	if f.to >= 0 {
		lits = append(lits, g.delivery.delivered(f.kindOf(), int(f.from), int(f.to), int(f.round)).Not())
	}
	if p := f.StopsWith(); p >= 0 {
		lits = append(lits, g.delivery.crashed(p, int(f.round)))
	}
	if p := f.Forgets(); p >= 0 {
		lits = append(lits, g.delivery.forgets(p, int(f.round)+1))
	}
	return g.Circuit.Ors(lits...)
}

// Forgets returns the process that would lose the fact of the firing by a restart in that
// round, -1 if there is none.
func (f *Firing) Forgets() int {
	g := f.rule.graph
	if !f.rule.head.volatile || !f.rule.carries() || f.env == nil && !f.rule.frozen {
		return -1
	}
	where := g.values.list
	if f.rule.frozen {
		return slices.IndexFunc(g.Bounds.Processes, func(name string) bool { return f.positive[0].Arg(0) == g.Program.ProcessValue(name) })
	}
	id, ok := f.rule.columns[0].id(g.values, f.env)
	if !ok {
		return -1
	}
	return slices.IndexFunc(g.Bounds.Processes, func(name string) bool { return where[id] == g.Program.ProcessValue(name) })
}

// MadeBy returns the fault that makes a fact of the built-in relations crash and
// booted, and false for other facts.
func (f *Fact) MadeBy() (rounds.Fault, bool) {
	g := f.node.relation.graph
	if f.given || f.first != nil || f.cond == solver.True || f.cond == solver.False {
		return rounds.Fault{}, false
	}
	unit := slices.Index(g.Inputs, f.cond)
	if unit < 0 {
		return rounds.Fault{}, false
	}
	return g.Universe.Fault(unit), true
}
