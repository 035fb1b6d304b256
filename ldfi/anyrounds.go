package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// AnyRounds decides the promise for any number of rounds: violation, and pre and post in
// every round. Messages may be lost in every round. A violation is that of Check for the number of
// rounds in which there is one. If the question cannot be asked about the program, or its bounds,
// the error is a *provenance.UntimedError.
func (m *Model) AnyRounds(ctx context.Context) (*result.Answer, error) {
	_, a, err := m.everyRound(ctx)
	return a, err
}

// everyRound is AnyRounds, and returns the question as well.
func (m *Model) everyRound(ctx context.Context) (*unbounded, *result.Answer, error) {
	if _, asked := m.bounds.Quiet(); asked {
		return nil, nil, &provenance.UntimedError{What: fmt.Sprintf("within=%s and any-rounds are two questions: leave out --any-rounds, or give --within none", m.bounds.Within)}
	}
	u, err := m.unbounded(ctx)
	if err != nil {
		return nil, nil, err
	}
	a, err := u.decide()
	if err != nil {
		return nil, nil, err
	}
	a.Rounds = u.found
	return u, a, nil
}

// unbounded is the question of a model about any number of rounds, which is refused for some promises.
func (m *Model) unbounded(ctx context.Context) (*unbounded, error) {
	w, err := m.promised()
	if err != nil {
		return nil, err
	}
	if w.witnessed {
		return nil, &provenance.UntimedError{What: "goals=witnessed asks what the run without faults has at its last round, of which there is none"}
	}
	if w.good {
		return nil, &provenance.UntimedError{What: "good is judged by the run without faults at its last round, of which there is none", Position: m.definition(goodRelation)}
	}
	for _, r := range m.program.Slice(preRelation, postRelation, violationRelation).Rules {
		for _, t := range r.Body {
			if t.At > m.bounds.EOT {
				return nil, &provenance.UntimedError{What: fmt.Sprintf("%s is read at round %d, which no run of %s has: for any number of rounds take --eot %[2]d or more", t.Atom.Relation, t.At, text.Plural(m.bounds.EOT, "round")), Position: t.Atom.Position}
			}
		}
	}
	u := &unbounded{Model: m, ctx: ctx, promise: w, found: &result.Unbounded{Verdict: result.Inconclusive, Invariant: []string{}, Clocks: []result.Clock{}}}
	u.program, u.clocks = provenance.Saturated(m.applying())
	for _, c := range u.clocks {
		if c.Most > 0 && !c.Crashes {
			u.found.Clocks = append(u.found.Clocks, result.Clock{Relation: c.Relation, Most: c.Most, Position: c.Position})
		}
	}
	u.bounds = m.bounds.Lasting(m.bounds.EOT)
	return u, nil
}

// unbounded is one question about any number of rounds.
type unbounded struct {
	*Model
	ctx     context.Context
	promise *promise
	program *dedalus.Program // whose clocks are saturated
	clocks  []provenance.Clock
	bounds  rounds.Bounds // with losses in all rounds
	found   *result.Unbounded
	within  *within // pre and post are judged in quiet rounds only; nil: in every round

	seeds     []*provenance.Sentence // of a proof for other processes, which are tried first
	invariant *Invariant             // if it is found
	searched  bool                   // the bounded question was asked for the rounds of the bounds
}

// Limits of work: calls of the SAT solver, and how often the number of rounds is raised in which the
// facts of the state are looked for.
const (
	mostReachCalls = 200_000
	fewReachCalls  = 5_000 // before the bounded question is asked
	largeState     = 1_000 // facts with which it is asked first
	mostSaid       = 1_500 // clauses: larger invariants are made smaller before they are said
	mostTightening = 20_000
	mostGeneral    = 5_000
	mostRaised     = 3
)

// decide decides the question. If the time is up, or it was interrupted, that is no error.
func (u *unbounded) decide() (*result.Answer, error) {
	a, err := u.search()
	if err != nil && u.ctx.Err() != nil {
		return u.inconclusive("the time is up, or it was interrupted"), nil
	}
	return a, err
}

