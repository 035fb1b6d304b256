package syntax

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/specs"
)

// Follows returns a rule because of which a relation has every fact that another one has,
// of equal columns, as far as the text of the rules shows it: for each rule for the other,
// there is one whose body holds wherever that rule fires. isProcess says where rules fire;
// nil: everywhere. It returns nil if there is a fact that this does not show for.
func Follows(rules []*Rule, facts []*Fact, relation, of string, isProcess func(specs.Value) bool) *Rule {
	var first *Rule
	note := func(g *given) bool {
		by := g.gives(rules, relation)
		if first == nil {
			first = by
		}
		return by != nil
	}
	kept := slices.ContainsFunc(rules, func(r *Rule) bool { return r.Head.Relation == of && r.Kind != Deductive })
	for _, r := range rules {
		if r.Head.Relation == of && !note(givenBy(r, kept, isProcess)) {
			return nil
		}
	}
	for _, f := range facts {
		if f.Relation == of && !note(givenFact(f, isProcess)) {
			return nil
		}
	}
	return first
}

// given is what holds in a round in which a fact does, because of the rule that gives it.
// Its variables stand for values, and each wildcard for a value of its own.
type given struct {
	by        *Rule // nil: a fact of the program
	head      *Atom
	body      []Term // of the same round
	place     Expr   // where the rule fires, which is a process; nil: not known
	isProcess func(specs.Value) bool
}

// givenBy returns what a rule gives. Facts that are kept may be older than what is in the
// body of the rule: those of a process that stands still, too.
func givenBy(r *Rule, kept bool, isProcess func(specs.Value) bool) *given {
	g := &given{by: r, head: &r.Head, isProcess: isProcess, place: r.Location()}
	if !kept {
		g.body = r.Body
	}
	if r.Kind == Async { // what arrives is at a process
		g.place = nil
		if len(r.Head.Args) > 0 {
			g.place = r.Head.Args[0]
		}
	}
	return g
}

func givenFact(f *Fact, isProcess func(specs.Value) bool) *given {
	head := &Atom{Relation: f.Relation}
	for _, v := range f.Args {
		head.Args = append(head.Args, &Constant{Value: v})
	}
	return &given{head: head, isProcess: isProcess}
}

// gives returns a rule for a relation that gives it the columns of the head, nil if none
// is seen to. If the body has that fact already it is the rule that has this body.
func (g *given) gives(rules []*Rule, relation string) *Rule {
	for _, t := range g.body {
		if t.Atom != nil && !t.Negated && t.At == 0 && t.Atom.Relation == relation && sameArgs(t.Atom.Args, g.head.Args) {
			return g.by
		}
	}
	for _, r := range rules {
		if r.Head.Relation != relation || r.Kind != Deductive || len(r.Head.Args) != len(g.head.Args) {
			continue
		}
		s, ok := binding{}, true
		for i, e := range r.Head.Args {
			ok = ok && s.matches(e, g.head.Args[i])
		}
		if ok && g.meets(r, r.Body, s) {
			return r
		}
	}
	return nil
}

// sameArgs tells whether columns are the same, whatever their variables stand for.
func sameArgs(args, others []Expr) bool {
	for i, e := range args {
		if _, wild := e.(*Wildcard); wild || e.String() != others[i].String() {
			return false
		}
	}
	return true
}

// meets tells whether what is left of the body of a rule holds, in some way to bind its
// variables, and the rule fires there.
func (g *given) meets(r *Rule, left []Term, s binding) bool {
	for len(left) > 0 && (left[0].Atom == nil || left[0].Negated) { // they are looked at when all is bound
		left = left[1:]
	}
	if len(left) == 0 {
		return g.fires(r, s) && g.rest(r, s)
	}
	atoms := []Term{{Atom: g.head}}
	for _, t := range append(atoms, g.body...) {
		if t.Atom == nil || t.Negated || t.At != left[0].At || t.Atom.Relation != left[0].Atom.Relation {
			continue
		}
		try, ok := maps.Clone(s), true
		for i, e := range left[0].Atom.Args {
			ok = ok && try.matches(e, t.Atom.Args[i])
		}
		if ok && g.meets(r, left[1:], try) {
			return true
		}
	}
	return false
}

