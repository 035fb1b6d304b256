package subject

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// The fault sets of a system that reach a goal are those of the program that was learned of
// the system, if all of it can be learned: the solver finds them, and the system executes
// each. Otherwise schedules are executed, fewest faults first, up to the limit of
// executions.

func (h *OpenedSystem) hypotheses(ctx context.Context, require, forbid []string) (*result.Answer, error) {
	return h.sets(ctx, &searchGoal{require: require, forbid: forbid})
}

// sets lists the fault sets that reach the goal.
func (h *OpenedSystem) sets(ctx context.Context, want *searchGoal) (*result.Answer, error) {
	if h.System.Inexact != "" {
		return nil, fmt.Errorf("of system %q executions of one schedule may differ%s: ldfi run --system says how often one breaks", h.Name, result.InexactAdvice(h.System.Inexact))
	}
	if _, err := want.assumptions(h.Bounds()); err != nil {
		return nil, err
	}
	why := "the processes name no states that could be learned"
	if len(h.Bounds().Kinds) > 0 {
		return h.setsByExecution(ctx, want, noKindsLearned)
	}
	if slices.Contains(h.Offers, search.OffersFingerprints) {
		a, gap, err := h.setsByModel(ctx, want)
		if a != nil || err != nil {
			return a, err
		}
		why = gap
	}
	return h.setsByExecution(ctx, want, why)
}

// setsByModel lists fault sets by the program that was learned of the system. If the
// program does not have everything, there is no answer, and the string says why.
func (h *OpenedSystem) setsByModel(ctx context.Context, want *searchGoal) (*result.Answer, string, error) {
	l, err := h.learn(ctx)
	switch {
	case remote.Refused(err):
		return nil, err.Error(), nil
	case err != nil:
		return nil, "", err
	case !l.Complete():
		return nil, "not all that the system does was learned: " + l.Answer.Limit.Reason, nil
	case want.fact == nil && len(l.Left) > 0:
		return nil, l.Left[0] + ", which a learned program does not support", nil
	}
	h.tell("asking about what was learned")
	a, err := h.askModel(ctx, l.Program, want)
	if err != nil {
		return nil, "", err
	}
	a.Search = &result.Search{Strategy: "learn", Seed: h.options().Seed, Executions: l.Answer.Stats.Executions,
		Why: fmt.Sprintf("learn, because the processes name their states: %s showed all that they do, and a solver searched the result", text.Plural(l.Answer.Stats.Executions, "execution"))}
	a.Scope, a.Warnings = result.ScopeOf(h.Bounds()), []specs.Warning{}
	a.Stats = result.Stats{Executions: l.Answer.Stats.Executions + len(a.Counterexamples)}
	if err := h.executed(ctx, a, want); err != nil {
		return nil, "", err
	}
	return a, "", nil
}

// askModel asks a program that was learned.
func (h *OpenedSystem) askModel(ctx context.Context, p *learned.Program, want *searchGoal) (*result.Answer, error) {
	program, err := dedalus.ParseText("learned", p.Text)
	if err != nil {
		return nil, err
	}
	bounds, goals, err := rounds.BoundsOf(program, nil)
	if err != nil {
		return nil, err
	}
	options, err := h.question.options(goals)
	if err != nil {
		return nil, err
	}
	model, err := ldfi.New(program, bounds, options)
	if err != nil {
		return nil, err
	}
	require, err := queried(p, want.require)
	if err != nil {
		return nil, err
	}
	forbid, err := queried(p, want.forbid)
	if err != nil {
		return nil, err
	}
	if want.fact == nil {
		return model.Hypotheses(ctx, require, forbid)
	}
	fact, err := p.Query(*want.fact)
	if err != nil {
		return nil, err
	}
	found, err := model.WhatIf(ctx, result.Wanted{Fact: fact.String(), Absent: want.absent, Require: require, Forbid: forbid})
	if err != nil {
		return nil, err
	}
	verdicts := map[result.Possibility]result.Verdict{result.Possible: result.Violated, result.Impossible: result.Holds, result.Unknown: result.Inconclusive}
	return &result.Answer{Verdict: verdicts[found.Answer], Counterexamples: found.Sets, Complete: found.Complete, AtLeast: found.AtLeast, Limit: found.Limit,
		Conflict: found.Conflict, Vacuity: found.Vacuity, Stats: found.Stats}, nil
}

// queried translates assumptions about facts of the system to assumptions about facts of
// the learned program.
func queried(p *learned.Program, all []string) ([]string, error) {
	var out []string
	for _, text := range all {
		if !rounds.IsPattern(text) {
			q, err := dedalus.ParseQuery(text)
			if err == nil {
				q, err = p.Query(q)
			}
			if err != nil {
				return nil, fmt.Errorf("assumption %q: %w", text, err)
			}
			text = q.String()
		}
		out = append(out, text)
	}
	return out, nil
}

// executed executes the sets of an answer. What breaks the program because something
// comes late only breaks nothing of the system, and is left out.
func (h *OpenedSystem) executed(ctx context.Context, a *result.Answer, want *searchGoal) error {
	var kept []result.Counterexample
	late := 0
	for _, c := range a.Counterexamples {
		in, err := h.replay(ctx, c.Schedule)
		if err != nil {
			return err
		}
		does := want.does(in)
		switch {
		case len(does) > 0:
			renameCuts(c.Cuts, c.Violations[0].Fact, does[0].Fact)
			c.Violations, c.Execution, c.Continued, c.Because, c.Senders, c.Confirmed = does, in.Execution, in.Continued, []string{}, nil, true
			kept = append(kept, c)
		case want.fact == nil && len(in.Awaited) > 0:
			late++
		default:
			return fmt.Errorf("the learned model breaks under %q, but the system does not: processes may do different things in states of one name; ldfi vet tests that", c.Schedule)
		}
	}
	a.Counterexamples = append([]result.Counterexample{}, kept...)
	if late > 0 {
		withoutLate(a, late)
	}
	return nil
}

