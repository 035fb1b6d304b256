package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
)

// guided executes schedules with what a guide decides beside them. It is for one goroutine.
type guided struct {
	Executor
	guide    *guide.Guide
	steering *guide.Steering
	beside   system.Steering                                      // what decides, and knows the steering; nil: the steering
	watch    bool                                                 // the guide decides nothing, and only its automaton follows
	outcome  func(*recording.Execution, came)                     // is told what came of the guide; nil: nobody is
	found    func(e *recording.Execution, beside rounds.Schedule) // is told what else the schedule of a violation has; nil: nobody is
	names    []guide.Named                                        // of the execution
	least    func() int                                           // violations count that reach so many waypoints; nil: all do
	fewer    func(short) bool                                     // is told of others, and tells whether it keeps them; nil: nobody is
}

// guided returns an executor that is guided as the options say.
func (s *Session) guided(x Executor, watch bool) (Executor, error) {
	_, bad := s.Guide.Ends()
	if watch && len(bad) == 0 && !s.Hold {
		return x, nil // nothing of what it says is looked at
	}
	steering, err := s.Guide.NewSteering(s.Bounds, watch)
	if err != nil {
		return nil, err
	}
	g := &guided{Executor: x, guide: s.Guide, steering: steering, watch: watch}
	if !watch {
		g.outcome, g.found = s.guidance.note, s.guidance.find
		g.fewer = s.guidance.fewer
	}
	if s.Hold {
		g.least = func() int { return s.Least }
	}
	return g, nil
}

// Execute executes a schedule with what the guide decides. The schedule of the recording has
// all of it. An execution that enters a bad state of the guide is a violation.
func (g *guided) Execute(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, []result.Violation, error) {
	var e *recording.Execution
	var violations []result.Violation
	var o guide.Outcome
	var err error
	if j, ok := g.Executor.(*Judge); ok {
		e, violations, o, err = j.steered(ctx, schedule, g)
	} else {
		e, o, err = g.elsewhere(ctx, schedule, &violations)
		if err == nil {
			g.look(e)
		}
	}
	if err != nil {
		return nil, nil, g.steering.Blame(err)
	}
	if g.outcome != nil {
		g.outcome(e, came{Outcome: o, names: g.names})
	}
	if len(o.Prevented) > 0 {
		return e, nil, nil // the guide does not allow this schedule
	}
	violations = append(violations, g.bad(o)...)
	counts, kept := g.least == nil || len(o.Reached) >= g.least(), false
	if !counts && len(violations) > 0 && g.fewer != nil {
		kept = g.fewer(short{execution: e, violations: violations, reached: len(o.Reached)})
	}
	if g.found != nil && len(violations) > 0 && (counts || kept) {
		if own, ok := g.beside.(interface{ Own() rounds.Schedule }); ok {
			schedule = own.Own()
		}
		g.found(e, schedule)
	}
	if !counts {
		return e, nil, nil
	}
	return e, violations, nil
}

// steerer is an executor of another program that may be steered. Else it returns no execution.
type steerer interface {
	Steered(ctx context.Context, s rounds.Schedule, by system.Steering) (*recording.Execution, []result.Violation, error)
}

// elsewhere executes a schedule in another program: once, if that says what each round sends,
// else again for all that is decided.
func (g *guided) elsewhere(ctx context.Context, schedule rounds.Schedule, violations *[]result.Violation) (*recording.Execution, guide.Outcome, error) {
	execute := func(s rounds.Schedule) (e *recording.Execution, err error) {
		e, *violations, err = g.Executor.Execute(ctx, s)
		return e, err
	}
	if x, ok := g.Executor.(steerer); ok {
		e, o, err := g.steering.InOne(ctx, func() (e *recording.Execution, err error) {
			e, *violations, err = x.Steered(ctx, schedule, g.steering)
			return e, err
		}, execute)
		if e != nil || err != nil {
			return e, o, err
		}
	}
	return g.steering.ByExecuting(ctx, schedule, execute)
}