// search looks for an invariant, with the facts of the bounded evaluation as the state, and with those of more rounds if
// these are not all.
func (u *unbounded) search() (*result.Answer, error) {
	for raised := 0; ; raised++ {
		g, err := u.evaluate()
		if err == nil && len(g.Carried()) > largeState {
			if a, err := u.early(1); a != nil || err != nil {
				return a, err
			}
		}
		step, err := u.stepFrom(g, err)
		var limit *limits.LimitError
		var gates *solver.LimitError
		switch {
		case errors.As(err, &limit), errors.As(err, &gates):
			return u.inconclusive(err.Error()), nil
		case err != nil:
			return nil, err
		}
		bad := u.bad(step)
		t := step.Transitions(step.Graph.Circuit.Ors(bad, step.Overflow, step.Undefined))
		u.found.State = step.Facts()
		a, known, err := u.seeded(step, t, bad)
		if a != nil || err != nil {
			return a, err
		}
		r, a, err := u.reach(step, restricted(t, known))
		switch limit := (*solver.ReachLimitError)(nil); {
		case a != nil:
			return a, nil
		case errors.As(err, &limit):
			u.found.Depth = max(u.found.Depth, r.Depth)
			return u.inconclusive(fmt.Sprintf("no invariant within %d calls of the SAT solver", limit.Calls)), nil
		case err != nil:
			u.found.Depth = max(u.found.Depth, r.Depth)
			return nil, err
		case r.Never:
			return u.proved(step, t, bad, append(known, r.Invariant...))
		}
		if a, err = u.violated(step, r); a != nil || err != nil {
			return a, err
		}
		if err := u.missed(step, t, bad, r.Steps); err != nil {
			return nil, err
		}
		if raised == mostRaised {
			return u.inconclusive("the facts that can be there after a round become more with the rounds"), nil
		}
		if err := u.raise(step); err != nil {
			return nil, err
		}
	}
}

// reach looks for a bad step. If few calls do not decide it, the bounded question is asked for the rounds of the bounds:
// then a is its answer, if that is a violation.
func (u *unbounded) reach(s *provenance.Step, t *solver.Transitions) (r *solver.Reach, a *result.Answer, err error) {
	for _, calls := range []int{fewReachCalls, mostReachCalls} {
		r, err = t.Reach(u.ctx, calls)
		u.found.Calls += r.Calls
		if !errors.As(err, new(*solver.ReachLimitError)) || calls == mostReachCalls {
			break
		}
		if a, err := u.early(max(r.Depth+1, s.Begin())); a != nil || err != nil {
			return r, a, err
		}
	}
	return r, nil, err
}

// early asks the bounded question for the rounds of the bounds, and at least some; nil if it finds no violation.
func (u *unbounded) early(least int) (*result.Answer, error) {
	if u.within != nil || u.searched {
		return nil, nil
	}
	u.searched = true
	eot := max(u.Model.bounds.EOT, u.bounds.Shortest(), least)
	in, err := u.lasting(eot)
	if err != nil || in.Verdict != result.Violated {
		return nil, err
	}
	return u.first(u.bounds.Shortest(), eot)
}

// lasting asks the bounded question for so many rounds.
func (u *unbounded) lasting(eot int) (*result.Answer, error) {
	m, err := New(u.Model.program, u.Model.bounds.Lasting(eot), u.options)
	if err != nil {
		return nil, err
	}
	return m.Check(u.ctx)
}

// step evaluates the step from the facts of the bounded evaluation.
func (u *unbounded) step() (*provenance.Step, error) { return u.stepFrom(u.evaluate()) }

func (u *unbounded) stepFrom(g *provenance.Graph, err error) (*provenance.Step, error) {
	if err != nil {
		return nil, err
	}
	return provenance.EvaluateStep(u.ctx, u.program, u.bounds, u.asked(), g.Carried())
}

// asked limits an evaluation to what the promise needs.
func (u *unbounded) asked() provenance.Options {
	return u.limits(preRelation, postRelation, violationRelation)
}

