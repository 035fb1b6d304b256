package ldfi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Limits of work of the search for the least number of rounds: the number, and how many rounds an
// execution is continued to find out whether it repeats.
const (
	mostQuiet  = 64
	mostFollow = 512
)

// Within decides, for any number of rounds and faults, whether pre implies post from some number of rounds after
// the quiet begins: the first round from which on nothing fails, lasts or is late, and no fact of the
// program comes. A violation must never hold, in no round at all. With [rounds.Least] it looks for the
// smallest number that is enough. Where none is, the answer has a schedule after which the
// state repeats, and post is missing in what repeats.
func (m *Model) Within(ctx context.Context, number int) (*result.Answer, error) {
	if m.options.Decider != nil || m.options.Certifier != nil {
		return nil, &provenance.UntimedError{What: "within has a proof of its own, and needs the SAT solver that is built in: leave out --solver and --proof"}
	}
	w := &within{rounds: max(number, 0), least: number == rounds.Least}
	calls := 0
	for {
		u, err := w.ask(ctx, m)
		if err != nil {
			return nil, err
		}
		a, err := w.decided()
		if err != nil {
			return nil, err
		}
		a.Scope.Bounds.Within = cmp.Or(m.bounds.Within, fmt.Sprint(number))
		if !provenance.GoOn(m.bounds) {
			a.Scope.Text = strings.Replace(a.Scope.Text, "omissions in any round", "omissions in any round before the quiet", 1)
		}
		if a.Verdict == result.Inconclusive && w.least {
			w.found.Needs = w.rounds
		}
		calls, w.eot = calls+u.found.Calls, u.bounds.EOT
		u.found.Calls, u.found.Within, a.Rounds = calls, w.found, u.found
		switch {
		case a.Verdict != result.Violated || !w.least || w.after == nil || w.after.never != nil:
			w.found.Least = w.least && a.Verdict == result.Holds
			return a, nil
		case w.after.needs() > mostQuiet, calls > mostReachCalls:
			a := u.inconclusive("no larger number was tried")
			w.found.Needs = w.after.needs()
			u.found.Verdict, u.found.Round, a.Rounds = result.Inconclusive, 0, u.found
			return a, nil
		}
		w.rounds = w.after.needs()
	}
}

// within is the question whether some number of quiet rounds is enough.
type within struct {
	*unbounded
	rounds int
	least  bool
	eot    int // up to which the facts of the state were looked for
	found  *result.Within
	after  *after // of pre and post that break the promise
}

// ask prepares the question for some number of quiet rounds.
func (w *within) ask(ctx context.Context, m *Model) (*unbounded, error) {
	u, err := m.unbounded(ctx)
	if err != nil {
		return nil, err
	}
	if !u.promise.prePost {
		return nil, &provenance.UntimedError{What: "within is about pre and post, and the program has neither: --any-rounds decides violation for any number of rounds"}
	}
	u.within, w.unbounded, w.found, w.after = w, u, &result.Within{Rounds: w.rounds, Violation: u.promise.violation}, nil
	u.bounds.EOT = max(u.bounds.EOT, w.eot)
	return u, nil
}

// decided looks for a proof. Where that is not possible, bounded searches may still find a violation.
func (w *within) decided() (*result.Answer, error) {
	a, err := w.decide()
	if !errors.As(err, new(*provenance.UntimedError)) && (err != nil || a.Verdict != result.Inconclusive || w.ctx.Err() != nil) {
		return a, err
	}
	bounds := w.Model.bounds
	for round := bounds.Shortest(); round <= max(bounds.EOT, w.lastGiven()+w.rounds+2); round++ {
		if found, wrong := w.brokenAt(round); found != nil && found.Verdict == result.Violated || wrong != nil {
			return found, wrong
		}
	}
	return a, err
}

// after is how an execution goes on in which nothing fails any more.
type after struct {
	begins  int           // the first quiet round
	lacking []int         // the rounds from then on in which pre holds and post is missing
	last    int           // the last round that was executed
	never   *result.Never // post is missing for ever
}

// needs is how many quiet rounds are needed at least.
func (a *after) needs() int {
	if len(a.lacking) == 0 {
		return 0
	}
	return a.lacking[len(a.lacking)-1] - a.begins + 1
}

// violated asks the bounded question for the rounds in which a step is bad; nil if that finds no
// violation.
func (w *within) violated(s *provenance.Step, r *solver.Reach) (*result.Answer, error) {
	bounds := w.Model.bounds
	for round := max(r.Depth+1, bounds.Shortest()); round <= max(r.Steps+1, s.Begin())+bounds.Late(); round++ {
		if a, err := w.brokenAt(round); a != nil || err != nil {
			return a, err
		}
	}
	return nil, nil
}

