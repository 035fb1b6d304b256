package provenance

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Worlds evaluates the program p under the given schedules only, which costs little
// more than one of them, and returns the world of each. All worlds share a graph, which
// has only the facts of these schedules. The schedules may exceed the budgets of the
// bounds.
func Worlds(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options, schedules ...rounds.Schedule) ([]*World, error) {
	for _, s := range schedules {
		b = Covering(p, b, s)
	}
	among, err := unitsOf(p, b, schedules)
	if err != nil {
		return nil, err
	}
	o.Among = among
	g, err := Evaluate(ctx, p, b, o)
	if err != nil {
		return nil, err
	}
	worlds := make([]*World, len(schedules))
	for i, s := range schedules {
		if worlds[i], err = g.Under(s); err != nil {
			return nil, err
		}
	}
	return worlds, nil
}

// unitsOf returns the sets of fault units of schedules, each once.
func unitsOf(p *dedalus.Program, b rounds.Bounds, list []rounds.Schedule) ([][]int, error) {
	g := &Graph{Program: p, Bounds: b, Universe: schedules.New(b)}
	var all [][]int
	for _, s := range list {
		if err := Numbers(s); err != nil {
			return nil, err
		}
		units, err := g.unitsOf(s)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(other []int) bool { return slices.Equal(units, other) }) {
			all = append(all, units)
		}
	}
	return all, nil
}

// unitsOf returns the fault units of a schedule, in ascending order.
func (g *Graph) unitsOf(s rounds.Schedule) ([]int, error) {
	on := []int{}
	for _, f := range s.Faults {
		if f.Nth > 0 && !g.known(f) {
			continue // it hits nothing
		}
		unsent := f.Of != "" && !slices.Contains(g.Bounds.Kinds, f.Of) && !slices.Contains(rounds.SentBy(g.Program), f.Of)
		if g.Bounds.ByDefault(f) || unsent {
			continue // it changes nothing
		}
		units, err := g.units(f)
		if err != nil {
			return nil, err
		}
		on = append(on, units...)
	}
	slices.Sort(on)
	return slices.Compact(on), nil
}
