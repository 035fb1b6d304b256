package ldfi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Invariant is what is so after every round, for any number of rounds: the sentences of a proof.
type Invariant struct {
	sentences []*provenance.Sentence
	step      *provenance.Step
	system    *solver.Transitions
	clocks    []provenance.Clock
}

// Invariant returns the proof of AnyRounds; nil with an answer that is not holds.
func (m *Model) Invariant(ctx context.Context) (*Invariant, *result.Answer, error) {
	u, a, err := m.everyRound(ctx)
	if err == nil && a.Verdict == result.Holds && u.invariant == nil {
		err = fmt.Errorf("writing the proof as sentences: %w", ctx.Err())
	}
	if err != nil {
		return nil, nil, err
	}
	return u.invariant, a, nil
}

// Breaks says which sentences some facts break if a round after the first has them, and lacks those with a "not"
// before them; nil if no sentence forbids it. Facts are separated by ";" or by ",", and _ is any value.
func (i *Invariant) Breaks(ctx context.Context, facts string) (*result.Breach, error) {
	s := solver.NewSolver(i.system.Circuit)
	s.Assert(i.system.Valid)
	s.Assert(i.step.Started())
	b := &result.Breach{}
	for _, said := range supposed(facts) {
		fact, not := strings.CutPrefix(said, "not ")
		lit, err := i.round(strings.TrimSpace(fact))
		if err != nil {
			return nil, err
		}
		if not {
			lit = lit.Not()
		}
		if lit == solver.False {
			b.Never = append(b.Never, said)
		}
		s.Assert(lit)
	}
	if len(b.Never) > 0 {
		return b, nil
	}
	holds := make([]solver.Lit, len(i.sentences))
	for n, sentence := range i.sentences {
		holds[n] = i.system.Circuit.Input()
		for _, c := range sentence.Clauses {
			s.AssertAny(append(i.system.Clause(c), holds[n].Not())...)
		}
	}
	core, status, err := s.MinimalCore(ctx, holds...)
	if err != nil || status != solver.Unsat {
		return nil, err
	}
	for n, sentence := range i.sentences {
		if slices.Contains(core, holds[n]) {
			b.Sentences = append(b.Sentences, sentence.String())
		}
	}
	return b, nil
}

// supposed are the facts of a text.
func supposed(list string) (all []string) {
	depth, quoted, from := 0, false, 0
	add := func(to int) {
		if fact := strings.TrimSpace(list[from:to]); fact != "" {
			all = append(all, fact)
		}
		from = to + 1
	}
	for at, r := range list {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ';' || r == ',' && depth <= 0:
			add(at)
		}
	}
	add(len(list))
	return all
}

// round is true in the rounds that have a fact.
func (i *Invariant) round(fact string) (solver.Lit, error) {
	q, err := dedalus.ParseQuery(fact)
	if err != nil {
		return solver.False, err
	}
	switch {
	case q.Round != 0:
		return solver.False, fmt.Errorf("%s: leave out the round, the proof is about every round", fact)
	case !slices.Contains(i.step.Graph.Relations(), q.Relation):
		return solver.False, fmt.Errorf("%s: the promise does not depend on %s, so the proof does not speak of it", fact, q.Relation)
	}
	for _, c := range i.clocks {
		if c.Relation == q.Relation && c.Most > 0 && c.Column < len(q.Args) {
			if v := &q.Args[c.Column].Value; v.IsInt() && v.Int() > c.Most {
				*v = specs.Int(c.Most)
			}
		}
	}
	if any := i.step.Graph.Facts(q.Relation, 1); len(any) > 0 && len(any[0].Args()) != len(q.Args) {
		return solver.False, fmt.Errorf("%s: %s has %s", fact, q.Relation, text.Plural(len(any[0].Args()), "argument"))
	}
	return i.any(q), nil
}

// any is true in the rounds that have a fact of those that are asked for.
func (i *Invariant) any(q syntax.Query) solver.Lit {
	var lits []solver.Lit
	for _, f := range i.step.Graph.Facts(q.Relation, 1) {
		if q.Matches(q.Relation, f.Args(), 1) {
			lits = append(lits, f.Cond())
		}
	}
	return i.system.Circuit.Ors(lits...)
}
