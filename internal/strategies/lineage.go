package strategies

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// Lineage finds the causes of outcomes in executions, and executes schedules that
// prevent them.
//
// For outcomes that have to happen, it executes schedules that would prevent them: the
// classical loop of Alvaro, Rosen and Hellerstein, "Lineage-driven fault injection"
// (SIGMOD 2015), for systems whose rules are unknown. An outcome is a fact post(..) for
// which pre(..) holds. The support of an outcome are the messages that its process had
// received, those that their senders had received, and so on, through the rules that
// derive post; or the messages that the rules needs and needs_some of the property give
// (package specs/property/rules). Every execution in which an outcome held shows one
// more support. A hypothesis is a smallest set of faults within the bounds that cuts
// all known supports of one outcome. It is executed, and shows a violation or another
// support.
//
// When no hypothesis is left, that is no certificate: processes may also do wrong
// because something arrives, or because other things arrive in its place. Only if
// all schedules within the bounds have by then shown what they do, the verdict is
// Holds.
//
// What must never happen is looked for by schedules that take progress away in
// phases; see guide. Both take turns where there is something to do for both.
// Without isolations and kinds of messages, and with no faults but omissions and crashes, the
// facts that the properties see are outcomes as well.
//
// A guide decides in each execution anew. What it decides belongs to the execution, and
// hypotheses are of the faults of the bounds alone. It may decide otherwise under them, so
// that no schedule has shown what happens under another one.
//
// It asks nothing of the processes. The loop proposes isolations, omissions and
// crashes; faults of other kinds are drawn.
//
// With Options.Hold hypotheses, and what is drawn, leave a known way to each waypoint unharmed.
var Lineage = &search.Strategy{Name: "lineage", Holds: true, Search: searchByLineage}

func searchByLineage(ctx context.Context, s *search.Session) (*result.Answer, error) {
	l, err := newLoop(ctx, s)
	if err != nil {
		return nil, err
	}
	searched := l.search(ctx)
	var beside *rounds.Schedule
	if l.held != nil {
		if beside, err = s.Farthest(ctx, searched, len(l.held.some)); err != nil {
			return nil, err
		}
	}
	a, err := s.Finish(ctx, searched, func(a *result.Answer) {
		switch {
		case beside != nil:
			search.Stop(a, result.LimitHypotheses, "no hypothesis is left that leaves unharmed what led to waypoint %d", len(l.held.some))
		case l.covered:
			lens, _ := search.NewLens(s.Properties) // without one there is nothing to assume
			s.Certify(a, s.Certificate(lens))
		case l.held != nil && len(l.held.some) > 0:
			search.Stop(a, result.LimitHypotheses, "no hypothesis is left that leaves unharmed what led to waypoint %d", len(l.held.some))
			a.Limit.Advice = []string{"leave out --hold"}
		case len(l.named) == 0:
			search.Stop(a, result.LimitHypotheses, "no outcome held in any execution, so there is nothing to prevent")
		default:
			search.Stop(a, result.LimitHypotheses, "no hypothesis is left: each of %d outcomes has a known way that no faults within the bounds cut", len(l.named))
			a.Search.Guarantee = "this is no certificate: lineage does not show what a system does wrong when other messages arrive"
			if s.Guide != nil {
				a.Search.Guarantee += ", nor what " + s.Guide.Name() + " decides then"
			}
		}
	})
	if l.held != nil && err == nil {
		found := l.last
		if a.Verdict == result.Violated {
			found = rounds.Schedule{Faults: a.Search.Found.Faults}
		}
		if s.Held = l.held.unharmed(found); beside != nil && a.Verdict != result.Violated {
			s.Held.Beside = beside
			without := cmp.Or(faultsText(*beside), "no faults")
			a.Limit.Reason += "; a property is violated without reaching it, by " + without
			a.Limit.Advice = append(a.Limit.Advice, "leave out --hold")
		}
	}
	if err == nil && a.Verdict == result.Inconclusive && l.guide != nil && len(l.held.assumed()) == 0 {
		l.guide.promise(ctx, a.Search)
	}
	return a, err
}

