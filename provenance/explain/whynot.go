package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
)

// explainAbsence gives a node the rule instances that could have given a fact of its
// pattern, with the parts that each lacked.
func (b *builder) explainAbsence(n *Node) {
	switch {
	case n.Relation == syntax.Crash || b.x.builtBooted(n.Relation):
		n.Note = notScheduled
		return
	case n.depth > b.limits.Depth || b.absencesExplained >= b.limits.Absent:
		n.Note = notShown
		return
	}
	b.absencesExplained++
	all := b.x.candidates(n.Pattern, b.limits.possible)
	n.Note = b.x.notChosen(n.Pattern)
	if len(all) == 0 {
		n.Note = cmp.Or(n.Note, b.x.unattainable(n.Pattern))
		return
	}
	shown := choose(all, b.limits.Steps)
	n.Hidden = len(supports(all)) - len(supports(shown))
	possible := shown[0].possible
	for _, a := range shown {
		if a.missing() == 0 {
			a.parts = append(a.parts, &Part{Text: "what it gives has no value here"})
		}
		n.Steps = append(n.Steps, b.stepOf(a, n.depth+1, a.possible == possible))
	}
}

// candidates collects the rule instances that could have given a fact of the pattern,
// joined over rounds: the possible firings, and unless possible, also the closest instances
// of rules that have none.
func (x *Explainer) candidates(p Pattern, possible bool) []*candidate {
	var all []*candidate
	for _, r := range x.Graph.Program.Rules {
		if r.Head.Relation != p.Relation || len(r.Head.Args) != len(p.Columns) {
			continue
		}
		found := x.possibleCandidates(r, p)
		if len(found) == 0 && !possible {
			found = x.closestCandidates(r, p)
		}
		all = append(all, joinRounds(found)...)
	}
	all = append(all, joinRounds(x.frozenCandidates(p))...)
	return slices.DeleteFunc(all, func(a *candidate) bool { return circular(a, p) })
}

// maxCandidates limits the firings of a rule that are checked for an absence.
const maxCandidates = 1000

// possibleCandidates are the firings of a rule that give a fact of the pattern
// under some schedule.
func (x *Explainer) possibleCandidates(r *syntax.Rule, p Pattern) []*candidate {
	var all []*candidate
	for round := p.First; round <= p.Last; round++ {
		for _, f := range x.matching(p, round) {
			for _, firing := range f.Firings() {
				if firing.Rule() != r || firing.Chosen() || firing.LateBy() != nil { // which would take a fault
					continue
				}
				if len(all) >= maxCandidates {
					return all
				}
				if len(firing.Rows()) > 0 {
					all = append(all, x.aggregateCandidate(f, firing))
				} else {
					all = append(all, x.candidateOf(firing))
				}
			}
		}
	}
	return all
}

// frozenCandidates are the facts of the pattern that a crash would have kept: those of a
// process that has stopped.
func (x *Explainer) frozenCandidates(p Pattern) []*candidate {
	return slices.DeleteFunc(x.possibleCandidates(nil, p), func(a *candidate) bool {
		atom := a.parts[0].Atom // the kept fact, which has a location
		process, ok := x.processes[atom.Columns[0].Value]
		return !ok || !x.Environment.Down(process, atom.Last)
	})
}

// closestCandidates are the closest instances of a rule that never gives a fact of the
// pattern, in the rounds in which they lack the least.
func (x *Explainer) closestCandidates(r *syntax.Rule, p Pattern) []*candidate {
	if part := x.instead(r, p); part != nil {
		return []*candidate{{rule: r, first: p.Last, last: p.Last, parts: []*Part{part}}}
	}
	var all []*candidate
	for round := p.First; round <= p.Last; round++ {
		body := round
		if r.Kind != syntax.Deductive {
			body--
		}
		if body < 1 {
			continue
		}
		a := x.closest(r, p, body)
		switch {
		case a == nil:
		case len(all) == 0 || a.missing() == all[0].missing():
			all = append(all, a)
		case a.missing() < all[0].missing():
			all = []*candidate{a}
		}
	}
	return all
}

// aggregateCandidate returns an aggregating firing as a candidate: with the value that it
// gave instead, or with its rows if it gave none.
func (x *Explainer) aggregateCandidate(f *provenance.Fact, firing *provenance.Firing) *candidate {
	a := &candidate{rule: firing.Rule(), first: firing.Round(), last: firing.Round(), bindings: x.groupOf(f, firing), possible: true}
	if part := x.instead(a.rule, x.factPattern(f)); part != nil {
		a.parts = append(a.parts, part)
		return a
	}
	for _, row := range firing.Rows() {
		a.rows = append(a.rows, x.candidateOf(row))
	}
	slices.SortStableFunc(a.rows, func(a, b *candidate) int {
		return cmp.Compare(min(a.missing(), 1), min(b.missing(), 1))
	})
	return a
}

