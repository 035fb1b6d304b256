package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// mostCommon limits the calls of the SAT solver by which the sentences are found that are so for all sizes.
const mostCommon = 20_000

// AnyRoundsOfSizes is AnyRounds for each number of processes between two. The answer is that of the first
// for which the promise does not hold. If there is none, Rounds.Sizes says whether the same sentences
// prove all. A program that names a process has one size only: then the error is a *provenance.UntimedError.
func (m *Model) AnyRoundsOfSizes(ctx context.Context, from, to int) (*result.Answer, error) {
	if _, asked := m.bounds.Quiet(); asked {
		return nil, &provenance.UntimedError{What: fmt.Sprintf("within=%s and sizes are two questions: leave out --sizes, or give --within none", m.bounds.Within)}
	}
	s := &sizes{ctx: ctx, found: &result.Sizes{Each: []result.Size{}, Sentences: []string{}}}
	for n := from; n <= to; n++ {
		if err := s.ask(m, n); err != nil {
			return nil, fmt.Errorf("with %s: %w", text.Plural(n, "process"), err)
		}
	}
	for _, verdict := range []result.Verdict{result.Violated, result.Inconclusive} {
		if i := slices.IndexFunc(s.answers, func(a *result.Answer) bool { return a.Verdict == verdict }); i >= 0 {
			s.answers[i].Rounds.Sizes = s.found
			return s.answers[i], nil
		}
	}
	s.answers[0].Rounds.Sizes = s.found
	return s.answers[0], s.compare()
}

// sizes is one question about several numbers of processes.
type sizes struct {
	ctx     context.Context
	answers []*result.Answer
	proofs  []*unbounded
	found   *result.Sizes
}

// ask asks about n processes.
func (s *sizes) ask(m *Model, n int) error {
	sized, err := m.OfSize(n)
	if err != nil {
		return err
	}
	u, err := sized.unbounded(s.ctx)
	if err != nil {
		return err
	}
	if n := len(s.proofs); n > 0 && s.proofs[n-1].invariant != nil {
		u.seeds = s.proofs[n-1].invariant.sentences
	}
	a, err := u.decide()
	if err != nil {
		return err
	}
	a.Rounds = u.found
	s.answers, s.proofs = append(s.answers, a), append(s.proofs, u)
	s.found.Each = append(s.found.Each, result.Size{
		Processes: n, Verdict: a.Verdict, Clauses: u.found.Clauses, Sentences: len(u.found.Invariant), Round: u.found.Round, Reason: u.found.Reason,
	})
	return nil
}

// compare finds the sentences that prove the promise for the first sizes, as many as possible, among those
// of all proofs.
func (s *sizes) compare() error {
	for i, u := range s.proofs {
		if u.invariant == nil {
			s.found.Reason = fmt.Sprintf("there was no time to write the proof for %s in sentences", text.Plural(s.found.Each[i].Processes, "process"))
			return nil
		}
	}
	for n := len(s.proofs); n > 1; n-- {
		sentences, same, err := s.common(s.proofs[:n])
		if err != nil && s.ctx.Err() != nil {
			s.found.Reason = "the time was up before the proofs were compared"
			return nil
		}
		if err != nil {
			return fmt.Errorf("comparing the proofs for several numbers of processes: %w", err)
		}
		if same {
			s.found.Same, s.found.Sentences = s.found.Each[n-1].Processes, sentences
			return nil
		}
	}
	return nil
}

// common are the sentences that prove the promise for each of some sizes, if there are any.
func (s *sizes) common(proofs []*unbounded) (said []string, same bool, err error) {
	var all []*provenance.Sentence
	known := map[string]bool{}
	for _, u := range proofs {
		for _, sentence := range u.invariant.sentences {
			if text := sentence.String(); !known[text] {
				known[text] = true
				all = append(all, sentence)
			}
		}
	}
	var candidates []solver.Candidates
	for _, u := range proofs {
		_, of := restated(s.ctx, u.invariant.step, u.invariant.system, all)
		candidates = append(candidates, of)
	}
	kept, same, err := solver.Common(s.ctx, candidates, mostCommon)
	for i, sentence := range all {
		if same && kept[i] {
			said = append(said, sentence.String())
		}
	}
	return said, same, err
}

// restated are sentences of a proof for other processes, and their clauses in a system; the last group says that nothing is
// there before the first round.
func restated(ctx context.Context, step *provenance.Step, t *solver.Transitions, sentences []*provenance.Sentence) ([]*provenance.Sentence, solver.Candidates) {
	here, of := step.Restated(ctx, t, sentences), solver.Candidates{Transitions: t}
	for _, sentence := range here {
		of.Groups = append(of.Groups, sentence.Clauses)
	}
	of.Groups = append(of.Groups, step.NotEarly())
	return here, of
}

// seeded tries the sentences of a proof for other processes. If they are enough, the answer is theirs, and
// else it is nil, and known are the clauses of those that hold after each round.
func (u *unbounded) seeded(step *provenance.Step, t *solver.Transitions, bad solver.Lit) (a *result.Answer, known [][]solver.StateBit, err error) {
	if len(u.seeds) == 0 {
		return nil, nil, nil
	}
	here, of := restated(u.ctx, step, t, u.seeds)
	kept, enough, err := solver.Common(u.ctx, []solver.Candidates{of}, mostCommon)
	if err != nil {
		return nil, nil, fmt.Errorf("trying the sentences of fewer processes: %w", err)
	}
	seen := map[string]bool{}
	var sentences []*provenance.Sentence
	for g, clauses := range of.Groups {
		if !kept[g] {
			continue
		}
		if g < len(here) && len(clauses) > 0 {
			sentences = append(sentences, here[g])
		}
		for _, clause := range clauses {
			if key := fmt.Sprint(clause); !seen[key] {
				seen[key] = true
				known = append(known, clause)
			}
		}
	}
	if enough {
		a, err = u.concluded(step, t, bad, sentences, known)
		return a, nil, err
	}
	return nil, known, nil
}

// restricted is a system without the steps from states of which clauses are not so, none of which is reached.
func restricted(t *solver.Transitions, clauses [][]solver.StateBit) *solver.Transitions {
	if len(clauses) == 0 {
		return t
	}
	r := *t
	for _, clause := range clauses {
		var lits []solver.Lit
		for _, b := range clause {
			l := t.State[b.Bit]
			if !b.Value {
				l = l.Not()
			}
			lits = append(lits, l)
		}
		r.Valid = t.Circuit.And(r.Valid, t.Circuit.Ors(lits...))
	}
	return &r
}
