package strategies

import (
	"context"
	"errors"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// ask continues if there are too many global states to keep. The table is evaluated over
// all schedules at once, as a program. A solver finds a schedule that violates a property,
// or else some schedules that lead to unknown steps. Each of these is followed by one drawn
// schedule.
func (l *learner) ask(ctx context.Context) error {
	spread := DrawSpread(l.Bounds)
	for {
		q, err := l.question(ctx)
		if err != nil {
			return err
		}
		switch s, found, err := q.find(ctx, q.violations); {
		case err != nil:
			return err
		case found:
			units := q.units()
			if done, err := l.confirm(ctx, s); done || err != nil {
				return err
			}
			l.late = append(l.late, units)
			continue
		}
		for asked := 0; ; asked++ {
			s, found, err := q.find(ctx, q.unknown)
			if err != nil {
				return err
			}
			if !found && asked == 0 {
				return nil
			}
			if !found {
				break
			}
			for _, s := range []rounds.Schedule{s, spread(l.Random)} {
				if done, err := l.execute(ctx, s); done || err != nil {
					return err
				}
			}
		}
	}
}

// question evaluates the table. The error is errTooMany if that is too large as
// well, or if a property can only be judged by executions.
func (l *learner) question(ctx context.Context) (*question, error) {
	if l.product.requests.chosen != nil {
		l.handed = "the solver is asked for no choices of requests"
		return nil, errTooMany
	}
	if b := l.Bounds; b.Restarts != 0 || b.Pauses != 0 || b.Delays != 0 || b.Duplicates != 0 || b.Orders != 0 || b.Crashes != 0 && len(b.Points) > 0 {
		l.handed = "the solver is asked for no restarts, pauses, delays, duplicates, orders and crashes within a round"
		return nil, errTooMany
	}
	if err := l.extended().CheckProgram(); err != nil {
		l.handed = "the solver is not asked: " + err.Error()
		return nil, errTooMany
	}
	p, err := l.table.program(l.Session)
	if err != nil {
		l.handed = err.Error()
		return nil, errTooMany
	}
	q, err := newQuestion(ctx, p, l.extended())
	if err == nil {
		q.exclude(l.late)
	}
	var facts *limits.LimitError
	var gates *solver.LimitError
	if errors.As(err, &facts) || errors.As(err, &gates) {
		l.handed = "what is known is too large for the solver"
		err = errTooMany
	}
	return q, err
}

// extended returns the bounds of the program, which has one more round than the system,
// without a loss in that round, and rules of its own for the effect of a crash.
func (l *learner) extended() rounds.Bounds {
	b := l.Bounds
	b.EOT++
	b.CrashStop, b.Points = false, nil // without crashes, points mean nothing
	if b.EFF == 0 {
		b.EFF = b.EOT
	}
	return b
}

// question is a table under all schedules at once.
type question struct {
	graph      *provenance.Graph
	solver     *solver.Solver
	violations []solver.Lit // of properties, where nothing happens that is not known
	unknown    []solver.Lit // something not known happens, earliest round first
}

func newQuestion(ctx context.Context, p *dedalus.Program, b rounds.Bounds) (*question, error) {
	g, err := provenance.Evaluate(ctx, p, b, provenance.Options{
		Only: []string{own("unknown"), own("violated")}, MaxFacts: limits.DefaultMaxFacts, MaxGates: limits.DefaultMaxGates,
	})
	if err != nil {
		return nil, err
	}
	q := &question{graph: g, solver: solver.NewSolver(g.Circuit)}
	for _, l := range g.Valid {
		q.solver.Assert(l)
	}
	for round := 1; round <= b.EOT; round++ {
		for _, f := range g.Facts(own("unknown"), round) {
			q.unknown = append(q.unknown, f.Cond())
		}
	}
	for _, f := range g.Facts(own("violated"), b.EOT) {
		q.violations = append(q.violations, f.Cond())
	}
	known := g.Circuit.Ors(q.unknown...).Not()
	for i, v := range q.violations {
		q.violations[i] = g.Circuit.And(v, known)
	}
	return q, g.Circuit.Err()
}

// units returns the faults of the schedule that the solver has found, as units.
func (q *question) units() []bool {
	units := make([]bool, len(q.graph.Inputs))
	for i, input := range q.graph.Inputs {
		units[i] = q.solver.Value(input)
	}
	return units
}

// exclude keeps the solver from finding the schedules all.
func (q *question) exclude(all [][]bool) {
	for _, units := range all {
		other := make([]solver.Lit, len(units))
		for i, on := range units {
			if other[i] = q.graph.Inputs[i]; on {
				other[i] = other[i].Not()
			}
		}
		q.solver.AssertAny(other...)
	}
}

// find returns a schedule under which the first satisfiable condition holds, and removes
// the unknown steps under this schedule from the unknown ones.
func (q *question) find(ctx context.Context, conditions []solver.Lit) (rounds.Schedule, bool, error) {
	for _, condition := range conditions {
		status, err := q.solver.Solve(ctx, condition)
		if err != nil {
			return rounds.Schedule{}, false, err
		}
		if status != solver.Sat {
			continue
		}
		q.unknown = slices.DeleteFunc(q.unknown, q.solver.Value)
		return q.schedule(), true, nil
	}
	return rounds.Schedule{}, false, nil
}

// schedule returns the schedule that the solver has found, without crashes in the
// additional round, where they make no difference.
func (q *question) schedule() rounds.Schedule {
	s := q.graph.Universe.Schedule(func(unit int) bool { return q.solver.Value(q.graph.Inputs[unit]) })
	s.Faults = slices.DeleteFunc(s.Faults, func(f rounds.Fault) bool { return f.Round == q.graph.Bounds.EOT })
	return s.Normal()
}
