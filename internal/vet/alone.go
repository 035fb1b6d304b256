package vet

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
)

// alone tells whether processes share nothing but messages: each rule of the protocol reads
// and writes facts of one process.
func (a *analysis) alone() result.Condition {
	c := result.Condition{
		Group: result.GroupClosure, Name: "processes share nothing but messages", Met: result.MetYes, Needed: true,
		Why: "each rule of the protocol reads and writes facts of one process",
	}
	for _, r := range a.Program.Rules {
		if !a.protocol[r.Head.Relation] || a.open(r) {
			continue
		}
		if why, where := a.shares(r); why != "" {
			c.Met, c.Why, c.Position = result.MetNo, why, at(where)
			return c
		}
	}
	return c
}

// shares says which facts of other processes a rule reads or writes.
func (a *analysis) shares(r *syntax.Rule) (why string, where specs.Position) {
	here := r.Location()
	if here == nil {
		return "this rule runs at no process", r.Position
	}
	for _, t := range r.Body {
		switch {
		case t.Atom == nil:
		case !a.depends(t.Atom):
			if !a.anywhere(r, t) {
				return fmt.Sprintf("this rule runs at %v and reads %s, which depends on the round, of another process", here, syntax.Shorten(t.Atom.Relation)), t.Atom.Position
			}
		case t.Atom.Relation == syntax.Crash:
			return "this rule reads crash, which no process can see", t.Atom.Position
		case t.At > 0:
			return fmt.Sprintf("this rule reads %s of round %d in every round, also in earlier ones", syntax.Shorten(t.Atom.Relation), t.At), t.Atom.Position
		case !placed(t.Atom, here):
			return fmt.Sprintf("this rule runs at %v and reads %s of another process", here, syntax.Shorten(t.Atom.Relation)), t.Atom.Position
		}
	}
	if r.Kind != syntax.Async && !placed(&r.Head, here) {
		return fmt.Sprintf("this rule runs at %v and writes %s of another process, without a message", here, syntax.Shorten(r.Head.Relation)), r.Head.Position
	}
	return "", specs.Position{}
}

// placed tells whether an atom is at a location.
func placed(atom *syntax.Atom, here syntax.Expr) bool {
	return len(atom.Args) > 0 && atom.Args[0].String() == here.String()
}

// local tells whether all rules of a relation read and write facts of one process.
func (a *analysis) local(relation string) bool {
	for _, r := range a.Program.Rules {
		if r.Head.Relation == relation {
			if why, _ := a.shares(r); why != "" {
				return false
			}
		}
	}
	return true
}
