package ldfi

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// With Options.Hold only violations count whose executions reach as many waypoints as any execution does. Such an
// execution leaves a support of each waypoint unharmed, its own; and an execution that leaves all that they need
// unharmed reaches them. So no support has to be picked out before the search, and none is missed.

// short keeps a schedule that breaks the promise and does not reach all waypoints, unless a part of it reaches as many. It
// is false if the schedule reaches all, or nothing is held.
func (d *guided) short(t *turn) bool {
	if !d.options.Hold || len(t.outcome.Reached) == d.guide.Waypoints() {
		return false
	}
	for _, known := range d.shorts {
		if len(known.outcome.Reached) >= len(t.outcome.Reached) && isPart(known.units, t.units) {
			return true
		}
	}
	d.shorts = append(d.shorts, t)
	return true
}

// less returns the units of a schedule without which it breaks the promise as well, and reaches fewer waypoints; nil if there are none.
func (d *guided) less(t *turn) []int {
	for _, known := range d.shorts {
		if len(known.units) < len(t.units) && isPart(known.units, t.units) {
			return slices.DeleteFunc(slices.Clone(t.units), func(unit int) bool { return slices.Contains(known.units, unit) })
		}
	}
	return nil
}

func isPart(part, of []int) bool {
	return !slices.ContainsFunc(part, func(unit int) bool { return !slices.Contains(of, unit) })
}

