package explain

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs"
)

// closest returns the instance of a rule that comes closest to giving a fact of a pattern
// by firing in a round: the one that lacks the least. It is for rules that fire under no
// schedule. It returns nil if the rule's head can give no such fact at all.
func (x *Explainer) closest(r *syntax.Rule, p Pattern, round int) *candidate {
	c := &closestSearch{x: x, rule: r, wanted: p, round: round, env: assignment{}, matched: make([]*provenance.Fact, len(r.Body))}
	for i, column := range p.Columns {
		if column.Open {
			continue
		}
		if _, ok := c.env.match(r.Head.Args[i], column.Value); !ok {
			return nil
		}
	}
	c.search(0, 0)
	return c.best
}

// steps limits the facts that closest tries before it takes the best candidate so far.
const steps = 2000

// closestSearch is a search for the closest instance of a rule. It goes through the
// body, and leaves out positive atoms that no fact meets.
type closestSearch struct {
	x       *Explainer
	rule    *syntax.Rule
	wanted  Pattern
	round   int
	env     assignment
	matched []*provenance.Fact // by body term
	steps   int
	best    *candidate
	least   int
}

// search matches the body from term i on, after leaving out leftOut atoms before it.
func (c *closestSearch) search(i, leftOut int) {
	if c.best != nil && (leftOut >= c.least || c.steps > steps) {
		return
	}
	if i == len(c.rule.Body) {
		c.consider()
		return
	}
	term := c.rule.Body[i]
	if term.Atom == nil || term.Negated {
		c.search(i+1, leftOut)
		return
	}
	for _, f := range c.x.holding(term.Atom.Relation, c.read(term)) {
		if c.steps++; c.steps > steps {
			break
		}
		if bound, ok := c.env.matchAll(term.Atom.Args, f.Args()); ok {
			c.matched[i] = f
			c.search(i+1, leftOut)
			c.matched[i] = nil
			c.env.undo(bound)
		}
	}
	c.search(i+1, leftOut+1)
}

// read is the round in which a body atom is read.
func (c *closestSearch) read(t syntax.Term) int {
	if t.At > 0 {
		return t.At
	}
	return c.round
}

// consider makes a candidate of the current match and keeps it if it is the best.
func (c *closestSearch) consider() {
	a := &candidate{rule: c.rule, first: c.round, last: c.round, bindings: c.bindings()}
	for i, term := range c.rule.Body {
		if part := c.part(i, term); part != nil {
			a.parts = append(a.parts, part)
		}
	}
	a.parts = append(a.parts, c.places()...)
	a.parts = append(a.parts, c.headParts()...)
	if n := a.missing(); c.best == nil || n < c.least {
		c.best, c.least = a, n
	}
}

// bindings are the values of the rule's variables, as far as known, in the order in which
// they first occur.
func (c *closestSearch) bindings() []Binding {
	var all []Binding
	for _, name := range c.rule.Variables() {
		if v, ok := c.env[name]; ok {
			all = append(all, Binding{Name: name, Value: c.x.column(v)})
		}
	}
	return all
}

// part returns a body term with whether it is met; nil if the term has no part. An atom
// that was left out although some facts would meet it does not fit the rest.
func (c *closestSearch) part(i int, term syntax.Term) *Part {
	switch {
	case term.Atom == nil:
		if !c.env.knows(term.Test) || c.env.test(term.Test) {
			return nil
		}
		return &Part{Text: c.failed(term.Test)}
	case term.Negated:
		return c.negated(term)
	case c.matched[i] != nil && c.agrees(term.Atom.Args, c.matched[i]):
		return c.x.positivePart(c.matched[i])
	}
	p := c.x.atomPattern(term.Atom, c.env, c.read(term))
	if c.x.anyHolds(p, p.Last) {
		return &Part{Text: fmt.Sprintf("no %s goes with the rest", p.String())}
	}
	return &Part{Atom: &p}
}