// brokenAt asks the bounded question for so many rounds; nil if nothing breaks the promise.
func (w *within) brokenAt(round int) (*result.Answer, error) {
	b := w.Model.bounds.Lasting(round)
	if b.Validate() != nil { // no fault begins so early
		b.From, b.At = 0, ""
		for _, k := range rounds.Kinds() {
			if k != rounds.Choose {
				b.SetBudget(k, 0)
			}
		}
	}
	m, err := New(w.Model.program, b, w.options)
	if err != nil {
		return nil, err
	}
	if w.promise.violation {
		if a, err := w.broken(m, &promise{violation: true, eot: round}, 0); a != nil || err != nil {
			return a, err
		}
	}
	begins := round - w.rounds
	if begins <= w.lastGiven() || round < named(w.program.Slice(w.promise.relations()...)) {
		return nil, nil
	}
	a, err := w.broken(m, &promise{prePost: true, eot: round}, begins)
	if a != nil && a.Verdict == result.Violated {
		err = w.explain(a.First(), round)
	}
	return a, err
}

// explain finds out how the execution of a counterexample goes on.
func (w *within) explain(c *result.Counterexample, round int) (err error) {
	if w.after, err = w.follow(c.Schedule, round); err != nil {
		return err
	}
	if !slices.Contains(w.after.lacking, round) {
		return &internalError{c.Schedule, describe(c.Violations, w.Model.bounds), fmt.Sprintf("post is not missing in round %d", round)}
	}
	if w.after.never == nil {
		if w.after.never, err = w.repeating(c.Schedule, w.after.begins, round); err != nil {
			return err
		}
	}
	w.found.Begins, w.found.Never = w.after.begins, w.after.never
	if w.after.never == nil {
		w.found.Needs = w.after.needs()
	}
	return nil
}

