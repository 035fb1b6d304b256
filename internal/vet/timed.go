package vet

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
)

// findTimed returns the relations that depend on no message and on no fault: their facts in
// a round are determined by the number of the round.
func (a *analysis) findTimed() map[string]bool {
	timed := map[string]bool{}
	for _, r := range a.Program.Relations() {
		timed[r.Name] = !a.messages[r.Name] && r.Name != syntax.Crash && (r.Name != syntax.Booted || a.Bounds.Restarts == 0)
	}
	for _, c := range a.Program.Choices {
		timed[c.Relation] = false
	}
	for changed := true; changed; {
		changed = false
		for _, r := range a.Program.Rules {
			if timed[r.Head.Relation] && readsOther(r, timed) {
				timed[r.Head.Relation], changed = false, true
			}
		}
	}
	return timed
}

func readsOther(r *syntax.Rule, timed map[string]bool) bool {
	for _, t := range r.Body {
		if t.Atom != nil && !timed[t.Atom.Relation] {
			return true
		}
	}
	return false
}

// findProtocol returns the relations on which a kept or sent relation depends. The others
// only state the promise.
func (a *analysis) findProtocol() map[string]bool {
	var read []string
	for _, r := range a.Program.Rules {
		if r.Kind == syntax.Deductive {
			continue
		}
		read = append(read, r.Head.Relation)
		for _, t := range r.Body {
			if t.Atom != nil {
				read = append(read, t.Atom.Relation)
			}
		}
	}
	protocol := map[string]bool{}
	for _, r := range a.Program.Slice(read...).Rules {
		protocol[r.Head.Relation] = true
	}
	return protocol
}