// evaluate evaluates the program within the bounds in which the facts of the state are looked for.
func (u *unbounded) evaluate() (*provenance.Graph, error) {
	b, err := u.bounds.Knowing(u.program)
	if err != nil {
		return nil, err
	}
	return provenance.Evaluate(u.ctx, u.program, b, u.asked())
}

// bad is true in a round in which the promise is broken.
func (u *unbounded) bad(s *provenance.Step) solver.Lit {
	var all []solver.Lit
	c := s.Graph.Circuit
	if u.promise.violation {
		for _, f := range s.Graph.Facts(violationRelation, 1) {
			all = append(all, f.Cond())
		}
	}
	if u.promise.prePost {
		judged := s.Last
		if u.within != nil {
			judged = c.And(judged, s.Quiet(u.within.rounds))
		}
		for _, f := range s.Graph.Facts(preRelation, 1) {
			all = append(all, c.Ands(judged, f.Cond(), conditionOf(s.Graph.Find(postRelation, f.Args(), 1)).Not()))
		}
	}
	return c.Ors(all...)
}

// violated asks the bounded question for the rounds in which a step is bad; nil if that finds no
// violation, because the step is bad for another reason.
func (u *unbounded) violated(s *provenance.Step, r *solver.Reach) (*result.Answer, error) {
	if u.within != nil {
		return u.within.violated(s, r)
	}
	a, err := u.first(max(r.Depth+1, u.bounds.Shortest()), max(r.Steps+1, s.Begin())+u.bounds.Late()) // what is late has to arrive
	if u.promise.violation && u.found.Round > 1 && u.found.Round <= s.Begin() {
		u.found.Depth = 0 // there is no shorter run, in which an earlier violation could be the first
	}
	return a, err
}

// first asks the bounded question for one number of rounds after the other, until there is a violation; nil if there is none.
func (u *unbounded) first(round, last int) (*result.Answer, error) {
	u.found.Depth = round - 1
	for ; round <= last; round++ {
		a, err := u.lasting(round)
		if err != nil {
			return nil, err
		}
		switch a.Verdict {
		case result.Violated:
			u.found.Verdict, u.found.Round = result.Violated, round
			a.Warnings, a.Vacuity = vet.Static(u.Model.program, u.Model.bounds), "" // facts of later rounds hold
			return a, nil
		case result.Inconclusive:
			return u.inconclusive(fmt.Sprintf("the search of %d rounds does not come to an end", round)), nil
		}
		u.found.Depth = round
	}
	return nil, nil
}

// missed is an error of ldfi: a step breaks the promise, and the bounded search finds no violation. It is nil if the
// step is bad because more facts can be there than the state has.
func (u *unbounded) missed(s *provenance.Step, t *solver.Transitions, bad solver.Lit, steps int) error {
	broken, err := t.After(u.ctx, steps, bad, s.Graph.Circuit.Or(s.Overflow, s.Undefined))
	if err == nil && broken {
		err = fmt.Errorf("asking about any number of rounds: a step breaks the promise in round %d, and the search of %d rounds finds no violation; this is a bug of ldfi, please report it with the program", steps+1, steps+1)
	}
	return err
}

// inconclusive is the answer without one.
func (u *unbounded) inconclusive(reason string) *result.Answer {
	u.found.Reason = reason
	a := u.unanswered()
	a.Limit = &result.Limit{Kind: result.LimitInterrupted, Reason: "not decided for any number of rounds: " + reason}
	return a
}

// raise looks for the facts of the state in more rounds. If the numbers of a clock grow in each of them, the error says so.
func (u *unbounded) raise(s *provenance.Step) error {
	u.bounds.EOT *= 2
	for i := range u.clocks {
		c := &u.clocks[i]
		grows := func(g *provenance.Graph) bool {
			return slices.ContainsFunc(s.Unknown, func(r string) bool { return c.In(r) && (g == nil || g.Fresh(r)) })
		}
		if c.Most > 0 || !grows(nil) {
			continue
		}
		for again := false; ; again = true {
			g, err := u.evaluate()
			if limit := (*limits.LimitError)(nil); err != nil && !errors.As(err, &limit) && !errors.As(err, new(*solver.LimitError)) {
				return err
			}
			if err == nil && !grows(g) {
				break
			}
			if err != nil || again {
				return &provenance.UntimedError{Position: c.Position, What: fmt.Sprintf("the numbers in column %d of %s grow in each round, and rules tell all of them apart: %s; for any number of rounds they have to stop at a number, or to be compared with constants only", c.Column+1, c.Relation, c.Why)}
			}
			u.bounds.EOT *= 2
		}
	}
	return nil
}

