package provenance

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// UntimedError says why a program, or its bounds, cannot be asked about any number of rounds.
type UntimedError struct {
	What string
	specs.Position
}

func (e *UntimedError) Error() string {
	if e.Line == 0 {
		return e.What
	}
	return fmt.Sprintf("%s: %s", e.Position, e.What)
}

// untimed refuses what a step does not have.
func untimed(p *dedalus.Program, b rounds.Bounds, e *epochs) error {
	for _, k := range rounds.Kinds() {
		switch budget := b.Budget(k); {
		case budget == 0 || k == rounds.Choose || slices.Contains(timeless, k):
		default:
			return &UntimedError{What: fmt.Sprintf("%s are not there for any number of rounds yet", k.Setting())}
		}
	}
	for _, r := range p.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation == syntax.Booted && t.At > 0 {
				return &UntimedError{What: "booted of a named round is not there for any number of rounds", Position: t.Atom.Position}
			}
		}
	}
	return foreseen(p, b, e)
}

// onlyWho tells whether a rule does not use the round of a crash.
func onlyWho(r *syntax.Rule, crash *syntax.Atom) bool {
	if len(crash.Args) != 3 {
		return false
	}
	if _, wild := crash.Args[2].(*syntax.Wildcard); wild {
		return true
	}
	v, ok := crash.Args[2].(*syntax.Variable)
	if !ok {
		return false
	}
	uses := 0
	for _, e := range r.Head.Args {
		if syntax.Mentions(e, v.Name) {
			uses++
		}
	}
	for _, t := range r.Body {
		if t.Test != nil && syntax.Mentions(t.Test, v.Name) {
			uses++
		}
		if t.Atom != nil {
			for _, e := range t.Atom.Args {
				if syntax.Mentions(e, v.Name) {
					uses++
				}
			}
		}
	}
	return uses == 1
}

// foresight is how a relation depends on what later rounds bring: with more of it there are more
// facts, or fewer.
type foresight struct{ more, fewer bool }

// foreseen refuses a program in which something that later rounds bring counts in an earlier round: a crash, and
// what a relation has in a named round. In a step they are known from their round on only, which is
// no other promise where each round is judged as the last one, and where facts of a violation become
// fewer with them.
func foreseen(p *dedalus.Program, b rounds.Bounds, e *epochs) error {
	ahead := map[string]foresight{}
	of := func(r *syntax.Rule, t syntax.Term) foresight {
		switch {
		case t.Atom == nil || t.Atom.Relation == syntax.Crash && !t.Negated && e.past(r, t.Atom):
			return foresight{}
		case t.Atom.Relation == syntax.Crash || t.At > 1 && !onlyFacts(p, t.Atom.Relation):
			return foresight{more: !t.Negated, fewer: t.Negated}
		}
		f := ahead[t.Atom.Relation]
		if t.Negated {
			f.more, f.fewer = f.fewer, f.more
		}
		return f
	}
	for grown := true; grown; {
		grown = false
		for _, r := range p.Rules {
			f := ahead[r.Head.Relation]
			for _, t := range r.Body {
				by := of(r, t)
				if any := by.more || by.fewer; any && summarises(r) {
					by = foresight{true, true}
				}
				f = foresight{f.more || by.more, f.fewer || by.fewer}
			}
			if f != ahead[r.Head.Relation] {
				ahead[r.Head.Relation], grown = f, true
			}
		}
	}
	for _, r := range p.Rules {
		for _, t := range r.Body {
			f := of(r, t)
			if !f.more && !f.fewer {
				continue
			}
			what := t.Atom.Relation
			switch {
			case t.At > 1:
				what = fmt.Sprintf("%s of round %d", what, t.At)
			case what == syntax.Crash:
				what = "crash, which has the crashes of later rounds as well"
			default:
				what += ", which depends on later rounds"
			}
			kept := func(other *syntax.Rule) bool { // by a process that stops
				return b.CrashStop && b.Crashes != 0 && other.Head.Relation == r.Head.Relation && other.Kind != syntax.Deductive
			}
			switch {
			case r.Kind != syntax.Deductive || slices.ContainsFunc(p.Rules, kept):
				return &UntimedError{What: fmt.Sprintf("%s is carried into the next round, and reads %s: for any number of rounds a rule like this can read what its own round has, and what was before", r.Head.Relation, what), Position: t.Atom.Position}
			case r.Head.Relation == violationRelation && (f.more || summarises(r)):
				return &UntimedError{What: fmt.Sprintf("a violation is found by %s: for any number of rounds this can only excuse one, in a notin", what), Position: t.Atom.Position}
			}
		}
	}
	return nil
}

// summarises tells whether a rule has an aggregate.
func summarises(r *syntax.Rule) bool {
	return slices.ContainsFunc(r.Head.Args, func(e syntax.Expr) bool { _, ok := e.(*syntax.Aggregate); return ok })
}