// loop is one search by lineage.
type loop struct {
	*search.Session
	executor  search.Executor
	witnesses []*witness
	circuit   *faultCircuit
	solver    *solver.Solver
	sizes     []solver.Lit // element k: more than k faults
	byFaults  bool         // properties may tell executions apart that are alike to processes

	held    *held           // what led to waypoints; nil: nothing is to be held
	last    rounds.Schedule // that was executed
	guide   *guide          // nil: there is nothing to draw for outcomes that must never happen
	turn    bool            // of the guide
	plain   bool            // the circuit has all schedules within the bounds
	few     bool            // there are no more schedules than executions
	stages  [2]stage        // outcomes that rules state, then facts
	named   map[string]*outcome
	shown   []result.Outcome // by the last execution, if steps are reported
	covered bool             // the behaviour under all schedules is known
}

// stage has the outcomes of one kind: no hypothesis is sought for those of the second stage
// while there is one for the first.
type stage struct {
	outcomes []*outcome
	least    int // no hypothesis has fewer faults
}

// outcome is something that held in an execution.
type outcome struct {
	cut    solver.Lit // assumed: no known support is whole
	asked  solver.Lit // when pre certainly holds for the outcome
	faults bool       // it was seen only in executions with faults
}

// maxCounted is the most faults that hypotheses are ordered by.
const maxCounted = 16

func newLoop(ctx context.Context, s *search.Session) (*loop, error) {
	x, err := s.Guided(true)
	if err != nil {
		return nil, err
	}
	known, plain := knownTo(s.Bounds)
	l := &loop{Session: s, executor: x, circuit: newFaultCircuit(known), plain: plain, few: search.Few(s), named: map[string]*outcome{}}
	_, err = search.NewLens(s.Properties)
	l.byFaults = err != nil
	never := false
	for _, p := range s.Properties {
		w, err := newWitness(p)
		if err != nil {
			return nil, err
		}
		never = never || !w.posts || w.rules.Derived("violation")
		l.witnesses = append(l.witnesses, w)
	}
	if never && (s.Bounds.Isolations != 0 || len(s.Bounds.Kinds) > 0) || !plain {
		l.guide = newGuide(s)
	}
	if s.Hold {
		if l.held, err = newHeld(s, l.circuit); err != nil {
			return nil, err
		}
		s.Least = s.Guide.Waypoints()
	}
	l.sizes = l.circuit.Counts(l.circuit.units, maxCounted)
	l.solver = solver.NewSolver(l.circuit.Circuit)
	for _, v := range l.circuit.valid {
		l.solver.Assert(v)
	}
	return l, nil
}

// knownTo returns the bounds without the faults that the loop does not propose, and whether
// b has no such faults.
func knownTo(b rounds.Bounds) (rounds.Bounds, bool) {
	known := rounds.Bounds{
		Processes: b.Processes, EOT: b.EOT, EFF: b.EFF, From: b.From, FaultFree: b.FaultFree, Period: b.Period, CrashStop: b.CrashStop,
		Isolations: b.Isolations, Cuts: b.Cuts, Omissions: b.Omissions, Crashes: b.Crashes, NeverCrash: b.NeverCrash, Reliable: b.Reliable, Deliver: b.Deliver, Kernel: b.Kernel, Kinds: b.Kinds,
	}
	return known, schedules.Count(known).Cmp(schedules.Count(b)) == 0
}

// search executes schedules until one violates a property, or none is left.
func (l *loop) search(ctx context.Context) error {
	if done, err := l.execute(ctx, rounds.Schedule{}, []string{"an execution without faults shows how the outcomes come about"}); done || err != nil {
		return err
	}
	for {
		s, why, ok, err := l.choose(ctx)
		if err != nil {
			return err
		}
		if !ok {
			_, l.covered, err = l.unseen(ctx)
			return err
		}
		if done, err := l.execute(ctx, s, why); done || err != nil {
			return err
		}
	}
}

