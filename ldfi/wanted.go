package ldfi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// wanted is a wanted fact in place of a promise: it is to hold in one of some rounds, or in
// none of them. An execution that reaches this takes the place of one that breaks the
// promise.
type wanted struct {
	program     *dedalus.Program
	processes   []string
	fact        syntax.Query
	absent      bool
	first, last int
	through     []syntax.Query // facts that are to hold before it, one after the other, each in a later round

	// missing stands for the facts that the promise lacks where the fact is to be absent.
	// It is the first fact of the last round that has such facts without faults. A fact
	// without columns has none.
	missing recording.Fact
}

// wantedOf reads a fact and checks it against a program and its bounds.
func wantedOf(p *dedalus.Program, b rounds.Bounds, text string, absent bool) (*wanted, error) {
	q, err := dedalus.ParseQuery(text)
	if err != nil {
		return nil, err
	}
	if err := possible(&q, p, b); err != nil {
		return nil, fmt.Errorf("fact %q: %w", text, err)
	}
	w := &wanted{program: p, processes: b.Processes, fact: q, absent: absent, first: 1, last: b.EOT}
	if q.Round > 0 {
		w.first, w.last = q.Round, q.Round
	}
	return w, nil
}

// possible reports a fact that no execution can have, whatever the faults.
func possible(q *syntax.Query, p *dedalus.Program, b rounds.Bounds) error {
	if q.Relation == syntax.Crash || q.Relation == syntax.Booted {
		return fmt.Errorf("%s says which faults there are: name these by --require, as in --require 'crash a@2'", q.Relation)
	}
	if q.Round > b.EOT {
		return fmt.Errorf("round %d is after the last round, %d", q.Round, b.EOT)
	}
	var names []string
	for _, r := range p.Relations() {
		if names = append(names, r.Name); r.Name == q.Relation && r.Arity != len(q.Args) {
			return fmt.Errorf("%s has %d columns, not %d", q.Relation, r.Arity, len(q.Args))
		}
	}
	if !slices.Contains(names, q.Relation) {
		return fmt.Errorf("the program has no relation %s%s", q.Relation, text.DidYouMean(q.Relation, names))
	}
	if _, defined := definedArities(p)[q.Relation]; !defined {
		return fmt.Errorf("%s has no rule and no fact in the program, so it never holds", q.Relation)
	}
	return nil
}

// expect sets the fact that is reported when the wanted fact is missing: one of the run
// without faults, if it has one.
func (w *wanted) expect(faultless outcome) {
	w.missing = recording.Fact{Relation: w.fact.Relation, Round: w.last}
	for round := w.last; round >= w.first; round-- {
		if all := w.holding(faultless, round); len(all) > 0 {
			w.missing.Args, w.missing.Round = all[0], round
			return
		}
	}
}

// holding returns the facts of a round that are meant, sorted.
func (w *wanted) holding(o outcome, round int) [][]specs.Value {
	var all [][]specs.Value
	for _, args := range o.Facts(w.fact.Relation, round) {
		if matches(&w.fact, w.program, args) {
			all = append(all, slices.Clone(args))
		}
	}
	return all
}

// judge returns the wanted facts of an execution by their rounds, or that there is none.
func (w *wanted) judge(o outcome) []result.Violation {
	var found []result.Violation
	for round := w.earliest(o); round <= w.last; round++ {
		for _, args := range w.holding(o, round) {
			found = append(found, w.present(recording.Fact{Relation: w.fact.Relation, Args: args, Round: round}))
		}
	}
	switch {
	case !w.absent:
		return found
	case len(found) > 0:
		return nil
	}
	return []result.Violation{w.lacking()}
}

// goals adds the results that judge can return, with their conditions.
func (w *wanted) goals(g *provenance.Graph, add func(result.Violation, solver.Lit)) {
	var any []solver.Lit
	passed := w.passed(g)
	for round := w.first; round <= w.last; round++ {
		for _, f := range g.Facts(w.fact.Relation, round) {
			switch {
			case !matches(&w.fact, w.program, f.Args()):
			case w.absent:
				any = append(any, f.Cond())
			default:
				add(w.present(f.Ground()), g.Circuit.And(passed[round-1], f.Cond()))
			}
		}
	}
	if w.absent {
		add(w.lacking(), g.Circuit.Ors(any...).Not())
	}
}

func (w *wanted) present(f recording.Fact) result.Violation { return result.Violation{Fact: f} }

func (w *wanted) lacking() result.Violation {
	return result.Violation{Fact: w.missing, Missing: true}
}

// sentence describes a result of judge in words.
func (w *wanted) sentence(v result.Violation, b rounds.Bounds) string {
	switch {
	case !v.Missing:
		return sentence(v, b)
	case w.fact.Round == 0:
		return w.pattern() + " holds in no round"
	case slices.ContainsFunc(w.fact.Args, func(a syntax.QueryArg) bool { return a.Wildcard }):
		return fmt.Sprintf("no %s holds at round %d", w.pattern(), w.first)
	default:
		return fmt.Sprintf("%s is missing at round %d", w.pattern(), w.first)
	}
}

// String returns the fact in the form for people, with its round if it has one.
func (w *wanted) String() string { return w.pattern() + syntax.Suffix(w.fact.Round) }

// pattern is the fact without its round, in the form for people.
func (w *wanted) pattern() string {
	args := make([]string, len(w.fact.Args))
	for i, a := range w.fact.Args {
		switch {
		case a.Wildcard:
			args[i] = "_"
		case slices.Contains(w.processes, a.Value.Text()):
			args[i] = a.Value.Text()
		default:
			args[i] = a.Value.String()
		}
	}
	return w.fact.Relation + "(" + strings.Join(args, ", ") + ")"
}
