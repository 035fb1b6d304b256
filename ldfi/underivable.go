package ldfi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A violation without facts is good news, unless the facts in its rules never come about. A
// rule can come about if each of its positive atoms can, on its own: whether they meet is
// the subject of the promise, and so are comparisons and negated atoms. An atom can come
// about if it has a fact in some scenario within the bounds; or else if its relation is a
// part of the specification and has a rule that can; or if only its constants are missing,
// and could be given.

// underivable says in a sentence why violation can never be derived, and is "" if a rule
// for it can come about, as shown by a counterexample that breaks it.
func (q *question) underivable(ctx context.Context, found []result.Counterexample, all views) (string, error) {
	for _, c := range found {
		if slices.ContainsFunc(c.Violations, func(v result.Violation) bool { return v.Property == violationRelation }) {
			return "", nil
		}
	}
	u := &underivable{question: q, views: all, rules: violationRules(q.program), happens: map[*syntax.Atom]bool{}, alive: map[string]bool{}}
	if len(u.rules) == 0 {
		return "", nil
	}
	if err := u.happen(ctx); err != nil {
		return "", err
	}
	for changed := true; changed; {
		changed = false
		for _, r := range u.rules {
			if !u.alive[r.Head.Relation] && u.missing(r) == nil {
				u.alive[r.Head.Relation], changed = true, true
			}
		}
	}
	if u.alive[violationRelation] {
		return "", nil
	}
	var texts []string
	u.blame(violationRelation, map[string]bool{}, func(t *syntax.Term) {
		if text := fmt.Sprintf("%s (%s) has no fact", t, t.Position); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	})
	return fmt.Sprintf("violation can never be derived: %s in any scenario within the bounds", strings.Join(texts, ", and ")), nil
}

// violationRules returns the rules for violation and the relations of the specification
// that it depends on.
func violationRules(p *dedalus.Program) []*syntax.Rule {
	specified := syntax.Specification(p.Rules)
	return slices.DeleteFunc(p.Slice(violationRelation).Rules, func(r *syntax.Rule) bool {
		return r.Head.Relation != violationRelation && !specified[r.Head.Relation]
	})
}

// underivable computes which of the relations behind violation can come about.
type underivable struct {
	*question
	views   views
	rules   []*syntax.Rule        // for violation and the relations of the specification that it depends on
	happens map[*syntax.Atom]bool // the atom has a fact in some scenario, or its constants could be given
	alive   map[string]bool       // relations of the specification with a rule that can come about
}

// missing returns an atom that keeps a rule from coming about, nil if none does.
func (u *underivable) missing(r *syntax.Rule) *syntax.Term {
	for i := range r.Body {
		t := &r.Body[i]
		if t.Atom != nil && !t.Negated && !u.happens[t.Atom] && !u.alive[t.Atom.Relation] {
			return t
		}
	}
	return nil
}

// blame calls tell with the atoms that keep the rules of a relation from coming about, as
// deep within the specification as possible. An atom that needs only itself, such as one
// that persists, is reported itself. It returns whether there was any.
func (u *underivable) blame(relation string, seen map[string]bool, tell func(*syntax.Term)) (told bool) {
	seen[relation] = true
	for _, r := range u.rules {
		if r.Head.Relation != relation {
			continue
		}
		t := u.missing(r)
		if seen[t.Atom.Relation] {
			continue
		}
		deeper := func(other *syntax.Rule) bool { return other.Head.Relation == t.Atom.Relation }
		if !slices.ContainsFunc(u.rules, deeper) || !u.blame(t.Atom.Relation, seen, tell) {
			tell(t)
		}
		told = true
	}
	return told
}

// happen finds out which atoms have a fact in some scenario, or could have.
func (u *underivable) happen(ctx context.Context) error {
	for _, r := range u.rules {
		for _, t := range r.Body {
			if t.Atom == nil || t.Negated {
				continue
			}
			var err error
			if u.happens[t.Atom], err = u.somewhere(ctx, t); err == nil && !u.happens[t.Atom] {
				u.happens[t.Atom], err = u.given(ctx, t.Atom)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// somewhere tells whether an atom has a fact in some scenario within the bounds.
func (u *underivable) somewhere(ctx context.Context, t syntax.Term) (bool, error) {
	if t.Atom.Relation == syntax.Crash {
		return u.bounds.Crashes != 0, nil
	}
	first, last := 1, u.bounds.EOT
	if t.At > 0 {
		first, last = t.At, t.At
	}
	return u.views.meet(ctx, func(v *view) []solver.Lit {
		var facts []*provenance.Fact
		for round := first; round <= last; round++ {
			for _, f := range v.graph.Facts(t.Atom.Relation, round) {
				if t.Atom.Fits(f.Args()) {
					facts = append(facts, f)
				}
			}
		}
		return []solver.Lit{v.some(facts)}
	})
}
