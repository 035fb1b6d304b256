package vet

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// counted tells whether the rounds of a process only grow: they do, since the language
// counts them, but a process that restarts has forgotten its round.
func (a *analysis) counted() result.Condition {
	return forgetting(result.Condition{
		Group: result.GroupClosure, Name: "the round of a process only grows", Met: result.MetYes, Needed: true, Why: a.clocks(),
	}, a.Bounds)
}

// forgetting says of a condition about rounds that it is not known to be met where
// processes come back.
func forgetting(c result.Condition, b rounds.Bounds) result.Condition {
	switch {
	case b.Crashes != 0 && b.Restarts != 0:
		c.Met, c.Why = result.MetUnknown, "a process that comes back may count its rounds anew (restarts)"
	case len(b.Joins) > 0:
		c.Met, c.Why = result.MetUnknown, "a process that joins later may count its rounds from then on (join)"
	}
	return c
}

// clocks says how a process knows its round.
func (a *analysis) clocks() string {
	why := "the language counts them"
	if a.schedule == nil {
		return why
	}
	for _, r := range a.Program.Rules {
		if r.Kind == syntax.Next && a.timed[r.Head.Relation] && a.tellsRound(r.Head.Relation) {
			return why + ", and " + syntax.Shorten(r.Head.Relation) + " tells a process which it is"
		}
	}
	return why
}

// tellsRound tells whether a relation has other facts in each round.
func (a *analysis) tellsRound(relation string) bool {
	seen := map[string]bool{}
	for round := 1; round <= a.Bounds.EOT; round++ {
		text := fmt.Sprint(a.schedule.timed.Facts(relation, round))
		if seen[text] || text == "[]" {
			return false
		}
		seen[text] = true
	}
	return true
}

// unfound returns a condition that is not known to be met, because the rounds could not be
// found.
func (a *analysis) unfound(c result.Condition) result.Condition {
	c.Met, c.Why = result.MetUnknown, "the rounds of messages could not be found: "+a.refused.Error()
	return c
}

// most limits the possible messages that are compared with each other.
const most = 4_000

// tagged says whether each message tells in which round it was sent.
func (a *analysis) tagged() result.Condition {
	c := result.Condition{
		Group: result.GroupClosure, Name: "each message tells its round", Met: result.MetYes, Needed: true,
		Why: "its relation or one of its columns does",
	}
	if a.schedule == nil {
		return a.unfound(c)
	}
	if len(a.schedule.sends) == 0 {
		c.Why = "there are no messages"
	}
	byRelation := map[string][]stamp{}
	for _, s := range a.schedule.sends {
		for _, one := range s.sent {
			relation := s.rule.Head.Relation
			for _, other := range byRelation[relation] {
				if alike(other, stamp{s, one}) {
					return a.untold(c, s.rule, other.one.round, one.round)
				}
			}
			if len(byRelation[relation]) == most {
				c.Met, c.Position = result.MetUnknown, at(s.rule.Position)
				c.Why = fmt.Sprintf("there are more than %d kinds of %s", most, syntax.Shorten(relation))
				return c
			}
			byRelation[relation] = append(byRelation[relation], stamp{s, one})
		}
	}
	return c
}

// untold adds to a condition that messages of different rounds can be equal. Columns that
// hold data may tell the round all the same.
func (a *analysis) untold(c result.Condition, r *syntax.Rule, one, other int) result.Condition {
	c.Met, c.Position = result.MetNo, at(r.Position)
	c.Why = fmt.Sprintf("%s of round %d can be the same as one of round %d", syntax.Shorten(r.Head.Relation), other, one)
	if a.mayTell(r) {
		c.Met = result.MetUnknown
		c.Why = fmt.Sprintf("this rule does not show that %s of round %d differs from one of round %d", syntax.Shorten(r.Head.Relation), other, one)
	}
	return c
}

// mayTell tells whether a column of a message, after the receiver, may hold unknown
// integers.
func (a *analysis) mayTell(r *syntax.Rule) bool {
	for _, s := range a.schedule.sends {
		if s.rule == r {
			return len(s.columns) < len(r.Head.Args)-1 || len(s.columns) < len(r.Head.Args) && contains0(s.columns)
		}
	}
	return false
}

// contains0 tells whether the receiver is among columns.
func contains0(columns []int) bool { return len(columns) > 0 && columns[0] == 0 }

// stamp has the known values of a message.
type stamp struct {
	*send
	one sent
}

// alike tells whether messages of different rounds can be equal.
func alike(s, t stamp) bool {
	if s.one.round == t.one.round {
		return false
	}
	for i, column := range s.columns {
		if v, ok := t.value(t.one, column); ok && v != s.one.values[i] {
			return false
		}
	}
	return true
}

// usage says which uses read messages of other rounds.
type usage struct {
	a           *analysis
	late, early *leak // the first of each kind
}

func (a *analysis) used() usage {
	u := usage{a: a}
	if a.schedule == nil {
		return u
	}
	for i := range a.schedule.leaks {
		l := &a.schedule.leaks[i]
		switch {
		case l.late() && better(l, u.late):
			u.late = l
		case !l.late() && better(l, u.early):
			u.early = l
		}
	}
	return u
}

// better tells whether to show leak l rather than shown: a certain one is better.
func better(l, shown *leak) bool { return shown == nil || l.certain && !shown.certain }

// condition adds the leaks, if any, to a condition.
func (u usage) condition(c result.Condition, leaks ...*leak) result.Condition {
	if u.a.schedule == nil {
		return u.a.unfound(c)
	}
	for _, l := range leaks {
		if l == nil {
			continue
		}
		c.Met, c.Position = result.MetUnknown, at(l.atom.Position)
		c.Why = fmt.Sprintf("as far as this rule shows, it reads %s in round %d too", l, l.read)
		if l.certain {
			c.Met = result.MetNo
			c.Why = fmt.Sprintf("this rule reads %s in round %d too, if it arrives then", l, l.read)
		}
		return c
	}
	return c
}

// closed says whether messages are read in their round only.
func (u usage) closed() result.Condition {
	return u.condition(result.Condition{
		Group: result.GroupClosure, Name: "a message is used only in its round", Met: result.MetYes, Needed: true,
		Why: "each rule that reads one is for messages of the round before",
	}, u.late, u.early)
}

// unguarded tells whether a rule takes whatever message there is: nothing else that it
// reads or compares says anything about the message.
func (a *analysis) unguarded(u use) bool {
	mine := map[string]bool{}
	for i, e := range u.atom.Args {
		if i == 0 {
			continue // the process
		}
		if _, ok := e.(*syntax.Constant); ok {
			return false
		}
		syntax.EachVariable(e, func(v *syntax.Variable) { mine[v.Name] = true })
	}
	shared := false
	look := func(e syntax.Expr) {
		syntax.EachVariable(e, func(v *syntax.Variable) { shared = shared || mine[v.Name] })
	}
	for _, t := range u.rule.Body {
		switch {
		case t.Test != nil:
			look(t.Test)
		case t.Atom == u.atom:
		case t.Negated || a.depends(t.Atom):
			return false // it may not hold when a message is late
		default:
			for _, e := range t.Atom.Args {
				look(e)
			}
		}
	}
	return !shared
}
