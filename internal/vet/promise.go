package vet

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// violation is the relation that is looked at in every round; the others of a promise
// are looked at in the last one.
const violation = "violation"

// promiseOf returns the relations of the promise of a program.
func promiseOf(p *dedalus.Program) []string {
	defined := map[string]bool{}
	for _, r := range p.Rules {
		defined[r.Head.Relation] = true
	}
	for _, f := range p.Facts {
		defined[f.Relation] = true
	}
	var names []string
	switch {
	case defined["pre"] || defined["post"]:
		names = []string{"pre", "post"}
	case defined["good"]:
		names = []string{"good"}
	}
	if defined[violation] {
		names = append(names, violation)
	}
	return names
}

// promised is the analysis of a promise.
type promised struct {
	*analysis
	seen            map[string]bool
	local, stutters result.Condition
}

// promise tells whether the promise is local, and insensitive to stuttering.
func (a *analysis) promise() []result.Condition {
	p := &promised{a, map[string]bool{}, result.Condition{
		Group: result.GroupPromise, Name: "it is about local histories", Met: result.MetYes, Needed: true,
		Why: "it reads what processes have in the end, or keep for ever",
	}, result.Condition{
		Group: result.GroupPromise, Name: "it is insensitive to stuttering", Met: result.MetYes, Needed: true,
		Why: "it reads no rounds and no times",
	}}
	if len(a.Promise) == 0 {
		p.local.Met, p.local.Why = result.MetUnknown, "nothing is promised"
		p.stutters.Met, p.stutters.Why = result.MetUnknown, "nothing is promised"
	}
	for _, relation := range a.Promise {
		p.formula(relation, relation == violation && !a.local(relation), a.first(relation))
	}
	return []result.Condition{p.local, p.stutters}
}

// first is where a relation is given first.
func (a *analysis) first(relation string) specs.Position {
	for _, r := range a.Program.Rules {
		if r.Head.Relation == relation {
			return r.Position
		}
	}
	return specs.Position{File: a.Program.Files[0], Line: 1, Column: 1}
}

func no(c *result.Condition, where specs.Position, format string, args ...any) {
	if c.Met == result.MetYes {
		c.Met, c.Why, c.Position = result.MetNo, fmt.Sprintf(format, args...), at(where)
	}
}

// formula analyses a relation that states the promise. If anytime, it is read in every
// round, and for several processes: a fact of one process in one round is seen beside facts
// of others in any other round, so the facts it reads have to stay.
func (p *promised) formula(relation string, anytime bool, where specs.Position) {
	key := fmt.Sprint(relation, anytime)
	if p.seen[key] {
		return
	}
	p.seen[key] = true
	for _, r := range p.Program.Rules {
		if r.Head.Relation == relation {
			p.rule(r, anytime)
		}
	}
}

// rule looks at a rule of a formula.
func (p *promised) rule(r *syntax.Rule, anytime bool) {
	name := syntax.Shorten(r.Head.Relation)
	switch {
	case p.timed[r.Head.Relation]: // the atoms of the rule say all
	case r.Kind == syntax.Async:
		no(&p.local, r.Position, "%s is a message, and is judged when it arrives", name)
		return
	case r.Kind == syntax.Next && !p.analysis.local(r.Head.Relation):
		no(&p.local, r.Position, "%s keeps over rounds what several processes have at the same time", name)
		return
	case anytime && aggregates(r):
		no(&p.local, r.Position, "%s counts what several processes have at the same time", name)
	}
	for _, t := range r.Body {
		if t.Atom != nil {
			p.atom(r, t, anytime)
		}
	}
}

func aggregates(r *syntax.Rule) bool {
	return slices.ContainsFunc(r.Head.Args, func(e syntax.Expr) bool {
		_, ok := e.(*syntax.Aggregate)
		return ok
	})
}

