package ldfi

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// assumption is something that a schedule must have, or must not: a fault that
// matches a pattern, a fact that it gives, or one of some faults.
type assumption struct {
	text    string
	forbids bool
	fault   rounds.Pattern // unless fact or units is set
	fact    *syntax.Query
	units   func(rounds.Fault) bool // in place of both, if set

	holds func(*provenance.Graph) (solver.Lit, error) // in place of all of these, if set
}

// assumptionsOf reads assumptions and checks them against the bounds and the
// program.
func assumptionsOf(p *dedalus.Program, b rounds.Bounds, require, forbid []string) ([]*assumption, error) {
	var all []*assumption
	for i, text := range append(append([]string{}, require...), forbid...) {
		a := &assumption{text: text, forbids: i >= len(require)}
		if err := a.parse(p, b); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// parse reads the text of an assumption: a pattern over faults, or a fact.
func (a *assumption) parse(p *dedalus.Program, b rounds.Bounds) error {
	if rounds.IsPattern(a.text) {
		var err error
		if a.fault, err = rounds.ParsePattern(a.text); err != nil {
			return err
		}
		if err := a.fault.Check(b.Processes, b.EOT); err != nil {
			return err
		}
		if a.fault.Kind == rounds.Choose {
			return a.fault.CheckChosen(b)
		}
		if err := a.fault.CheckKind(b); err != nil {
			return err
		}
		return a.ruledOut(b)
	}
	q, err := dedalus.ParseQuery(a.text)
	if err != nil {
		return fmt.Errorf("assumption %q: %w", a.text, err)
	}
	if q.Round > b.EOT {
		return fmt.Errorf("assumption %q: round %d is after the last round, %d", a.text, q.Round, b.EOT)
	}
	for _, r := range p.Relations() {
		if r.Name == q.Relation && r.Arity != len(q.Args) {
			return fmt.Errorf("assumption %q: %s has %d columns", a.text, q.Relation, r.Arity)
		} else if r.Name == q.Relation {
			a.fact = &q
			return nil
		}
	}
	return fmt.Errorf("assumption %q: the program has no relation %s", a.text, q.Relation)
}

// ruledOut reports that the assumptions of b exclude every fault of the pattern.
func (a *assumption) ruledOut(b rounds.Bounds) error {
	free := b
	free.NeverCrash, free.Reliable, free.Joins, free.From = nil, nil, nil, 0
	all, left := schedules.New(free), schedules.New(b)
	var first error
	for unit := range all.Len() {
		f := all.Fault(unit)
		if !a.fault.Matches(f, b.Processes) {
			continue
		}
		if _, possible := left.Index(f); possible {
			return nil
		}
		alone := rounds.Schedule{Faults: []rounds.Fault{f}}
		first = cmp.Or(first, schedules.Assumed(alone, b))
		if len(b.Joins) > 0 {
			first = cmp.Or(first, alone.Check(b))
		}
		if first == nil && f.Round < b.FirstFault() {
			first = schedules.Within(alone, b)
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("fault pattern %q: there is no such fault: %w", a.text, errors.Unwrap(first))
}

// condition returns the condition under which the assumption holds.
func (a *assumption) condition(g *provenance.Graph) (solver.Lit, error) {
	var any []solver.Lit
	switch {
	case a.holds != nil:
		return a.holds(g)
	case a.fact != nil:
		any = a.facts(g)
	case a.units != nil:
		for unit, input := range g.Inputs {
			if a.units(g.Universe.Fault(unit)) {
				any = append(any, input)
			}
		}
	default:
		for unit, input := range g.Inputs {
			if a.fault.Matches(g.Universe.Fault(unit), g.Bounds.Processes) {
				any = append(any, input)
			}
		}
		any = append(any, a.byDefault(g)...)
	}
	if a.forbids {
		return g.Circuit.Ors(any...).Not(), nil
	}
	return g.Circuit.Ors(any...), nil
}

// byDefault returns the conditions of the matching facts that hold unless another one is
// chosen.
func (a *assumption) byDefault(g *provenance.Graph) (any []solver.Lit) {
	for _, c := range g.Bounds.Choose {
		first, ok := c.Default()
		if !ok || !a.fault.Matches(first, g.Bounds.Processes) {
			continue
		}
		var others []solver.Lit
		for _, unit := range g.Universe.Alternatives(c) {
			others = append(others, g.Inputs[unit])
		}
		any = append(any, g.Circuit.Ors(others...).Not())
	}
	return any
}

// facts returns the conditions of the matching facts, in all rounds if the assumption names
// none.
func (a *assumption) facts(g *provenance.Graph) []solver.Lit {
	first, last := 1, g.Bounds.EOT
	if a.fact.Round > 0 {
		first, last = a.fact.Round, a.fact.Round
	}
	var any []solver.Lit
	for round := first; round <= last; round++ {
		for _, f := range g.Facts(a.fact.Relation, round) {
			if matches(a.fact, g.Program, f.Args()) {
				any = append(any, f.Cond())
			}
		}
	}
	return any
}

// matches compares columns with those of a query. The name of a process stands for the
// process, however the program writes it.
func matches(q *syntax.Query, p *dedalus.Program, args []specs.Value) bool {
	for i, asked := range q.Args {
		if !asked.Wildcard && asked.Value != args[i] && p.ProcessValue(asked.Value.Text()) != args[i] {
			return false
		}
	}
	return true
}