// sentences says an invariant in sentences, and has those of their clauses that are needed; with an error, no
// sentences, and a smaller invariant.
func (u *unbounded) sentences(s *provenance.Step, t *solver.Transitions, invariant [][]solver.StateBit) ([]*provenance.Sentence, [][]solver.StateBit, error) {
	if len(invariant) > mostSaid {
		smaller, err := t.Tighten(u.ctx, invariant, mostTightening)
		if invariant = smaller; err != nil {
			return nil, invariant, err
		}
	}
	sentences, err := s.Sentences(u.ctx, t, invariant, u.speaksOf(), mostGeneral)
	if err != nil {
		return nil, invariant, err
	}
	few, err := s.Few(u.ctx, t, invariant, sentences, mostGeneral)
	if err != nil {
		return nil, invariant, err
	}
	return sentences, few, nil
}

// proved checks an invariant, makes it smaller, and writes it for people.
func (u *unbounded) proved(s *provenance.Step, t *solver.Transitions, bad solver.Lit, invariant [][]solver.StateBit) (*result.Answer, error) {
	sentences, few, err := u.sentences(s, t, invariant)
	if err != nil && u.ctx.Err() != nil { // there is a proof, but no time to say it in few words
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return u.concluded(s, t, bad, sentences, few)
}

// concluded checks an invariant in sentences, and is the answer with it.
func (u *unbounded) concluded(s *provenance.Step, t *solver.Transitions, bad solver.Lit, sentences []*provenance.Sentence, few [][]solver.StateBit) (*result.Answer, error) {
	if err := t.CheckInvariant(context.WithoutCancel(u.ctx), few); err != nil {
		return nil, fmt.Errorf("checking the proof for any number of rounds: %w", err)
	}
	u.found.Verdict, u.found.Clauses, u.found.Until, u.found.Vacuous = result.Holds, len(few), s.Until(), bad == solver.False && s.Undefined == solver.False
	for _, sentence := range sentences {
		u.found.Invariant = append(u.found.Invariant, sentence.String())
		said := result.Sentence{Text: sentence.String()}
		for _, c := range sentence.Clauses {
			said.Clauses = append(said.Clauses, s.Words(c))
		}
		u.found.Sentences = append(u.found.Sentences, said)
	}
	if certify := u.options.Certify; certify != nil {
		certify(s.Certificate(t, few))
	}
	if sentences != nil || len(few) == 0 {
		u.invariant = &Invariant{sentences, s, t, u.clocks}
	}
	a := u.unanswered()
	a.Verdict, a.Complete = result.Holds, true
	if u.found.Vacuous {
		a.Vacuity = "no rule of the promise can fire, whatever happened before"
	}
	a.Scope.Text = u.scope(s)
	return a, nil
}

// scope says what any number of rounds has in them.
func (u *unbounded) scope(s *provenance.Step) string {
	said := u.Model.bounds.OfAnyRounds()
	if last, ok := s.Numbered(); ok {
		said += fmt.Sprintf("; rounds after %d are told apart by crashes only", last)
	}
	if slices.ContainsFunc(u.program.Choices, func(c *syntax.Choose) bool { return c.Rounds.Word != "" }) {
		return said + fmt.Sprintf("; after round %d nothing is given, but choices go on", s.Until())
	}
	return said + fmt.Sprintf("; nothing is given after round %d", s.Until())
}

// speaksOf are the relations that the rules of the promise read.
func (u *unbounded) speaksOf() (names []string) {
	for _, r := range u.program.Rules {
		if !slices.Contains([]string{preRelation, postRelation, violationRelation}, r.Head.Relation) {
			continue
		}
		for _, t := range r.Body {
			if t.Atom != nil {
				names = append(names, t.Atom.Relation)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
