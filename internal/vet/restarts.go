package vet

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Restarts returns warnings about a program that reads restarts although its bounds allow
// none.
func Restarts(p *dedalus.Program, restarts bool) []specs.Warning {
	if restarts {
		return nil
	}
	var all []specs.Warning
	for _, s := range p.Settings {
		if s.Key == "durable" && s.Value != "none" {
			all = append(all, warning(p, s.Position, "durable=%s makes no difference: nobody crashes and comes back within the bounds (crashes and restarts above 0)", s.Value))
		}
	}
	if at := reads(p, syntax.Booted); at != nil && !gives(p, syntax.Booted) {
		all = append(all, warning(p, at.Position, "%s%s: it holds where a process is back, and nobody crashes and comes back within the bounds (crashes and restarts above 0)", syntax.Booted, AlwaysEmpty))
	}
	return all
}

// reads returns the first atom of a body with a relation, nil if there is none.
func reads(p *dedalus.Program, relation string) *syntax.Atom {
	for _, r := range p.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation == relation {
				return t.Atom
			}
		}
	}
	return nil
}

// gives tells whether a program has rules or facts for a relation.
func gives(p *dedalus.Program, relation string) bool {
	for _, f := range p.Facts {
		if f.Relation == relation {
			return true
		}
	}
	for _, r := range p.Rules {
		if r.Head.Relation == relation {
			return true
		}
	}
	return false
}
