package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A guide with nothing but waypoints changes no execution. So the promise is decided as without it, and the solver is
// asked for a smallest schedule that reaches each waypoint: its rules are evaluated over all facts that
// some schedule gives, each under its condition.

// solved decides the promise, and which waypoints can be reached. It is false if the guide says more.
func (d *guided) solved(ctx context.Context, a *result.Answer) (bool, error) {
	program, heads, only := d.guide.OnlyWaypoints()
	if !only {
		return false, nil
	}
	checked, err := d.check(ctx)
	if err != nil {
		return true, err
	}
	scope, warnings := a.Scope, a.Warnings
	*a = *checked
	a.Scope, a.Warnings = scope, append(warnings, a.Warnings[min(len(warnings), len(a.Warnings)):]...)
	if d.way, err = d.reachable(ctx, program, heads); err != nil {
		return true, err
	}
	return true, d.besides(ctx, a, program, heads)
}

// reachable returns by waypoint the smallest schedule that reaches it after those before it; nil for those that none does.
func (d *guided) reachable(ctx context.Context, program *dedalus.Program, heads [][]string) ([]*rounds.Schedule, error) {
	g, err := provenance.Evaluate(ctx, d.program, d.bounds, d.limits())
	if err != nil {
		return nil, err
	}
	reached, err := d.reaching(ctx, g, program, heads)
	if err != nil {
		return nil, err
	}
	var all []*rounds.Schedule
	for i := range heads {
		s, err := d.smallest(ctx, g, reached[i+1])
		if err != nil || s == nil {
			return append(all, make([]*rounds.Schedule, len(heads)-i)...), err
		}
		if _, err := d.reachedBy(ctx, *s, i+1); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// reaching returns by number of waypoints, from 0 on, the condition under which so many are reached, one after the other.
func (d *guided) reaching(ctx context.Context, g *provenance.Graph, program *dedalus.Program, heads [][]string) ([]solver.Lit, error) {
	all := slices.Repeat([]solver.Lit{solver.True}, len(heads)+1)
	holds, err := d.waypoints(ctx, g, program, heads)
	if err != nil {
		return all, err
	}
	before := slices.Repeat([]solver.Lit{solver.True}, d.bounds.EOT+1)
	for i := range holds {
		before = follows(g.Circuit, before, holds[i])
		all[i+1] = before[d.bounds.EOT]
	}
	return all, g.Circuit.Err()
}

// waypoints returns, by waypoint and round, the condition under which its rules derive it from what is recorded up to that round.
func (d *guided) waypoints(ctx context.Context, g *provenance.Graph, program *dedalus.Program, heads [][]string) ([][]solver.Lit, error) {
	rows, err := d.guide.NewRows(d.bounds, d.program.ProcessValue)
	if err != nil {
		return nil, err
	}
	holds := make([][]solver.Lit, len(heads))
	for i := range holds {
		holds[i] = make([]solver.Lit, d.bounds.EOT+1)
	}
	var facts []recording.Fact
	var lits []solver.Lit
	for round := 1; round <= d.bounds.EOT; round++ {
		for _, relation := range g.Relations() {
			for _, f := range g.Facts(relation, round) {
				row, read, err := rows.Row(f.Ground())
				if err != nil {
					return nil, fmt.Errorf("%s: %w", d.guide.Name(), err)
				}
				if read {
					facts, lits = append(facts, row), append(lits, f.Cond())
				}
			}
		}
		known := rows.Known(round)
		o := d.limits(slices.Concat(heads...)...)
		o.Further = slices.Concat(facts, known)
		derived, err := provenance.Evaluate(ctx, program, datalog.Scope, o)
		if err != nil {
			return nil, err
		}
		inputs := make([]solver.Lit, derived.Circuit.Inputs())
		for i, l := range derived.Further {
			if _, _, input, number := derived.Circuit.Node(l); input {
				inputs[number] = solver.True
				if i < len(facts) {
					inputs[number] = lits[i]
				}
			}
		}
		for i, relations := range heads {
			var any []solver.Lit
			for _, relation := range relations {
				for _, f := range derived.Facts(relation, 1) {
					if last := f.Arg(len(f.Args()) - 1); last.IsInt() && last.Int() == int64(round) {
						any = append(any, f.Cond())
					}
				}
			}
			holds[i][round] = g.Circuit.Ors(g.Circuit.Graft(derived.Circuit, inputs, any...)...)
		}
	}
	return holds, g.Circuit.Err()
}

// smallest returns a schedule with the fewest faults under which a condition holds, nil if there is none.
func (d *guided) smallest(ctx context.Context, g *provenance.Graph, goal solver.Lit) (*rounds.Schedule, error) {
	units := kindsOf(g)
	inputs := make([]solver.Lit, len(units.faults))
	for i, unit := range units.faults {
		inputs[i] = g.Inputs[unit]
	}
	search := solver.NewSearch(g.Circuit, goal, g.Valid, inputs)
	found, more, err := search.Next(ctx)
	if err != nil || !more {
		return nil, err
	}
	exact := solver.NewSolver(g.Circuit) // which has the choices as well
	for _, valid := range g.Valid {
		exact.Assert(valid)
	}
	exact.Assert(goal)
	for i, input := range inputs {
		if slices.Contains(found.Units, i) {
			exact.Assert(input)
		} else {
			exact.Assert(input.Not())
		}
	}
	if status, err := exact.Solve(ctx); status != solver.Sat {
		return nil, err
	}
	s := g.Universe.Schedule(func(unit int) bool {
		switch input := g.Inputs[unit]; input {
		case solver.True, solver.False:
			return input == solver.True
		default:
			return exact.Value(input)
		}
	}).Normal()
	return &s, nil
}

// reachedBy executes a schedule that reaches a waypoint by the evaluation.
func (d *guided) reachedBy(ctx context.Context, s rounds.Schedule, waypoint int) (*turn, error) {
	if d.confirming == nil {
		silent := &guided{Model: d.Model, guide: d.guide, silent: true}
		var err error
		if d.confirming, err = silent.newSteered(ctx); err != nil {
			return nil, err
		}
		d.confirming.executor = nil
	}
	t := &turn{given: &s}
	if d.confirming.turn(ctx, t); t.err != nil {
		return nil, t.err
	}
	d.executions += t.executions
	d.outcomes = append(d.outcomes, t.outcome)
	if n := len(t.outcome.Reached); n < waypoint {
		return nil, &internalError{Schedule: s, Circuit: fmt.Sprintf("waypoint %d of %s is reached", waypoint, d.guide.Name()), Executor: fmt.Sprintf("%d are", n)}
	}
	return t, nil
}
