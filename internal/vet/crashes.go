package vet

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Crashes warns once of rules for violation that never look at crashes while there are
// some within the bounds: facts of processes that have crashed count then, which many
// protocols mean.
func Crashes(p *dedalus.Program, crashes bool) []specs.Warning {
	if !crashes || answered(p, "crashed") {
		return nil
	}
	readsCrash := func(t syntax.Term) bool { return t.Atom != nil && t.Atom.Relation == syntax.Crash }
	var first *syntax.Rule
	for _, r := range p.Slice("violation").Rules {
		if slices.ContainsFunc(r.Body, readsCrash) {
			return nil
		}
		if r.Head.Relation == "violation" && first == nil {
			first = r
		}
	}
	if first == nil {
		return nil
	}
	at, ok := first.Location().(*syntax.Variable)
	if !ok {
		return nil
	}
	return []specs.Warning{warning(p, first.Position, "violation never looks at crashes, so it also counts facts of crashed processes; "+
		"notin crash(_, %s, _) excuses %s, and // ldfi: crashed=counts says that it is meant", at.Name, at.Name)}
}

// answered tells whether a program answers a question of ldfi vet in its settings.
func answered(p *dedalus.Program, key string) bool {
	return slices.ContainsFunc(p.Settings, func(s dedalus.Setting) bool { return s.Key == key })
}