// fires tells whether a rule fires where what is given holds.
func (g *given) fires(r *Rule, s binding) bool {
	at := r.Location()
	if at == nil || g.isProcess == nil {
		return true
	}
	place := s.replaced(at)
	if c, ok := place.(*Constant); ok && g.isProcess(c.Value) {
		return true
	}
	return g.place != nil && place != nil && place.String() == g.place.String()
}

// rest tells whether the comparisons and negated atoms of a rule are among what is given.
func (g *given) rest(r *Rule, s binding) bool {
	for _, t := range r.Body {
		if t.Atom != nil && !t.Negated {
			continue
		}
		met := false
		for _, have := range g.body {
			switch {
			case t.Atom == nil:
				met = met || have.Atom == nil && s.text(t.Test) == have.Test.String()
			case have.Negated && have.At == t.At && have.Atom.Relation == t.Atom.Relation:
				met = met || s.excludes(t.Atom, r, have.Atom, g.by)
			}
		}
		if !met {
			return false
		}
	}
	return true
}

// binding is what the variables of a rule stand for. A wildcard stands for itself.
type binding map[string]Expr

// matches binds a variable, or tells whether an expression is the same as what is given.
func (s binding) matches(e, given Expr) bool {
	switch e := e.(type) {
	case *Wildcard:
		return true
	case *Variable:
		bound, ok := s[e.Name]
		if !ok {
			s[e.Name] = given
			return true
		}
		_, wild := given.(*Wildcard)
		return bound == given || !wild && bound.String() == given.String()
	case *Constant:
		c, ok := given.(*Constant)
		return ok && c.Value == e.Value
	default: // computed from variables that may not be bound yet
		return false
	}
}

// of returns what an expression stands for, nil if that is not known.
func (s binding) of(e Expr) Expr {
	if v, ok := e.(*Variable); ok {
		return s[v.Name]
	}
	return e
}

// text is an expression with what its variables stand for, as it is written; "" if that is
// not known of one.
func (s binding) text(e Expr) string {
	switch e := e.(type) {
	case *Binary:
		left, right := s.replaced(e.Left), s.replaced(e.Right)
		if left == nil || right == nil {
			return ""
		}
		return (&Binary{Op: e.Op, Left: left, Right: right}).String()
	default:
		return fmt.Sprint(s.of(e))
	}
}

func (s binding) replaced(e Expr) Expr {
	b, ok := e.(*Binary)
	if !ok {
		return s.of(e)
	}
	left, right := s.replaced(b.Left), s.replaced(b.Right)
	if left == nil || right == nil {
		return nil
	}
	return &Binary{Op: b.Op, Left: left, Right: right}
}

// excludes tells whether a negated atom of one rule holds where that of another one does,
// which is the same or leaves more open.
func (s binding) excludes(a *Atom, r *Rule, given *Atom, by *Rule) bool {
	for i, e := range a.Args {
		switch have := given.Args[i]; {
		case open(have, given, by):
		case open(e, a, r):
			return false
		case s.of(e) == nil || s.of(e).String() != have.String():
			return false
		}
	}
	return true
}

// open tells whether a column of a negated atom may have any value: it is a wildcard, or a
// variable that is nowhere else in the atom and that no positive atom binds.
func open(e Expr, a *Atom, r *Rule) bool {
	v, ok := e.(*Variable)
	if !ok {
		_, wild := e.(*Wildcard)
		return wild
	}
	times := 0
	for _, other := range a.Args {
		EachVariable(other, func(o *Variable) {
			if o.Name == v.Name {
				times++
			}
		})
	}
	return times == 1 && !r.binds(v.Name)
}
