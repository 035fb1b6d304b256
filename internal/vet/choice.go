package vet

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// roundsOf reports the rounds of a choice that are beyond the last one.
func roundsOf(p *dedalus.Program, c *syntax.Choose, eot int) []specs.Warning {
	beyond, within := 0, c.Rounds.Word != ""
	for _, r := range c.Rounds.Ranges {
		first, last := r.Rounds()
		within = within || first <= eot
		if last > eot && beyond == 0 {
			beyond = max(first, eot+1)
		}
	}
	switch {
	case beyond == 0:
		return nil
	case within:
		return []specs.Warning{warning(p, c.Rounds.Position, "round %d is beyond the last one, %d: nothing is chosen there", beyond, eot)}
	}
	return []specs.Warning{warning(p, c.Rounds.Position, "nothing is ever chosen here: round %d is beyond the last one, %d", beyond, eot)}
}

// choices reports choices that are none.
func (w *warner) choices() {
	for _, c := range w.program.Choices {
		w.warnings = append(w.warnings, single(w.program, c)...)
	}
}

// single reports a choice that leaves nothing to choose, unless it gives something to each process.
func single(p *dedalus.Program, c *syntax.Choose) []specs.Warning {
	if c.Mode != syntax.One || c.Rounds.Word == syntax.Any || len(c.Rounds.Ranges) > 1 {
		return nil
	}
	for _, o := range c.Columns {
		if o.Word != "" || len(o.Ranges) > 1 || len(o.Ranges) == 1 && o.Ranges[0].Len(2) > 1 {
			return nil
		}
	}
	return []specs.Warning{warning(p, c.Position, "there is only one alternative, so this is no choice: it holds always")}
}

// choice reports alternatives that are at no process while others are at one.
func (v *locations) choice(c *syntax.Choose) {
	if len(c.Columns) == 0 || c.Columns[0].Word != "" {
		return
	}
	var placed bool
	for _, r := range c.Columns[0].Ranges {
		placed = placed || v.processes[r.First] || v.processes[r.Last]
	}
	for _, r := range c.Columns[0].Ranges {
		if placed && r.First == r.Last && !v.processes[r.First] {
			v.warn(r.Position, "%v is no process, though other alternatives are at one%s", r.First, v.among(r.First))
		}
	}
}
