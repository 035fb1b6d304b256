package ldfi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Limits of work: how many times as many rounds are evaluated at most, to see whether numbers grow,
// and how large the conditions of all schedules may be there.
const (
	mostLonger      = 4
	mostLongerGates = 400_000
)

// Finite says whether the part of the program on which the promise depends has finitely many facts for
// any number of rounds; if not, which numbers grow, and what would end that.
func (m *Model) Finite(ctx context.Context) (string, error) {
	p, clocks := provenance.Saturated(m.applying().Slice(preRelation, postRelation, goodRelation, violationRelation))
	all := slices.DeleteFunc(vet.Growing(p), func(w specs.Warning) bool { // a clock that is compared with rounds of crashes
		return slices.ContainsFunc(clocks, func(c provenance.Clock) bool { return c.Most > 0 && c.File == w.File && c.Line == w.Line })
	})
	if len(all) == 0 {
		return "the state is finite: ldfi run --any-rounds can decide a promise of every round", nil
	}
	o := m.limits()
	o.MaxGates = mostLongerGates
	known := "is not"
	for eot, before := m.bounds.EOT, -1; eot <= mostLonger*m.bounds.EOT; eot *= 2 {
		b, err := m.bounds.Lasting(eot).Knowing(p)
		if err != nil {
			return "", err
		}
		g, err := provenance.Evaluate(ctx, p, b, o)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil { // it is too large, or has no meaning in a later round
			known = "is not known to be"
			break
		}
		facts := len(g.Carried())
		if facts == before {
			return fmt.Sprintf("the state seems finite: no fact of %s is new after round %d", text.Plural(eot, "round"), eot/2), nil
		}
		before = facts
	}
	w := all[0]
	for _, c := range clocks {
		if c.File == w.File && c.Line == w.Line && c.Why != "" && !strings.Contains(c.Why, "computed") {
			w.Message += "; rules tell all of them apart: " + c.Why
		}
	}
	return fmt.Sprintf("the state %s finite: %s: %s", known, w.Position, w.Message), nil
}

// applying returns the program without rules that never fire, and without what always holds in others, because
// nobody crashes within the bounds.
func (m *Model) applying() *dedalus.Program {
	if m.bounds.Crashes != 0 {
		return m.program
	}
	p := *m.program
	for gone := []string{syntax.Crash}; len(gone) > 0; {
		before := definedArities(&p)
		var rules []*syntax.Rule
		for _, r := range p.Rules {
			own := *r
			own.Body, own.Index = nil, len(rules)
			never := false
			for _, t := range r.Body {
				if t.Atom == nil || !slices.Contains(gone, t.Atom.Relation) {
					own.Body = append(own.Body, t)
				} else {
					never = never || !t.Negated
				}
			}
			if !never {
				rules = append(rules, &own)
			}
		}
		p.Rules, gone = rules, nil
		after := definedArities(&p)
		for name := range before {
			if _, ok := after[name]; !ok && name != preRelation && name != postRelation && name != violationRelation {
				gone = append(gone, name)
			}
		}
	}
	return &p
}