// bad returns the bad states that an execution entered, as violations.
func (g *guided) bad(o guide.Outcome) (violations []result.Violation) {
	_, bad := g.guide.Ends()
	for _, m := range o.Moves {
		if !slices.Contains(bad, m.To) || slices.ContainsFunc(violations, func(v result.Violation) bool { return v.Fact.Args[0].Text() == m.To }) {
			continue
		}
		at := g.guide.Rules()[m.Rule].Position
		violations = append(violations, result.Violation{
			Property: g.guide.Name(), Text: text.Safe(fmt.Sprintf("the bad state %q of %s is entered in round %d", m.To, g.guide.Name(), m.Round)),
			Fact: recording.Fact{Relation: "in", Args: []specs.Value{specs.String(m.To)}, Round: m.Round}, Position: at,
		})
	}
	return violations
}

// Steered returns an executor, of a system of this program, whose executions are decided
// while they go on. The steering is that of the guide, which decide has to ask itself; nil if
// there is no guide.
func (s *Session) Steered(decide func(*guide.Steering) system.Steering, observe func(system.Transition)) (Executor, error) {
	j := s.Judge()
	j.Options.Transition = observe
	if s.Guide == nil {
		j.Options.Steer = decide(nil)
		return j, nil
	}
	j.Options.Record = false // it is executed again if anything is violated
	steering, err := s.Guide.NewSteering(s.Bounds, false)
	if err != nil {
		return nil, err
	}
	return &guided{Executor: j, guide: s.Guide, steering: steering, beside: decide(steering), outcome: s.guidance.note, found: s.guidance.find}, nil
}

// look takes note of the names that a recorded execution has.
func (g *guided) look(e *recording.Execution) { g.names = guide.Names(e) }

// steered executes a schedule while a guide decides, and judges the execution.
func (j *Judge) steered(ctx context.Context, schedule rounds.Schedule, g *guided) (e *recording.Execution, violations []result.Violation, o guide.Outcome, err error) {
	options := j.Options
	j.Options.Steer, j.Options.Record, j.Options.FactsOnly = g.steering, true, false
	if g.beside != nil {
		j.Options.Steer = g.beside
	}
	g.steering.Start(ctx)
	err = j.Run(ctx, schedule)
	Spend(ctx, j.Options.Rounds)
	e = j.Execution()
	j.Options = options
	if err != nil && !Panics(err) {
		return nil, nil, o, &ExecutionError{Schedule: schedule, Err: err}
	}
	o, decided, wrong := g.steering.End(e)
	if wrong != nil {
		return nil, nil, o, wrong
	}
	g.look(e)
	if err == nil {
		if violations, err = j.judge(e); err != nil && !errors.As(err, new(*limits.UnjudgedError)) {
			return nil, nil, o, err
		}
		if len(violations) == 0 && !options.Record {
			e.Schedule = decided
			return e, nil, o, nil
		}
	}
	e, violations, err = j.Execute(ctx, decided)
	return e, violations, o, err
}

// Guidance returns what came of the guide in the executions of the search, which may have
// ended with a violation.
func (s *Session) Guidance(violated bool) *result.Guidance {
	if s.Guide == nil {
		return nil
	}
	s.guidance.mutex.Lock()
	defer s.guidance.mutex.Unlock()
	var outcomes []guide.Outcome
	var names []guide.Named
	seen := map[string]bool{}
	for _, n := range slices.Sorted(maps.Keys(s.guidance.numbered)) {
		o := s.guidance.numbered[n]
		outcomes = append(outcomes, o.Outcome)
		if len(o.Prevented) == 0 && !seen[o.key] {
			seen[o.key], names = true, append(names, o.names...)
		}
	}
	g := s.Guide.Guidance(outcomes, violated)
	g.Held = s.Held
	if !violated && g.Executions > g.Prevented {
		g.Vacuous = append(g.Vacuous, s.Guide.Absent(names)...)
	}
	return g
}

