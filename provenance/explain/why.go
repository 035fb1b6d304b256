package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
)

// explainFact gives a node the firing that gave its fact, or all of them.
func (b *builder) explainFact(n *Node) {
	chosen := b.x.derivation(n.fact)
	n.Given = b.x.stated(n.fact)
	switch {
	case n.Relation == syntax.Crash || b.x.builtBooted(n.Relation):
		n.Note = scheduled
		return
	case chosen == nil && n.Given != nil && !b.limits.All:
		return
	case b.factsExplained >= b.limits.Facts:
		n.Note = notShown
		return
	}
	b.factsExplained++
	if chosen != nil && chosen.Chosen() {
		n.Note = choiceNote(chosen)
	} else if chosen != nil {
		n.Steps = append(n.Steps, b.step(n.fact, chosen))
	}
	if !b.limits.All {
		return
	}
	for _, f := range n.fact.Firings() {
		if f.Chosen() && b.x.Fires(f) {
			n.Note = choiceNote(f)
		} else if f != chosen && b.x.Fires(f) {
			n.Steps = append(n.Steps, b.step(n.fact, f))
		}
	}
}

// step describes a firing that gave a fact.
func (b *builder) step(f *provenance.Fact, firing *provenance.Firing) *Step {
	s := &Step{Rule: firing.Rule(), Fired: true, First: firing.Round(), Last: firing.Round(), Bindings: b.x.bindings(firing)}
	if firing.Rows() == nil {
		s.Parts = b.parts(firing)
		return s
	}
	s.Bindings = b.x.groupOf(f, firing)
	b.rows(s, f, firing)
	return s
}

// parts describes the needs of a firing that took place.
func (b *builder) parts(firing *provenance.Firing) []*Part {
	var parts []*Part
	positive, negative := firing.Positive(), firing.Negative()
	if firing.Rule() == nil {
		return []*Part{b.fact(positive[0])}
	}
	for _, term := range firing.Rule().Body {
		switch {
		case term.Atom == nil:
		case term.Negated:
			parts = append(parts, b.absence(negative[0]))
			negative = negative[1:]
		default:
			parts = append(parts, b.fact(positive[0]))
			positive = positive[1:]
		}
	}
	if d := firing.Delivery(); travels(firing) {
		m := &Message{From: d.From, To: d.To, First: d.Round, Last: d.Round, Reliable: b.x.reliable(d.From, d.To)}
		if d.Arrival > d.Round {
			m.Arrival, m.late = d.Arrival, b.x.late(firing)
		}
		parts = append(parts, &Part{Met: true, Message: m})
	}
	return parts
}

// absence mentions a negated atom that no fact meets. It explains the absence only if some
// other schedule has such a fact.
func (b *builder) absence(a *provenance.Absence) *Part {
	p := b.x.absencePattern(a)
	if len(a.Facts) == 0 || p.Relation == syntax.Crash {
		return &Part{Met: true, Negated: true, Atom: &p}
	}
	return b.absent(p, b.limits.Depth/2)
}

// absencePattern is the pattern of the facts that have to be absent.
func (x *Explainer) absencePattern(a *provenance.Absence) Pattern {
	p := Pattern{Relation: a.Atom.Relation, First: a.Round, Last: a.Round}
	for i, v := range a.Args {
		c := x.column(v)
		if a.Free[i] {
			c = Column{Open: true}
			if v, ok := a.Atom.Args[i].(*syntax.Variable); ok && occurrences(a.Atom, v.Name) > 1 {
				c.Name = v.Name
			}
		}
		p.Columns = append(p.Columns, c)
	}
	return p
}