// atom analyses an atom in a rule of a formula.
func (p *promised) atom(r *syntax.Rule, t syntax.Term, anytime bool) {
	name := syntax.Shorten(t.Atom.Relation)
	switch {
	case t.Atom.Relation == syntax.Crash:
		if !ignored(r, t.Atom.Args[2]) {
			no(&p.stutters, t.Atom.Position, "it reads in which round a process crashed")
		}
	case p.timed[t.Atom.Relation]:
		if t.At == 0 && !p.fixed(r, t) && !p.last(r) {
			no(&p.stutters, t.Atom.Position, "it reads %s, which depends on the round", name)
		}
		if !p.protocol[t.Atom.Relation] {
			p.formula(t.Atom.Relation, anytime, t.Atom.Position)
		}
	case t.At > 0:
		no(&p.stutters, t.Atom.Position, "it reads %s of round %d", name, t.At)
	case p.messages[t.Atom.Relation]:
		no(&p.local, t.Atom.Position, "it reads %s, a message, when it arrives", name)
	case p.carries(t.Atom.Relation):
		no(&p.local, t.Atom.Position, "it reads %s, which is made of messages of any round", name)
		if !p.carried[t.Atom.Relation] && p.local.Position != nil && *p.local.Position == t.Atom.Position {
			p.local.Met, p.local.Why = result.MetUnknown, "it reads "+name+", which may be made of messages of any round"
		}
	case p.analysis.local(t.Atom.Relation):
		p.state(t, anytime)
	case anytime && t.Negated:
		no(&p.local, t.Atom.Position, "that there is no %s is about several processes at the same time", name)
	default:
		p.formula(t.Atom.Relation, anytime, t.Atom.Position)
	}
}

// last tells whether a rule fires only for facts that depend on no message, and is judged
// in the last round: each process has reached it.
func (p *promised) last(r *syntax.Rule) bool {
	return p.timed[r.Head.Relation] && r.Head.Relation != violation && slices.Contains(p.Promise, r.Head.Relation)
}

// carries tells whether a relation may be made of messages of other rounds.
func (a *analysis) carries(relation string) bool {
	_, ok := a.carried[relation]
	return ok
}

// state analyses an atom about a process.
func (p *promised) state(t syntax.Term, anytime bool) {
	p.readsRound(t)
	if !anytime {
		return
	}
	name := syntax.Shorten(t.Atom.Relation)
	if t.Negated || !p.stays(t.Atom.Relation, map[string]bool{}) {
		no(&p.local, t.Atom.Position, "it looks at several processes at the same time, and %s may change", name)
	}
}

// readsRound reports a relation of one process that depends on times, if only the promise
// reads it.
func (p *promised) readsRound(t syntax.Term) {
	if !p.protocol[t.Atom.Relation] {
		p.formula(t.Atom.Relation, false, t.Atom.Position)
	}
}

// ignored tells whether an argument of a body is read nowhere else in its rule.
func ignored(r *syntax.Rule, e syntax.Expr) bool {
	v, ok := e.(*syntax.Variable)
	if !ok {
		_, wildcard := e.(*syntax.Wildcard)
		return wildcard
	}
	n := 0
	count := func(e syntax.Expr) {
		syntax.EachVariable(e, func(other *syntax.Variable) {
			if other.Name == v.Name {
				n++
			}
		})
	}
	for _, e := range r.Head.Args {
		count(e)
	}
	for _, t := range r.Body {
		if t.Test != nil {
			count(t.Test)
			continue
		}
		for _, e := range t.Atom.Args {
			count(e)
		}
	}
	return n == 1
}

// stays tells whether the facts of a relation hold for ever once they hold: a rule keeps
// them, or they follow from such facts alone.
func (p *promised) stays(relation string, within map[string]bool) bool {
	if within[relation] {
		return false
	}
	within[relation] = true
	defer delete(within, relation)
	follows := true
	for _, r := range p.Program.Rules {
		if r.Head.Relation != relation {
			continue
		}
		if keeps(r) {
			return true
		}
		follows = follows && r.Kind == syntax.Deductive && !aggregates(r) && p.staying(r, within)
	}
	return follows && !slices.ContainsFunc(p.Program.Facts, func(f *syntax.Fact) bool { return f.Relation == relation }) &&
		!slices.ContainsFunc(p.Program.Choices, func(c *syntax.Choose) bool { return c.Relation == relation })
}

// staying tells whether all that a rule reads stays.
func (p *promised) staying(r *syntax.Rule, within map[string]bool) bool {
	for _, t := range r.Body {
		switch {
		case t.Atom == nil:
		case p.timed[t.Atom.Relation] && (t.At > 0 || p.steady(t.Atom.Relation)):
		case t.Negated || !p.stays(t.Atom.Relation, within):
			return false
		}
	}
	return true
}