// choose returns the next schedule to execute: hypotheses and drawn schedules take turns.
func (l *loop) choose(ctx context.Context) (rounds.Schedule, []string, bool, error) {
	if s, ok := l.held.next(); ok {
		l.turn = false
		return s, []string{"a fault less may lead to a waypoint as well"}, true, nil
	}
	l.turn = !l.turn && l.guide != nil
	if !l.turn {
		s, ok, err := l.hypothesis(ctx)
		if ok || err != nil || l.guide == nil {
			return s, []string{"these faults cut every known way to an outcome"}, ok, err
		}
		l.turn = true
	}
	if !l.follows() {
		s, why := l.draw()
		return s, why, true, nil
	}
	other, covered, err := l.unseen(ctx, l.held.assumed()...)
	if covered || err != nil {
		return other, nil, false, err
	}
	s, why := l.draw()
	if l.guide.before[faultsText(s)] {
		s, why = other, []string{"no execution has shown what happens under it"}
	}
	return s, why, true, nil
}

// draw draws a schedule that leaves unharmed what is held.
func (l *loop) draw() (rounds.Schedule, []string) {
	s, why := l.guide.draw()
	return l.held.spare(l.Random, s), why
}

// followed is the number of executions that are compared with all schedules, whatever their
// number: for some systems few executions show all behaviour.
const followed = 16

// follows tells whether the loop computes which schedules have a known result. This takes
// longer than to execute a small system, and is useless if there are more schedules than
// executions.
func (l *loop) follows() bool {
	return l.guide == nil || l.plain && (l.Executions <= followed || l.few)
}

// unseen returns a schedule whose result is unknown and that meets conditions, or tells that there is none.
func (l *loop) unseen(ctx context.Context, assumed ...solver.Lit) (s rounds.Schedule, covered bool, err error) {
	status, err := l.solver.Solve(ctx, assumed...)
	if err != nil || status != solver.Sat {
		return s, status == solver.Unsat && l.plain, err
	}
	return l.circuit.universe.Schedule(func(unit int) bool { return l.solver.Value(l.circuit.units[unit]) }), false, nil
}

// hypothesis returns a schedule with the fewest faults that cuts all known
// supports of an outcome.
func (l *loop) hypothesis(ctx context.Context) (rounds.Schedule, bool, error) {
	for i := range l.stages {
		if i > 0 && l.guide != nil {
			break // which does better
		}
		if s, ok, err := l.cut(ctx, &l.stages[i]); ok || err != nil {
			return s, ok, err
		}
	}
	return rounds.Schedule{}, false, nil
}

// cut returns a hypothesis for the outcomes of a stage: for an outcome for which pre
// certainly holds, or else for one that held without faults.
func (l *loop) cut(ctx context.Context, stage *stage) (rounds.Schedule, bool, error) {
	var sure, hopeful []solver.Lit
	for _, o := range stage.outcomes {
		if o.asked != solver.False {
			sure = append(sure, l.circuit.And(o.cut, o.asked))
		}
		if !o.faults {
			hopeful = append(hopeful, o.cut)
		}
	}
	for {
		for _, goals := range [][]solver.Lit{sure, hopeful} {
			s, ok, err := l.within(ctx, stage.least, goals)
			if ok || err != nil {
				return s, ok, err
			}
		}
		any := l.circuit.Or(l.circuit.Ors(sure...), l.circuit.Ors(hopeful...))
		status, err := l.solver.Solve(ctx, append(slices.Clone(l.held.assumed()), any)...)
		if status != solver.Sat {
			return rounds.Schedule{}, false, err
		}
		stage.least++
	}
}

// within returns a schedule with at most the given number of faults that reaches one of the
// goals: by preference a goal drawn at random, with a fault drawn at random, so that
// hypotheses differ.
func (l *loop) within(ctx context.Context, faults int, goals []solver.Lit) (rounds.Schedule, bool, error) {
	if len(goals) == 0 || len(l.circuit.units) == 0 {
		return rounds.Schedule{}, false, nil
	}
	fewer := solver.True
	if faults < len(l.sizes) {
		fewer = l.sizes[faults].Not()
	}
	one, unit := goals[l.Random.IntN(len(goals))], l.circuit.units[l.Random.IntN(len(l.circuit.units))]
	for _, goal := range [][]solver.Lit{{one, unit}, {l.circuit.Ors(goals...), unit}, {one}, {l.circuit.Ors(goals...)}} {
		status, err := l.solver.Solve(ctx, slices.Concat(goal, []solver.Lit{fewer}, l.held.assumed())...)
		switch status {
		case solver.Unknown:
			return rounds.Schedule{}, false, err
		case solver.Sat:
			return l.circuit.universe.Schedule(func(unit int) bool { return l.solver.Value(l.circuit.units[unit]) }), true, nil
		}
	}
	return rounds.Schedule{}, false, nil
}