// circular tells whether a candidate needs, in an earlier round, a fact of the pattern that
// it is to give.
func circular(a *candidate, p Pattern) bool {
	return slices.ContainsFunc(a.parts, func(part *Part) bool {
		return !part.Met && !part.Negated && part.Atom != nil && part.Atom.sameColumns(p) &&
			p.First <= part.Atom.First && part.Atom.Last <= p.Last
	})
}

// joinRounds merges the candidates that are the same in consecutive rounds, and drops
// doubles.
func joinRounds(all []*candidate) []*candidate {
	latest := map[string]*candidate{}
	var joined []*candidate
	for _, a := range all {
		key := a.key()
		switch before := latest[key]; {
		case before != nil && before.last == a.last:
		case before != nil && before.joins(a):
			before.extend(a)
		default:
			latest[key] = a
			joined = append(joined, a)
		}
	}
	return joined
}

// choose picks the candidates to show, the closest first: of each support those that lack
// the least, and at most limit in all.
func choose(all []*candidate, limit int) []*candidate {
	least := map[string]int{}
	for _, a := range all {
		if n, known := least[a.support()]; !known || a.missing() < n {
			least[a.support()] = a.missing()
		}
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(a *candidate) bool { return a.missing() > least[a.support()] })
	slices.SortStableFunc(chosen, func(a, b *candidate) int {
		return cmp.Or(
			first(a.possible, b.possible),
			cmp.Compare(a.missing(), b.missing()),
			first(a.lostOnly(), b.lostOnly()),
		)
	})
	return chosen[:min(len(chosen), limit)]
}

// first orders true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// supports is the set of rule instances of some candidates.
func supports(all []*candidate) map[string]bool {
	set := map[string]bool{}
	for _, a := range all {
		set[a.support()] = true
	}
	return set
}

// stepOf makes a step of a candidate, and explains the parts that it lacked if reasons is
// true.
func (b *builder) stepOf(a *candidate, depth int, reasons bool) *Step {
	s := &Step{Rule: a.rule, Fired: a.missing() == 0, First: a.first, Last: a.last, Bindings: a.bindings, Parts: a.parts}
	for _, p := range a.parts {
		switch {
		case p.Instead:
			text := p.Text
			*p = *b.fact(p.fact)
			p.Instead, p.Text = true, text
		case p.Met || p.Atom == nil || !reasons:
		case p.Negated:
			why := b.fact(p.fact)
			p.Kept, p.Node = why.Kept, why.Node
			if p.Atom.First == p.Atom.Last {
				p.Atom = why.Atom
			}
		default:
			p.Node = b.absentNode(*p.Atom, depth)
		}
	}
	for _, row := range a.rows {
		if len(s.Rows) < b.limits.Steps {
			s.Rows = append(s.Rows, b.stepOf(row, depth, reasons))
		}
	}
	return s
}

// absentSince extends the span of an absence to earlier rounds, as long as a rule would
// have kept an earlier fact.
func (x *Explainer) absentSince(p Pattern) Pattern {
	if !slices.ContainsFunc(x.Graph.Program.Rules, func(r *syntax.Rule) bool { return keeps(r, p.Relation) }) {
		return p
	}
	for p.First > 1 && !x.anyHolds(p, p.First-1) {
		p.First--
	}
	return p
}

// keeps tells whether a rule keeps the facts of a relation unchanged from round to round.
func keeps(r *syntax.Rule, relation string) bool {
	if r.Kind != syntax.Next || r.Head.Relation != relation {
		return false
	}
	return slices.ContainsFunc(r.Body, func(t syntax.Term) bool {
		return t.Atom != nil && !t.Negated && t.At == 0 && t.Atom.Relation == relation &&
			slices.EqualFunc(t.Atom.Args, r.Head.Args, func(a, b syntax.Expr) bool { return a.String() == b.String() })
	})
}

// unattainable explains why a fact of the pattern is impossible.
func (x *Explainer) unattainable(p Pattern) string {
	var stated []string
	more := 0
	for _, f := range x.Graph.Program.Facts {
		switch {
		case f.Relation != p.Relation:
		case len(stated) < 3:
			known := x.patternOf(f.Relation, f.Args, f.Round)
			stated = append(stated, known.String())
		default:
			more++
		}
	}
	if more > 0 {
		stated = append(stated, fmt.Sprintf("%d more", more))
	}
	rules := slices.ContainsFunc(x.Graph.Program.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == p.Relation })
	switch {
	case len(stated) > 0:
		return fmt.Sprintf("no rule could give it, and the program states only %s", strings.Join(stated, ", "))
	case rules:
		return "no rule could give it"
	default:
		return x.unknown(p.Relation)
	}
}

// unknown explains why a relation has neither rules nor facts.
func (x *Explainer) unknown(relation string) string {
	if slices.ContainsFunc(x.Graph.Program.Choices, func(c *syntax.Choose) bool { return c.Relation == relation }) {
		return "it is none of the facts that the environment can choose"
	}
	return fmt.Sprintf("no rule and no fact gives %s", relation)
}