// rows describes the rows of an aggregating firing: one for each value that the aggregate
// summarises, and the missing ones.
func (b *builder) rows(s *Step, f *provenance.Fact, firing *provenance.Firing) {
	seen := map[*provenance.Firing]bool{}
	for _, c := range b.x.contributions(f, firing) {
		row := b.x.row(c)
		if row == nil || seen[row] {
			continue
		}
		seen[row] = true
		s.Rows = append(s.Rows, &Step{Rule: s.Rule, Fired: true, First: s.First, Last: s.Last, Bindings: b.x.bindings(row), Parts: b.parts(row)})
	}
	for i, row := range b.x.missed(f, firing) {
		if i < b.limits.Steps {
			s.Rows = append(s.Rows, b.stepOf(row, b.limits.Depth/2, true))
		}
	}
}

// bindings returns the values of a rule's variables in a firing.
func (x *Explainer) bindings(firing *provenance.Firing) []Binding {
	var all []Binding
	for _, b := range firing.Bindings() {
		all = append(all, Binding{Name: b.Name, Value: x.column(b.Value)})
	}
	return all
}

// groupOf returns the values of the head's variables that the fact tells.
func (x *Explainer) groupOf(f *provenance.Fact, firing *provenance.Firing) []Binding {
	var all []Binding
	for i, e := range firing.Rule().Head.Args {
		v, ok := e.(*syntax.Variable)
		if ok && !slices.ContainsFunc(all, func(b Binding) bool { return b.Name == v.Name }) {
			all = append(all, Binding{Name: v.Name, Value: x.column(f.Arg(i))})
		}
	}
	return all
}

// stated returns the statement of a fact that the program states.
func (x *Explainer) stated(f *provenance.Fact) *syntax.Fact {
	if !f.Given() {
		return nil
	}
	args := f.Args()
	for _, s := range x.Graph.Program.Facts {
		if s.Relation == f.Relation() && s.Round == f.Round() && slices.Equal(s.Args, args) {
			return s
		}
	}
	return nil
}

// origin follows a fact that merely persists, or counts rounds, back to the
// round in which it came about.
func (x *Explainer) origin(f *provenance.Fact) (*provenance.Fact, *Persistence) {
	kept, last := &Persistence{}, f
	for {
		firing := x.derivation(f)
		if firing == nil {
			break
		}
		if carries(f, firing) || counts(f, firing) {
			x.keep(kept, firing)
			f = firing.Positive()[0]
		} else if turn := x.turn(f); turn != nil {
			for _, s := range turn {
				x.keep(kept, s.firing)
				x.keepTurn(kept, f, s)
			}
			f = turn[len(turn)-1].from
		} else {
			break
		}
		kept.Since = f.Round()
	}
	switch {
	case kept.Since == 0:
		return f, nil
	case !f.SameArgs(last):
		from := x.factPattern(f)
		kept.From = &from
	}
	return f, kept
}

// keep notes a firing that kept a fact.
func (x *Explainer) keep(kept *Persistence, firing *provenance.Firing) {
	if rule := firing.Rule(); !slices.Contains(kept.Rules, rule) {
		kept.Rules = append(kept.Rules, rule)
	}
	for _, a := range firing.Negative() {
		x.absentMeanwhile(kept, x.absencePattern(a), len(a.Facts) > 0)
	}
}

// counts tells whether a firing needs only a fact of its own relation in the round before,
// like a rule that counts rounds.
func counts(f *provenance.Fact, firing *provenance.Firing) bool {
	positive := firing.Positive()
	return firing.Rule() != nil && firing.Rule().Kind == syntax.Next && firing.Rows() == nil &&
		len(positive) == 1 && positive[0].Relation() == f.Relation() && positive[0].Round() == f.Round()-1 &&
		len(firing.Rule().Body) == 1
}

// absentMeanwhile notes that nothing of the pattern held, though it might have,
// joining it with rounds after, if nothing held between either.
func (x *Explainer) absentMeanwhile(k *Persistence, p Pattern, possible bool) {
	for _, q := range k.Absent {
		if q.Atom.sameColumns(p) && x.absentBetween(p, q.Atom.First) {
			q.Atom.First = min(q.Atom.First, p.First)
			q.possible = q.possible || possible
			return
		}
	}
	k.Absent = append(k.Absent, &Part{Met: true, Negated: true, Atom: &p, possible: possible})
}