// farthest takes the violations that reach as many waypoints as any schedule does, if no schedule reaches all.
func (d *guided) farthest(ctx context.Context, a *result.Answer) error {
	if len(a.Counterexamples) > 0 || len(d.shorts) == 0 {
		return nil
	}
	s, err := d.newSteered(ctx)
	if err != nil {
		return err
	}
	for _, t := range d.shorts {
		switch {
		case len(t.outcome.Reached) < len(d.first):
		case len(a.Counterexamples) == d.options.Max:
			a.Complete = false
			return nil
		default:
			if err := d.breaks(ctx, a, s, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// holding says what was held, and how a violation that reaches less is not the answer.
func (d *guided) holding(ctx context.Context, a *result.Answer, reached int) {
	if !d.options.Hold {
		return
	}
	a.Guidance.Held = &result.Unharmed{Waypoints: reached}
	if d.broke != nil {
		if ways, err := d.ways(ctx, d.broke.schedule, d.broke.outcome.Reached); err == nil { // it may be too much work
			a.Guidance.Held.Ways = ways
		}
		return
	}
	if len(d.shorts) == 0 {
		return
	}
	beside := d.shorts[0].schedule
	a.Guidance.Held.Beside = &beside
	a.Verdict, a.Complete, a.Decided = result.Inconclusive, false, 0
	if a.Limit == nil {
		a.Limit = &result.Limit{
			Kind:   result.LimitHypotheses,
			Reason: text.SafeLines(fmt.Sprintf("no schedule that reaches waypoint %d of %s breaks the promise, but one that does not reach it does: %s", reached, d.guide.Name(), asText(beside))),
			Advice: []string{"leave out --hold"},
		}
	}
}

// asText writes a schedule in a sentence.
func asText(s rounds.Schedule) string {
	if len(s.Faults) == 0 {
		return "that without faults"
	}
	return s.String()
}

// ways returns what led to each waypoint in an execution that reached them in some rounds: faults that happened, and losses and
// crashes that did not. By these alone the rules derive the waypoint in that round; without any of them they might not. It is nil
// if the rules read more than facts of the program. An error may be that the program has no meaning under faults beyond the
// bounds.
func (d *guided) ways(ctx context.Context, s rounds.Schedule, reached []int) ([]result.Way, error) {
	program, heads, reports := d.guide.WaypointRules()
	if !reports {
		return nil, nil
	}
	b := d.bounds
	b.From, b.EFF, b.Omissions, b.Crashes, b.Kinds = 0, b.EOT, rounds.Unlimited, rounds.Unlimited, rounds.SentBy(d.program)
	b.Isolations, b.Partitions, b.Cuts, b.Delays, b.Duplicates, b.Deliver, b.Kernel = 0, 0, 0, 0, 0, "", ""
	g, err := provenance.Evaluate(ctx, d.program, provenance.Covering(d.program, b, s), d.limits())
	if err != nil {
		return nil, err
	}
	units, err := g.Universe.Units(s)
	if err != nil {
		return nil, err
	}
	holds, err := d.waypoints(ctx, g, program, heads[:len(reached)])
	if err != nil {
		return nil, err
	}
	var all []result.Way
	for i, round := range reached {
		core, err := d.without(ctx, g, holds[i][round], units)
		if err != nil {
			return nil, err
		}
		all = append(all, d.wayOf(core))
	}
	return all, nil
}

// without returns faults that happen or not, which are enough for a condition; in place of those that do not happen their opposite.
func (d *guided) without(ctx context.Context, g *provenance.Graph, holds solver.Lit, units []int) (core []unless, err error) {
	of := solver.NewSolver(g.Circuit)
	of.Assert(holds.Not())
	named := map[solver.Lit]unless{}
	var assumed []solver.Lit
	for unit, input := range g.Inputs {
		happens := slices.Contains(units, unit)
		if input <= solver.True {
			continue
		}
		if !happens {
			input = input.Not()
		}
		named[input] = unless{g.Universe.Fault(unit), happens}
		assumed = append(assumed, input)
	}
	lits, _, err := of.MinimalCore(ctx, assumed...)
	for _, l := range lits {
		core = append(core, named[l])
	}
	return core, err
}

// unless is a fault that happens, or does not.
type unless struct {
	fault   rounds.Fault
	happens bool
}

// wayOf names what faults would take away from an execution.
func (d *guided) wayOf(core []unless) (w result.Way) {
	last := map[string]int{}
	for _, u := range core {
		f := u.fault
		switch {
		case u.happens:
			w.Faults = append(w.Faults, f.String())
		case f.Kind == rounds.Crash || f.Kind == rounds.Restart:
			last[f.Process] = max(last[f.Process], f.Round)
		case f.Kind == rounds.Omit && f.Of != "":
			w.Messages = append(w.Messages, message{f.Of, f.Process, f.To, f.Round}.String())
		}
	}
	for _, p := range d.bounds.Processes {
		if last[p] > 0 {
			w.Processes = append(w.Processes, fmt.Sprintf("%s@%d", p, last[p]))
		}
	}
	return w
}

// held asks the solver about the schedules that reach a number of waypoints.
func (d *guided) held(ctx context.Context, program *dedalus.Program, heads [][]string) (*result.Answer, error) {
	q, err := newQuestion(ctx, d.Model)
	if err != nil {
		return nil, err
	}
	for _, r := range d.program.Relations() {
		if r.Name != syntax.Crash && r.Name != syntax.Booted {
			q.also = append(q.also, r.Name)
		}
	}
	q.assumed = []*assumption{{holds: func(g *provenance.Graph) (solver.Lit, error) {
		by, err := d.reaching(ctx, g, program, heads)
		return by[len(heads)], err
	}}}
	a := d.unanswered()
	err = q.answer(ctx, a)
	a.Stats = q.stats()
	if a.Limit = limitOf(ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	d.Model.conclude(a, q.cost.growth)
	return a, nil
}

// besides puts the answer about the schedules that reach as many waypoints as can be reached in place of that about all.
func (d *guided) besides(ctx context.Context, a *result.Answer, program *dedalus.Program, heads [][]string) error {
	reached := d.reached()
	if !d.options.Hold || reached == 0 || a.Verdict == result.Holds {
		return nil
	}
	held, err := d.held(ctx, program, heads[:reached])
	if err != nil {
		return err
	}
	if held.Verdict == result.Holds && a.Verdict == result.Inconclusive {
		return nil
	}
	if held.Verdict == result.Holds {
		d.shorts = []*turn{{schedule: a.First().Schedule}}
		a.Verdict, a.Counterexamples = result.Inconclusive, nil
		return nil
	}
	held.Scope, held.Warnings = a.Scope, a.Warnings
	*a = *held
	for i := range a.Counterexamples {
		c := &a.Counterexamples[i]
		if c.Among == result.AmongAssumptions {
			c.Among = result.AmongWaypoints
		}
		t, err := d.reachedBy(ctx, c.Schedule, reached)
		if err != nil {
			return err
		}
		if d.broke == nil {
			d.broke = t
		}
	}
	return nil
}

// reached is how many waypoints some schedule reaches, by the solver.
func (d *guided) reached() int {
	n := 0
	for n < len(d.way) && d.way[n] != nil {
		n++
	}
	return n
}