// broken decides whether schedules of a model break a promise of which nothing fails from a round on; 0 is no
// such round. It is nil if none does.
func (w *within) broken(m *Model, p *promise, quiet int) (*result.Answer, error) {
	q, err := newQuestionOf(w.ctx, m, p)
	if err != nil {
		return nil, err
	}
	q.spoken = spokenOf(m.program)
	if quiet > 0 {
		q.assume([]*assumption{{forbids: true, units: func(f rounds.Fault) bool { return w.loud(f) >= quiet }}})
	}
	a := m.unanswered()
	err = q.answer(w.ctx, a)
	a.Stats = q.stats()
	if a.Limit = limitOf(w.ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	switch {
	case a.Verdict == result.Holds:
		return nil, nil
	case a.Verdict == result.Inconclusive && w.ctx.Err() != nil:
		return w.inconclusive("the time is up, or it was interrupted"), nil
	case a.Verdict == result.Inconclusive:
		return w.inconclusive(fmt.Sprintf("the promise breaks in round %d, but no schedule was found that shows it: %s", p.eot, a.Limit.Reason)), nil
	}
	w.unbounded.found.Verdict, w.unbounded.found.Round, w.unbounded.found.Depth = result.Violated, p.eot, p.eot-1
	m.conclude(a, q.cost.growth)
	if quiet > 0 {
		a.Scope.Text = fmt.Sprintf("%s; quiet from round %d on", m.bounds, quiet)
	}
	for i := range a.Counterexamples {
		if c := &a.Counterexamples[i]; c.Among == result.AmongAssumptions {
			c.Among = result.AmongBounds
		}
	}
	return a, nil
}

// loud is the last round in which something is not quiet because of a fault or choice; 0 for choices of each
// round, and for losses that the bounds allow in quiet rounds.
func (w *within) loud(f rounds.Fault) int {
	switch f.Kind {
	case rounds.Choose:
		name, _ := f.Fact()
		once := func(c *syntax.Choose) bool { return c.Relation == name && provenance.ChosenOnce(c) }
		if !slices.ContainsFunc(w.program.Choices, once) {
			return 0
		}
	case rounds.Omit:
		if provenance.GoOn(w.Model.bounds) {
			return 0
		}
	}
	return max(f.Round+f.By, f.Until)
}

// lastGiven is the last round in which the part of the program that the promise depends on gives a fact.
func (w *within) lastGiven() int {
	return provenance.LastGiven(w.program.Slice(w.promise.relations()...), w.Model.bounds)
}

// follow executes a schedule until the state repeats, and at least up to a round.
func (w *within) follow(s rounds.Schedule, round int) (*after, error) {
	begins, settled := w.lastGiven()+1, max(w.lastGiven(), named(w.program))+1
	for _, f := range s.Faults {
		begins, settled = max(begins, w.loud(f)+1), max(settled, f.Round+1, f.Until+1, f.Round+f.By+1)
	}
	var known *after
	for further := 8; ; further *= 2 {
		last := max(round, begins, settled) + further
		seen, err := w.execute(w.program, s, last)
		if err != nil && known != nil && w.ctx.Err() == nil {
			return known, nil // more rounds are too much: what is known has to do
		} else if err != nil {
			return nil, err
		}
		known = &after{begins: begins, last: last}
		for r := begins; r <= last; r++ {
			if len(seen.missing[r]) > 0 {
				known.lacking = append(known.lacking, r)
			}
		}
		if from, until, grows := seen.cycle(settled); from > 0 {
			if known.never, err = w.forever(s, seen, from, until); known.never != nil {
				known.never.Grows = grows
			}
			return known, err
		}
		if further >= mostFollow {
			return known, nil
		}
	}
}

// forever tells whether post is missing in rounds that repeat, and executes the program as it is written
// once more if it is.
func (w *within) forever(s rounds.Schedule, seen *followed, from, until int) (*result.Never, error) {
	missing := slices.Concat(seen.missing[from : until+1]...)
	if len(missing) == 0 {
		return nil, nil
	}
	period := until - from + 1
	again, err := w.execute(w.Model.program, s, max(until+period, named(w.Model.program)))
	if err != nil {
		return nil, err
	}
	for r := from; r <= until+period; r++ {
		like := r
		if r > until {
			like = r - period
		}
		if lacks := len(seen.missing[like]) > 0; lacks != (len(again.missing[r]) > 0) {
			return nil, &internalError{s, fmt.Sprintf("the rounds %d to %d repeat", from, until), fmt.Sprintf("round %d differs", r)}
		}
	}
	slices.Sort(missing)
	return &result.Never{From: from, Until: until, Missing: slices.Compact(missing)}, nil
}

// followed is an execution, by round from 1 on: its facts, and what is missing though pre holds.
type followed struct {
	facts   []string
	above   []int64 // numbers from this one on are given by how much larger they are
	missing [][]string
}

// cycle returns the first rounds that are over and over the same from then on, the earliest at first, and whether numbers grow in
// them; 0 if no round has the facts of another.
func (f *followed) cycle(first int) (from, until int, grows bool) {
	seen := map[string]int{}
	for round := first; round < len(f.facts); round++ {
		before, ok := seen[f.facts[round]]
		if ok && f.above[before] <= f.above[round] {
			return before, round - 1, f.above[before] < f.above[round]
		}
		seen[f.facts[round]] = round
	}
	return 0, 0, false
}

// execute executes the part of a program on which the promise depends, for a number of rounds.
func (w *within) execute(p *dedalus.Program, s rounds.Schedule, eot int) (*followed, error) {
	b, err := w.Model.bounds.Lasting(eot).Knowing(p)
	b.From, b.At = 0, "" // the schedule has them in it
	if err := cmp.Or(b.Validate(), err); err != nil {
		return nil, err
	}
	machine, err := lockstep.Compile(p, b, lockstep.Options{Only: w.promise.relations(), MaxFacts: w.options.MaxFacts})
	if err != nil {
		return nil, err
	}
	e, err := machine.Execute(w.ctx, s)
	if err != nil {
		return nil, err
	}
	f := &followed{make([]string, eot+1), make([]int64, eot+1), make([][]string, eot+1)}
	known := []int64{int64(s.LastRound())}
	byRound, has := make([][]recording.Fact, eot+1), map[string]bool{}
	for _, fact := range e.Facts {
		if fact.Relation == syntax.Crash {
			continue
		}
		byRound[fact.Round] = append(byRound[fact.Round], fact)
		has[fact.String()] = true
		for _, v := range fact.Args {
			if fact.Round <= named(p) && v.IsInt() {
				known = append(known, v.Int())
			}
		}
	}
	for _, name := range b.Processes {
		if v := p.ProcessValue(name); v.IsInt() {
			known = append(known, v.Int())
		}
	}
	shift := shiftingOf(p, known...)
	for round, facts := range byRound {
		f.facts[round], f.above[round] = shift.normal(facts)
		for _, fact := range facts {
			post := recording.Fact{Relation: postRelation, Args: fact.Args, Round: round}
			if fact.Relation == preRelation && !has[post.String()] {
				f.missing[round] = append(f.missing[round], recording.Display(post, b.Processes))
			}
		}
	}
	return f, nil
}

// named is the last round that rules name.
func named(p *dedalus.Program) (round int) {
	for _, r := range p.Rules {
		for _, t := range r.Body {
			round = max(round, t.At)
		}
	}
	return round
}