// execute executes a schedule and records the supports of its outcomes. It tells whether a
// property is violated.
func (l *loop) execute(ctx context.Context, s rounds.Schedule, why []string) (bool, error) {
	l.last = s
	e, violated, err := l.Execute(ctx, l.executor, s)
	if violated || err != nil {
		if violated {
			l.tell(result.Step{Schedule: l.With(s), Why: why, Violations: l.Violates})
		}
		return violated, err
	}
	if l.guide != nil {
		for _, w := range l.witnesses {
			if l.Executions > 1 {
				break
			}
			if err := l.guide.state(w, l.circuit, e); err != nil {
				return false, fmt.Errorf("property %q: %w", w.property.Name, err)
			}
		}
		if err := l.guide.learn(ctx, e, s); err != nil {
			return false, err
		}
	}
	if l.held != nil && !l.Prevents(l.Executions) {
		fresh, err := l.held.learn(ctx, e, s, l.Waypoints(l.Executions))
		if err != nil {
			return false, err
		}
		for i := range l.stages {
			if fresh {
				l.stages[i].least = 1 // fewer faults may do now
			}
		}
	}
	if l.follows() || !l.turn && l.known(s) {
		if err := l.learn(ctx, e, s); err != nil {
			return false, err
		}
	}
	if l.Steps != nil {
		l.tell(result.Step{Schedule: l.With(s), Why: why, Outcomes: append(l.shown, l.outcomes()...)})
		l.shown = nil
	}
	l.Progress(result.Progress{Executions: l.Executions, Text: fmt.Sprintf("%d outcomes are known", len(l.named))})
	return false, l.circuit.Err()
}

// known tells whether the circuit has a schedule.
func (l *loop) known(s rounds.Schedule) bool {
	_, err := l.circuit.universe.Units(s)
	return err == nil
}

// learn learns from an execution: no further hypothesis may have it, or one like it.
func (l *loop) learn(ctx context.Context, e *recording.Execution, s rounds.Schedule) error {
	this, err := l.circuit.exactly(s)
	if err != nil {
		return fmt.Errorf("lineage: %w", err)
	}
	l.solver.Assert(this.Not())
	if l.Guide != nil && l.Prevents(l.Executions) {
		return nil // nobody asks for outcomes of what is not allowed
	}
	given := *e
	given.Schedule = s // what a guide does to processes is not for the circuit to change
	p := l.circuit.pasts(&given)
	if !l.byFaults && l.Guide == nil {
		var other []solver.Lit
		for _, same := range l.circuit.again(e) {
			other = append(other, same.Not())
		}
		l.solver.AssertAny(other...)
	}
	for _, w := range l.witnesses {
		supports, err := w.supports(ctx, l.circuit, p, e)
		if err != nil {
			return err
		}
		for _, support := range supports {
			l.support(support, len(s.Faults) > 0)
			if l.Steps != nil && (support.stated || l.guide == nil) {
				l.shown = append(l.shown, l.circuit.shows(support, e))
			}
		}
	}
	return nil
}

// support records a support of an outcome.
func (l *loop) support(s support, faults bool) {
	stage := &l.stages[0]
	if !s.stated {
		stage = &l.stages[1]
	}
	o, known := l.named[s.outcome]
	if !known {
		if faults && s.asked == solver.False {
			return // without those faults there is nothing to prevent
		}
		o = &outcome{cut: l.circuit.Input(), asked: solver.False, faults: faults}
		l.named[s.outcome] = o
		stage.outcomes, stage.least = append(stage.outcomes, o), 1
	}
	l.solver.AssertAny(o.cut.Not(), s.enough.Not())
	if asked := l.circuit.Or(o.asked, s.asked); asked != o.asked {
		o.asked, stage.least = asked, 1
	}
}
