package advise

import (
	"fmt"
	"math"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// probe is a question whose answer has to be yes for a part that lets rules do less: can
// a fact still come about within the bounds? Else the promise would be kept because
// something never happens.
type probe struct {
	rule string // to be added for the question; none if the program has the relation
	fact string // a pattern of facts of any round
}

// spare is a rule, and its relation, of which there have to be facts without faults.
type spare struct{ rule, relation string }

// derived is a rule of the protocol that gives what the execution without faults does not
// have, and the fact of it that is nearest to what breaks the promise.
type derived struct {
	rule *syntax.Rule
	fact recording.Fact
}

// surplus returns the rules that give what only the counterexample has, those nearest to
// what breaks the promise first.
func surplus(p *dedalus.Program, d *result.Difference) (all []derived) {
	for _, change := range slices.Backward(d.Changes) {
		r := ruleAt(p, change.Position)
		known := func(other derived) bool { return other.rule == r }
		if r != nil && !change.Missing && !slices.ContainsFunc(all, known) {
			all = append(all, derived{r, change.Fact})
		}
	}
	return all
}

// mostRaised is how many larger thresholds are tried in place of one, where there are
// fewer processes.
const mostRaised = 2

// thresholds asks for more where a rule compares something with a number: with the next
// ones, up to the number of processes. Of what has to reach them one more has to be there
// without faults: else a single process that is silent would keep the rule from ever
// giving anything.
func (w *writer) thresholds(r *syntax.Rule, processes int) (all []part) {
	at := r.Location()
	if at == nil {
		return nil
	}
	for i, t := range r.Body {
		compared, ok := t.Test.(*syntax.Binary)
		if t.Atom != nil || !ok {
			continue
		}
		steps := raised(compared, processes)
		for k, stricter := range steps[:max(0, len(steps)-1)] {
			changed, exceeded := *r, *r
			changed.Body, exceeded.Body = slices.Clone(r.Body), slices.Clone(r.Body)
			changed.Body[i] = syntax.Term{Test: stricter}
			exceeded.Body[i] = syntax.Term{Test: steps[k+1]}
			fires, exceeds := w.fresh("fires_"+r.Head.Relation), w.fresh("exceeds_"+r.Head.Relation)
			all = append(all, part{
				kind: threshold, text: fmt.Sprintf("%s needs %s, not %s", r.Head.Relation, stricter, compared),
				rules: []string{changed.String()}, instead: []*syntax.Rule{r},
				probe: &probe{rule(atom(fires, at.String()), "", body(&changed)), atom(fires, "_")}, less: r.Head.Relation,
				spare: &spare{rule(atom(exceeds, at.String()), "", body(&exceeded)), exceeds},
			})
		}
	}
	return all
}

// raised are stricter comparisons in place of one that something is at least, or more
// than, a number, and one that is stricter still; the other way round it may stand as well.
func raised(b *syntax.Binary, processes int) (all []*syntax.Binary) {
	number, right := b.Right.(*syntax.Constant)
	lower := b.Op == ">=" || b.Op == ">"
	if !right {
		number, right = b.Left.(*syntax.Constant)
		lower = b.Op == "<=" || b.Op == "<"
	}
	if !right || !lower || !number.Value.IsInt() || number.Value.Int() > math.MaxInt64-mostRaised-2 {
		return nil
	}
	least := number.Value.Int()
	for n := least + 1; n <= max(least+mostRaised, int64(processes))+1 && len(all) <= max(processes, mostRaised); n++ {
		stricter, constant := *b, &syntax.Constant{Value: specs.Int(n)}
		if b.Right == syntax.Expr(number) {
			stricter.Right = constant
		} else {
			stricter.Left = constant
		}
		all = append(all, &stricter)
	}
	return all
}

// leaveOut takes a rule away; false if it only keeps what there is, or if nothing else
// gives its relation, so that there would be nothing of that.
func (w *writer) leaveOut(d derived) (part, bool) {
	name := d.rule.Head.Relation
	keeps := slices.ContainsFunc(d.rule.Body, func(t syntax.Term) bool { return t.Atom != nil && t.Atom.Relation == name })
	others := slices.ContainsFunc(w.program.Facts, func(f *syntax.Fact) bool { return f.Relation == name }) ||
		slices.ContainsFunc(w.program.Rules, func(r *syntax.Rule) bool { return r != d.rule && r.Head.Relation == name })
	return part{
		kind: without, text: "a rule for " + name + " is left out", instead: []*syntax.Rule{d.rule},
		probe: &probe{fact: withoutRound(d.fact)}, less: name,
	}, others && !keeps
}

// withoutRound is a fact as a pattern of any round.
func withoutRound(f recording.Fact) string {
	args := make([]string, len(f.Args))
	for i, v := range f.Args {
		args[i] = v.String()
	}
	return atom(f.Relation, args...)
}

// present returns what must not be and is there all the same: the facts that lead from
// the first one that the execution without faults does not have to what the promise
// forbids.
func present(d *result.Difference) (all []result.Derived) {
	if d.Outcome == 0 || d.Changes[d.Outcome-1].Missing {
		return nil
	}
	for _, number := range d.Chain {
		if c := d.Changes[number-1]; !c.Missing && c.Rule != "" {
			all = append(all, result.Derived{Fact: c.Fact, Derivation: result.Derivation{Rule: c.Rule, Position: c.Position}})
		}
	}
	return all
}