// guidance is what came of a guide in the executions of a search.
type guidance struct {
	mutex    sync.Mutex
	outcomes map[*recording.Execution]came // of executions that are not numbered yet
	numbered map[int]came
	short    *short                   // the violation that reaches most waypoints of those that reach too few
	names    map[string][]guide.Named // those of an execution, by themselves: most executions have the same

	beside map[*recording.Execution]rounds.Schedule // of executions with violations: what the guide did not decide
}

// came is what came of a guide in an execution, and the names that this has.
type came struct {
	guide.Outcome
	names []guide.Named
	key   string // the same where the names are
}

// note takes note of what came of the guide in an execution.
func (g *guidance) note(e *recording.Execution, o came) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.outcomes == nil {
		g.outcomes, g.names = map[*recording.Execution]came{}, map[string][]guide.Named{}
	}
	o.key = fmt.Sprintf("%q", o.names)
	if same, ok := g.names[o.key]; ok {
		o.names = same
	} else {
		g.names[o.key] = o.names
	}
	g.outcomes[e] = o
}

// find takes note of an execution with violations.
func (g *guidance) find(e *recording.Execution, beside rounds.Schedule) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.beside == nil {
		g.beside = map[*recording.Execution]rounds.Schedule{}
	}
	g.beside[e] = beside.With(e.Schedule.Settings)
}

// late forgets an execution whose violations are only late.
func (g *guidance) late(e *recording.Execution) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	delete(g.beside, e)
}

// number gives an execution its number.
func (g *guidance) number(n int, e *recording.Execution) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	o, ok := g.outcomes[e]
	if !ok {
		return
	}
	delete(g.outcomes, e)
	if g.numbered == nil {
		g.numbered = map[int]came{}
	}
	g.numbered[n] = o
}

// Waypoints returns the rounds in which an execution reached the waypoints of the guide, from
// the first; the execution was counted (Count).
func (s *Session) Waypoints(number int) []int {
	s.guidance.mutex.Lock()
	defer s.guidance.mutex.Unlock()
	return s.guidance.numbered[number].Reached
}

// Prevents tells whether the guide does not allow the schedule of an execution; the execution
// was counted (Count).
func (s *Session) Prevents(number int) bool {
	s.guidance.mutex.Lock()
	defer s.guidance.mutex.Unlock()
	return len(s.guidance.numbered[number].Prevented) > 0
}

// short is an execution with violations that reaches too few waypoints.
type short struct {
	execution  *recording.Execution
	violations []result.Violation
	reached    int
	number     int // of the execution; 0: it has none yet
}

// fewer keeps the first violation of those that reach most waypoints, and tells whether it is this one.
func (g *guidance) fewer(s short) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.short != nil && g.short.reached >= s.reached {
		return false
	}
	g.short = &s
	return true
}

// Farthest takes the violation that reaches most waypoints for the one that was found, if it reaches as many as any
// execution, and the search, which ended with the error searched or nil, found none that reaches all. Else it returns its
// schedule, nil if there is none.
func (s *Session) Farthest(ctx context.Context, searched error, reached int) (beside *rounds.Schedule, err error) {
	found := s.guidance.short
	if s.violated || found == nil || searched != nil && !errors.Is(searched, errBudget) && ctx.Err() == nil {
		return nil, nil
	}
	if found.reached < reached {
		return &found.execution.Schedule, nil
	}
	s.violated, err = s.Stands(context.WithoutCancel(ctx), found.number, found.execution, found.violations)
	s.found, s.Seen, s.Violates, s.Least = found.execution.Schedule, found.execution, found.violations, found.reached
	return nil, err
}

// forget leaves out the executions after last.
func (g *guidance) forget(last int) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for n := range g.numbered {
		if n > last {
			delete(g.numbered, n)
		}
	}
}