// renameCuts renames the outcome of cuts from the fact of the program to the fact of the
// system.
func renameCuts(cuts []result.Cut, from, to recording.Fact) {
	for i := range cuts {
		if cuts[i].Fact.Compare(from) == 0 {
			cuts[i].Fact = to
		}
	}
}

// withoutLate says that some sets were left out: sets with more faults than one of them
// were not searched.
func withoutLate(a *result.Answer, late int) {
	a.Limit = &result.Limit{Kind: limits.Late, Reason: text.Plural(late, "fault set") + " only lets something come late, and larger fault sets were not looked at"}
	a.Complete, a.AtLeast = false, 0
	if a.Verdict = result.Inconclusive; len(a.Counterexamples) > 0 {
		a.Verdict = result.Violated
	}
	if a.Count != nil {
		a.Count = &result.Count{Sets: len(a.Counterexamples), Why: a.Limit.Reason}
	}
}

// setsByExecution executes schedules, fewest faults first.
func (h *OpenedSystem) setsByExecution(ctx context.Context, want *searchGoal, why string) (*result.Answer, error) {
	assumed, err := want.assumptions(h.Bounds())
	if err != nil {
		return nil, err
	}
	costs, err := costOf(h.question.Cost, true)
	if err != nil {
		return nil, err
	}
	most := max(h.question.Max, 1)
	wanted := search.Wanted{Size: h.question.Size, Max: most, Meets: assumed.meets}
	if costs != nil {
		wanted.Max = 0 // the cheapest sets may have many faults
	}
	if len(assumed.facts) > 0 {
		wanted.Shows = assumed.shows
	}
	if want.fact != nil {
		wanted.Does = want.doesIn
	}
	h.tell("executing schedules, fewest faults first")
	sets, err := h.system().Sets(ctx, h.options(), wanted)
	for range tries {
		var lost *finding
		if lost, err = h.found(ctx, err); lost != nil {
			return nil, fmt.Errorf("%s under the schedule %q: fix that first", lost.violation, lost.schedule)
		}
		if err != nil || sets != nil {
			break
		}
		sets, err = h.system().Sets(ctx, h.options(), wanted)
	}
	if err != nil && (sets == nil || ctx.Err() == nil) {
		return nil, err
	}
	if costs != nil {
		rank(sets.Found, costs)
		why += "; the cheapest come first"
	}
	a := &result.Answer{Counterexamples: sets.Found, Complete: sets.Complete, Warnings: []specs.Warning{}, Scope: result.ScopeOf(h.Bounds()),
		Stats:  result.Stats{Executions: sets.Executions},
		Search: &result.Search{Strategy: "enumerate", Seed: h.options().Seed, Executions: sets.Executions, Why: "enumerate, fewest faults first, because " + why}}
	conclude(ctx, a, sets, most)
	for i := range a.Counterexamples {
		c := &a.Counterexamples[i]
		h.placed(c.Violations)
		c.Execution.Bounds = withRounds(h.Bounds(), c.Execution.Bounds.EOT)
		if c.Because = []string{}; c.Minimal {
			c.Among = result.AmongBounds
		}
	}
	return a, nil
}

// rank sets the costs of the sets found, and sorts them by cost, then by the number of
// faults; equal ones keep their order.
func rank(found []result.Counterexample, costs map[rounds.Kind]int) {
	for i, c := range found {
		for _, f := range c.Schedule.Faults {
			if f.Kind != rounds.Choose {
				found[i].Cost += cmp.Or(costs[f.Kind], 1)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b result.Counterexample) int { return a.Cost - b.Cost })
}

// conclude sets the verdict for the sets that were found.
func conclude(ctx context.Context, a *result.Answer, sets *search.Sets, most int) {
	done := fmt.Sprintf("all schedules with fewer than %s were executed", text.Plural(sets.Below, "fault"))
	a.Count = &result.Count{Sets: len(sets.Found), Exact: sets.Complete}
	enough := len(sets.Found) >= most
	least := sets.Below
	if sets.Ended > 0 {
		least = min(least, sets.First.Size())
	}
	switch {
	case sets.Complete:
	case sets.Ended > 0 && ctx.Err() == nil && !enough:
		a.Limit = &result.Limit{Kind: limits.Judgement, Reason: fmt.Sprintf("a process ended %s, the first under %s, so ldfi could not judge them; %s", text.Plural(sets.Ended, "execution"), sets.First, done)}
	case enough:
		a.Count.Why = done
	case ctx.Err() != nil:
		a.Limit = result.Ended(ctx)
		a.Limit.Reason += "; " + done
	default:
		a.Limit = &result.Limit{Kind: result.LimitExecutions, Reason: "the budget of executions is used up; " + done}
	}
	if len(sets.Found) > most {
		a.Counterexamples, a.Complete = sets.Found[:most], false
	}
	switch {
	case len(sets.Found) > 0:
		a.Verdict = result.Violated
	case sets.Complete:
		a.Verdict = result.Holds
	default:
		a.Verdict, a.AtLeast = result.Inconclusive, least
	}
}
