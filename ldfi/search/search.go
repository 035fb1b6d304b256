package search

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Options say what is searched for, and how. The zero value is a search by the
// strategy that fits, for what the system says may go wrong.
type Options struct {
	// Bounds are what may go wrong; processes and rounds are those of the system
	// where there are none. Without any fault they are the Faults of the system or,
	// if it has none, at most two isolations in four phases. What they do not say
	// beside faults, such as EFF, Period and Reliable, is what the system says; an
	// empty list, which is not nil, says none.
	Bounds rounds.Bounds

	// Settings are the seed and the ticks of every execution. What is not set is
	// drawn: anew for each execution by the strategies that draw schedules, and once
	// by the others.
	Settings rounds.Settings

	Properties []property.Property // nil: those of the system

	Strategy   string // exhaustive, learn, lineage, enumerate, spread, uniform, sample or drop; "": the one that fits
	Seed       uint64 // of the random choices of the strategy
	Executions int    // at most so many; 0: 10,000
	States     int    // exhaustive and learn keep at most so many global states; 0: 2,000,000
	Workers    int    // goroutines that execute; 0: one for each core. The answer does not depend on it

	GoroutineOrders bool // draw the order of the goroutines of a process as well, for each execution, where processes have it (system.Machine)

	Statistics bool // of the executions: result.Search.Statistics. Not of exhaustive and learn, which execute few whole schedules

	// Known violations are not looked for: those of the same property or, of a panic and
	// the end of a program, with the same cause. The answer says what was left out.
	Known []result.Violation

	Progress func(result.Progress) // is told how far the search has come; nil: nobody is
}

// Run searches a system for a schedule that violates a property. When the
// context ends, or the budget is used up, the answer is inconclusive.
//
// A process that panics violates the property "no panic", which every system has
// to satisfy beside its own.
//
// An error says that the system cannot be searched in this way, or wraps a
// *system.Error: a process did what a system does not allow. It is a
// *system.NondeterminismError if the system does not do the same twice.
func Run(ctx context.Context, s *system.System, o Options) (*result.Answer, error) {
	t, err := search.NewTarget(s, o.Properties)
	if err != nil {
		return nil, err
	}
	return strategies.Run(ctx, t.Beyond(o.Known), search.Options{
		Strategy: o.Strategy, Bounds: t.DefaultBounds(o.Bounds), Settings: o.Settings, Seed: o.Seed,
		Executions: o.Executions, States: o.States, Workers: o.Workers, Progress: o.Progress,
		GoroutineOrders: o.GoroutineOrders, Statistics: o.Statistics,
	})
}
