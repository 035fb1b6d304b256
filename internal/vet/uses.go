package vet

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// use is an atom that reads messages, or relations that deductive rules make of them.
type use struct {
	rule *syntax.Rule
	atom *syntax.Atom
}

// leak is a use in which a message of another round fits.
type leak struct {
	use
	sent, read int  // in which rounds
	made       bool // it is something that a rule makes of messages
	certain    bool // no rule on the way asks for anything else
}

// late tells whether the message comes too late for its round.
func (l leak) late() bool { return l.sent < l.read-1 }

// String describes the read.
func (l leak) String() string {
	name := syntax.Shorten(l.atom.Relation)
	if l.made {
		return fmt.Sprintf("%s, made of messages of round %d,", name, l.sent)
	}
	return fmt.Sprintf("%s of round %d", name, l.sent)
}

// uses returns all atoms that read a relation, except in rules that only keep it.
func (a *analysis) uses(relation string) []use {
	var all []use
	for _, r := range a.Program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation == relation && !keeps(r) {
				all = append(all, use{r, t.Atom})
			}
		}
	}
	return all
}

// keeps tells whether a rule is r(..)@next :- r(..), which keeps the facts of r.
func keeps(r *syntax.Rule) bool {
	return r.Kind == syntax.Next && len(r.Body) == 1 && r.Body[0].Atom != nil && !r.Body[0].Negated && r.Body[0].At == 0 &&
		r.Body[0].Atom.String() == r.Head.String() && distinct(r.Head.Args)
}

// distinct tells whether expressions are variables, all different.
func distinct(args []syntax.Expr) bool {
	seen := map[string]bool{}
	for _, e := range args {
		v, ok := e.(*syntax.Variable)
		if !ok || seen[v.Name] {
			return false
		}
		seen[v.Name] = true
	}
	return true
}

// carrier is a relation with messages, or with facts that a deductive rule makes of
// messages without reading their round. It has the known part of its facts, and the rounds
// in which the messages were sent.
type carrier struct {
	relation string
	columns  []int // whose values are known
	sent     []sent
	via      []*syntax.Rule // the deductive rules on the way
	certain  bool           // none of which has further conditions
}

// reading is a use of a carrier, and the rule of the abstraction that says where it fits.
type reading struct {
	use
	made, certain bool     // as of a leak
	on            *carrier // the relation that the rule makes, if it is to be followed; else nil
}

// findLeaks returns the uses that match messages of another round: for each the first
// message that comes too late, and the first that comes too early. A deductive rule that
// reads messages is no leak by itself: the uses of its relation are followed.
func (a *analysis) findLeaks(ctx context.Context, sends []*send) ([]leak, error) {
	var level []*carrier
	for _, s := range sends {
		level = append(level, &carrier{relation: s.rule.Head.Relation, columns: s.columns, sent: s.sent, certain: true})
	}
	var all []leak
	for len(level) > 0 && (len(all) == 0 || !a.brief) {
		readings, run, err := a.fit(ctx, level)
		if err != nil {
			return nil, err
		}
		level = nil
		for i, reading := range readings {
			leaks := reading.leaks(run, i, a.Bounds.EOT)
			switch {
			case len(leaks) == 0:
			case reading.on == nil:
				all = append(all, leaks...)
			default:
				a.carried[reading.on.relation] = a.carried[reading.on.relation] || reading.certain
				level = append(level, reading.on)
			}
		}
	}
	return all, nil
}

// fit executes the abstractions of all rules that read carriers.
func (a *analysis) fit(ctx context.Context, level []*carrier) ([]reading, *lockstep.Run, error) {
	p := a.timedProgram()
	var readings []reading
	var facts []*syntax.Fact
	for i, c := range level {
		facts = append(facts, c.facts(i)...)
		for _, u := range a.uses(c.relation) {
			rule, reading := a.reading(u, c, i, len(readings))
			p, readings = plus(p, rule), append(readings, reading)
		}
	}
	if len(readings) == 0 {
		return nil, nil, nil
	}
	run, err := a.run(ctx, p, facts)
	return readings, run, err
}

func carried(i int) string { return fmt.Sprintf("carried %d", i) }
func fits(i int) string    { return fmt.Sprintf("fits %d", i) }

// facts returns the possible facts of a carrier, with the round of sending in front.
func (c *carrier) facts(i int) []*syntax.Fact {
	var facts []*syntax.Fact
	for _, one := range c.sent {
		args := append([]specs.Value{specs.Int(int64(one.round))}, one.values...)
		facts = append(facts, &syntax.Fact{Relation: carried(i), Args: args, Round: 1})
	}
	return facts
}

// reading returns the n-th use of a carrier, and the rule that gives the rounds of sending
// of matching messages, with the known part of the head of the rule.
func (a *analysis) reading(u use, c *carrier, i, n int) (*syntax.Rule, reading) {
	round := &syntax.Variable{Name: "round sent"}
	message := &syntax.Atom{Relation: carried(i), Args: []syntax.Expr{round}}
	for _, column := range c.columns {
		message.Args = append(message.Args, u.atom.Args[column])
	}
	b, head := a.abstract(u.rule, message), []syntax.Expr{round}
	r := reading{use: u, made: len(c.via) > 0, certain: c.certain && a.unguarded(u)}
	if a.follows(u.rule, c) {
		r.on = &carrier{relation: u.rule.Head.Relation, via: append(slices.Clone(c.via), u.rule), certain: r.certain}
		for j, e := range u.rule.Head.Args {
			if v, ok := b.value(e); ok {
				r.on.columns, head = append(r.on.columns, j), append(head, v)
			}
		}
	}
	return b.gives(fits(n), head), r
}

// follows tells whether the relation that a rule makes of messages is followed. It is not
// if it is kept, sent or promised.
func (a *analysis) follows(r *syntax.Rule, c *carrier) bool {
	return a.deductive[r.Head.Relation] != nil && !slices.Contains(a.Promise, r.Head.Relation) && !slices.Contains(c.via, r)
}

// leaks returns the matches of messages of other rounds, and adds them to the relation that
// the rule makes.
func (r *reading) leaks(run *lockstep.Run, n, eot int) []leak {
	var late, early []leak
	for round := 1; round <= eot; round++ {
		for _, row := range run.Facts(fits(n), round) {
			l := leak{r.use, int(row[0].Int()), round, r.made, r.certain}
			if l.sent == round-1 {
				continue
			}
			if r.on != nil {
				r.on.add(sent{round: l.sent, values: row[1:]})
			}
			if l.late() && late == nil {
				late = []leak{l}
			}
			if !l.late() && early == nil {
				early = []leak{l}
			}
		}
	}
	return append(late, early...)
}

// add adds a message that is not there yet.
func (c *carrier) add(one sent) {
	if !slices.ContainsFunc(c.sent, func(s sent) bool { return s.round == one.round && slices.Equal(s.values, one.values) }) {
		c.sent = append(c.sent, one)
	}
}
