package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A guide that loses messages whatever happens otherwise makes another program, which does not send them. The solver
// decides its promise over all schedules within the bounds: what the guide decides is assumed, and the rest is searched.
// Messages that must arrive leave out some of the schedules: the promise is kept under these if it is under all, and a
// violation counts if its execution is allowed.

// assumed decides the promise of the program without the messages that the guide loses. It is false if what the guide
// decides depends on the execution, or only the execution of all schedules can tell.
func (d *guided) assumed(ctx context.Context, a *result.Answer) (bool, error) {
	fixed, err := d.guide.Fixed(ctx, d.program, d.bounds)
	if fixed == nil || err != nil {
		return false, err
	}
	s := rounds.Schedule{Faults: fixed.Faults}.Normal()
	b := d.bounds
	if b.Delays != 0 || b.Duplicates != 0 || b.Deliver != "" || b.Kernel != "" || schedules.Assumed(s, b) != nil {
		return false, nil // what is late is not lost, and what else is assumed speaks of all messages
	}
	promised, err := d.promised()
	if err != nil {
		return false, err
	}
	if promised.good || promised.witnessed {
		return false, nil // the promise speaks of the execution without faults
	}
	less, err := without(d.program, b, s)
	if less == nil || err != nil {
		return false, err
	}
	x, err := d.newSteered(ctx)
	if err != nil {
		return false, err
	}
	faultless := &turn{given: &rounds.Schedule{}}
	if x.turn(ctx, faultless); faultless.err != nil || len(faultless.outcome.Prevented) > 0 || faultless.refused != "" {
		return false, faultless.err
	}
	m := *d.Model
	m.program = less
	checked, err := m.check(ctx)
	if err != nil {
		return false, err
	}
	d.took(faultless)
	found, skipped, first := checked.Counterexamples, false, -1
	checked.Counterexamples = nil
	for i := range found {
		t := &turn{given: &found[i].Schedule}
		if x.turn(ctx, t); t.err != nil {
			return false, t.err
		}
		d.took(t)
		if len(t.outcome.Prevented) > 0 {
			skipped = true
			continue
		}
		if t.refused != "" || len(t.broken) == 0 {
			return false, &internalError{Schedule: found[i].Schedule, Circuit: "something breaks the promise", Executor: "nothing does" + t.refused}
		}
		c, err := d.counterexample(ctx, x, t)
		if err != nil {
			return false, err
		}
		size := found[i].Schedule.Size()
		if first < 0 {
			first = size
		}
		if c.Irreducible = !skipped && found[i].Irreducible; c.Irreducible && found[i].Minimal && size == first {
			c.Minimal, c.Among = true, result.AmongGuided
		}
		checked.Counterexamples = append(checked.Counterexamples, *c)
	}
	if skipped && len(checked.Counterexamples) == 0 {
		d.outcomes, d.executions = nil, 0
		return false, nil
	}
	scope, warnings, stats := a.Scope, a.Warnings, checked.Stats
	*a = *checked
	a.Scope, a.Warnings, a.Stats, a.Asynchronous = scope, warnings, stats, nil
	a.Complete = a.Complete && !skipped
	a.Stats.Executions += d.executions
	a.Guidance = d.guide.Guidance(d.outcomes, len(a.Counterexamples) > 0)
	a.Guidance.Vacuous = slices.DeleteFunc(a.Guidance.Vacuous, func(w specs.Warning) bool { // a rule may fire where nothing was executed
		i := slices.IndexFunc(d.guide.Rules(), func(r guide.Named) bool { return r.Position == w.Position })
		return i >= 0 && fixed.Fired[i] > 0
	})
	return true, nil
}

// took takes note of an execution.
func (d *guided) took(t *turn) {
	d.executions += t.executions
	d.outcomes = append(d.outcomes, t.outcome)
}

// without returns a program that does not send the messages that a schedule loses; nil if there is none.
func without(p *dedalus.Program, b rounds.Bounds, s rounds.Schedule) (*dedalus.Program, error) {
	lossy, err := schedules.NewEnvironment(b, s)
	if err != nil {
		return nil, err
	}
	free, err := schedules.NewEnvironment(b, rounds.Schedule{})
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, r := range p.Relations() {
		names[r.Name] = true
	}
	less := *p
	less.Rules, less.Facts = slices.Clone(p.Rules), slices.Clone(p.Facts)
	lost := map[string]string{} // by relation: the one that has who loses messages to whom
	for _, kind := range rounds.SentBy(p) {
		name := "lost_" + kind
		for names[name] {
			name += "_"
		}
		names[name] = true
		for round := 1; round <= b.EOT; round++ {
			for from, sender := range b.Processes {
				for to, receiver := range b.Processes {
					if !free.Of(kind, 0).Delivers(from, to, round) || lossy.Of(kind, 0).Delivers(from, to, round) {
						continue
					}
					lost[kind] = name
					less.Facts = append(less.Facts, &syntax.Fact{Relation: name, Args: []specs.Value{p.ProcessValue(sender), p.ProcessValue(receiver)}, Round: round})
				}
			}
		}
	}
	for i, r := range less.Rules {
		name := lost[r.Head.Relation]
		if r.Kind != syntax.Async || name == "" {
			continue
		}
		from, to := r.Location(), r.Head.Args[0]
		if from == nil {
			continue // nobody sends it, and nothing loses it
		}
		for _, e := range []syntax.Expr{from, to} {
			switch e.(type) {
			case *syntax.Variable, *syntax.Constant:
			default:
				return nil, nil
			}
		}
		own := *r
		own.Body = append(slices.Clone(r.Body), syntax.Term{
			Negated: true, Position: r.Position,
			Atom: &syntax.Atom{Relation: name, Args: []syntax.Expr{from, to}, Position: r.Position},
		})
		less.Rules[i] = &own
	}
	return &less, nil
}