// agrees checks parts that matching had to leave open: arithmetic whose variables got their
// values later.
func (c *closestSearch) agrees(args []syntax.Expr, f *provenance.Fact) bool {
	for i, e := range args {
		if _, ok := e.(*syntax.Binary); ok && c.env.knows(e) {
			if v, ok := c.env.value(e); !ok || v != f.Arg(i) {
				return false
			}
		}
	}
	return true
}

// negated returns a negated atom with whether it is met.
func (c *closestSearch) negated(term syntax.Term) *Part {
	round := c.read(term)
	p := c.x.atomPattern(term.Atom, c.env, round)
	var facts []*provenance.Fact
	for _, f := range c.x.holding(term.Atom.Relation, round) {
		if p.matches(f.Args()) {
			facts = append(facts, f)
		}
	}
	return c.x.negativePart(p, facts)
}

// failed writes a comparison that does not hold, with its values.
func (c *closestSearch) failed(test syntax.Expr) string {
	b, ok := test.(*syntax.Binary)
	if !ok {
		return test.String() + " is no comparison"
	}
	return fmt.Sprintf("%s: %s %s %s does not hold", b, c.shown(b.Left), b.Op, c.shown(b.Right))
}

func (c *closestSearch) shown(e syntax.Expr) string {
	v, ok := c.env.value(e)
	if !ok {
		return "no value"
	}
	return c.x.column(v).String()
}

// places returns the errors in the location of the rule and the destination of its message.
func (c *closestSearch) places() []*Part {
	var parts []*Part
	wrong := func(what string, e syntax.Expr) bool {
		v, ok := c.env.value(e)
		if !ok {
			return false
		}
		if _, isProcess := c.x.processes[v]; isProcess {
			return false
		}
		parts = append(parts, &Part{Text: fmt.Sprintf("%s %s, which is no process", what, c.shown(e))})
		return true
	}
	location := c.rule.Location()
	if location != nil && wrong("it is located at", location) {
		return parts
	}
	if p := c.x.stoppedPart(c.rule, c.env, c.round); p != nil {
		parts = append(parts, p)
	}
	if c.rule.Kind != syntax.Async || len(c.rule.Head.Args) == 0 {
		return parts
	}
	destination := c.rule.Head.Args[0]
	if wrong("it is sent to", destination) {
		return parts
	}
	if m := c.message(location, destination); m != nil && !m.Met {
		parts = append(parts, m)
	}
	return parts
}

// message is the message of the rule to another process, nil if there is none or its sender
// and receiver are not known.
func (c *closestSearch) message(location, destination syntax.Expr) *Part {
	names := c.x.Graph.Bounds.Processes
	to, ok := c.env.value(destination)
	if !ok || location == nil {
		return nil
	}
	from, ok := c.env.value(location)
	if !ok || from == to {
		return nil
	}
	var args []specs.Value
	for _, e := range c.rule.Head.Args {
		v, _ := c.env.value(e)
		args = append(args, v)
	}
	sender, receiver := names[c.x.processes[from]], names[c.x.processes[to]]
	nth := c.x.Graph.Nth(c.rule.Head.Relation, sender, receiver, c.round, args)
	return c.x.messagePart(c.rule.Head.Relation, nth, sender, receiver, c.round)
}

// headParts returns the differences between arithmetic in the head and the wanted values.
func (c *closestSearch) headParts() []*Part {
	var parts []*Part
	for i, e := range c.rule.Head.Args {
		wanted := c.wanted.Columns[i]
		if _, ok := e.(*syntax.Binary); !ok || !c.env.knows(e) || wanted.Open {
			continue
		}
		if v, ok := c.env.value(e); !ok || v != wanted.Value {
			parts = append(parts, &Part{Text: fmt.Sprintf("%s is %s, not %s", e, c.shown(e), c.x.column(wanted.Value).String())})
		}
	}
	return parts
}
