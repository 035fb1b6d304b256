package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Orders returns where the promise of a program depends on the arrival times of messages:
// rules that read the absence of messages, that count messages, or that need a message in
// the round in which another fact holds. If there are none the promise is monotone:
// messages that come late or twice break it only if they come too late for the last round.
func Orders(p *dedalus.Program) []specs.Warning {
	o := &orders{program: p.Slice("pre", "post", "good", "violation"), messages: map[string][]string{}, kept: map[string]bool{}}
	o.spread()
	for _, r := range o.program.Rules {
		o.keeps(r)
	}
	o.kept[syntax.Crash] = true // it is the same in all rounds
	o.follow()
	for _, r := range o.program.Rules {
		o.rule(r)
	}
	return o.points
}

// orders finds these rules.
type orders struct {
	program  *dedalus.Program
	messages map[string][]string // the relations of messages on which a relation depends
	kept     map[string]bool     // relations that some rule keeps whatever happens
	points   []specs.Warning
}

// spread finds on which messages each relation depends.
func (o *orders) spread() {
	for changed := true; changed; {
		changed = false
		for _, r := range o.program.Rules {
			head := r.Head.Relation
			var more []string
			if r.Kind == syntax.Async {
				more = append(more, head)
			}
			for _, t := range r.Body {
				if t.Atom != nil {
					more = append(more, o.messages[t.Atom.Relation]...)
				}
			}
			for _, m := range more {
				if !slices.Contains(o.messages[head], m) {
					o.messages[head] = append(o.messages[head], m)
					changed = true
				}
			}
		}
	}
	for _, all := range o.messages {
		slices.Sort(all)
	}
}

// keeps notes a relation that a rule keeps: r(X, Y)@next :- r(X, Y).
func (o *orders) keeps(r *syntax.Rule) {
	if r.Kind != syntax.Next || len(r.Body) != 1 || r.Body[0].Atom == nil || r.Body[0].Negated || r.Body[0].At != 0 {
		return
	}
	body := r.Body[0].Atom
	same := body.Relation == r.Head.Relation && len(body.Args) == len(r.Head.Args)
	seen := map[string]bool{}
	for i := range r.Head.Args {
		v, ok := r.Head.Args[i].(*syntax.Variable)
		if !same || !ok || seen[v.Name] || fmt.Sprint(body.Args[i]) != v.Name {
			return
		}
		seen[v.Name] = true
	}
	if same {
		o.kept[body.Relation] = true
	}
}

// follow finds the relations that are derived from kept relations only, and so are kept as
// well.
func (o *orders) follow() {
	rules, stated := map[string][]*syntax.Rule{}, map[string]bool{}
	for _, r := range o.program.Rules {
		rules[r.Head.Relation] = append(rules[r.Head.Relation], r)
	}
	for _, f := range o.program.Facts {
		stated[f.Relation] = true
	}
	for changed := true; changed; {
		changed = false
		for relation, all := range rules {
			if !o.kept[relation] && !stated[relation] && !slices.ContainsFunc(all, func(r *syntax.Rule) bool { return !o.lasts(r) }) {
				o.kept[relation], changed = true, true
			}
		}
	}
}

// lasts tells whether a rule that gives a fact once keeps giving it.
func (o *orders) lasts(r *syntax.Rule) bool {
	if r.Kind != syntax.Deductive {
		return false
	}
	for _, t := range r.Body {
		if t.Atom != nil && (t.Negated || t.At == 0 && !o.kept[t.Atom.Relation]) {
			return false
		}
	}
	return !slices.ContainsFunc(r.Head.Args, func(e syntax.Expr) bool {
		_, ok := e.(*syntax.Aggregate)
		return ok
	})
}

// rule looks at one rule.
func (o *orders) rule(r *syntax.Rule) {
	var positive []syntax.Term
	for _, t := range r.Body {
		if t.Atom == nil || len(o.messages[t.Atom.Relation]) == 0 && t.Negated {
			continue
		}
		switch {
		case t.Negated:
			o.point(t.Atom.Position, r, t.Atom.Relation, "notin %s is about what has not arrived yet", t.Atom)
		case t.At != 0 && len(o.messages[t.Atom.Relation]) > 0:
			o.point(t.Atom.Position, r, t.Atom.Relation, "%s@%d is about what had arrived by then", t.Atom, t.At)
		case t.At == 0:
			positive = append(positive, t)
		}
	}
	for _, e := range r.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok {
			o.aggregate(r, a)
		}
	}
	o.together(r, positive)
}

// aggregate reports an aggregate over facts that messages bring.
func (o *orders) aggregate(r *syntax.Rule, a *syntax.Aggregate) {
	for _, t := range r.Body {
		if t.Atom != nil && !t.Negated && len(o.messages[t.Atom.Relation]) > 0 {
			o.point(a.Position, r, t.Atom.Relation, "%s is over what has arrived", a)
			return
		}
	}
}

// together reports a fact that depends on messages and has to hold in the same round as
// another fact that does not always hold.
func (o *orders) together(r *syntax.Rule, positive []syntax.Term) {
	brought := func(t syntax.Term) bool { return len(o.messages[t.Atom.Relation]) > 0 }
	for i, t := range positive {
		for k, other := range positive {
			passes := !o.kept[other.Atom.Relation] || brought(other) && !o.kept[t.Atom.Relation]
			said := k < i && brought(other) && (!o.kept[t.Atom.Relation] || !o.kept[other.Atom.Relation])
			if k != i && brought(t) && passes && !said {
				o.point(t.Atom.Position, r, t.Atom.Relation, "%s has to be there in the same round as %s", t.Atom, other.Atom)
				break
			}
		}
	}
}

// point reports a place of a rule where it matters when the messages of a relation
// arrive, and with which others they race.
func (o *orders) point(at specs.Position, r *syntax.Rule, relation, format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	arriving := o.messages[relation]
	var others []string
	for _, t := range r.Body {
		if t.Atom == nil {
			continue
		}
		for _, m := range o.messages[t.Atom.Relation] {
			if !slices.Contains(arriving, m) && !slices.Contains(others, m) {
				others = append(others, m)
			}
		}
	}
	slices.Sort(others)
	s += fmt.Sprintf(": it matters when %s", arrive(arriving))
	if len(others) > 0 {
		s += fmt.Sprintf(", in a race with %s", text.List(others, "and"))
	}
	o.points = append(o.points, specs.Warning{Position: at, Message: strings.ReplaceAll(s, "\n", " "), Excerpt: o.program.Excerpt(at)})
}

// arrive says that messages do.
func arrive(relations []string) string {
	if len(relations) == 1 {
		return relations[0] + " arrives"
	}
	return text.List(relations, "and") + " arrive"
}
