package search

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Options control a search. The zero value searches within the Faults of the system, by
// the strategy that fits.
type Options struct {
	// Bounds limit the faults. Bounds without faults are replaced by the Faults of the
	// system or, if it has none, by at most two isolations in four phases. Other fields
	// that are not set, such as Processes, EOT, EFF, Period and Reliable, are those of
	// the system; a list that is empty and not nil means none.
	Bounds rounds.Bounds

	// Settings are the seed and the ticks of every execution. A setting that is not
	// given is drawn: for each execution by the strategies that draw schedules, and
	// once by the others.
	Settings rounds.Settings

	Properties []property.Property // the properties to violate; nil: those of the system

	Strategy   string // exhaustive, learn, lineage, enumerate, spread, uniform, sample, pct, bonus, negrl, waypoint or drop; "": the one that fits
	Seed       uint64 // the seed of the random choices of the strategy
	Executions int    // the most executions; 0: 10,000
	States     int    // the most global states that exhaustive and learn keep; 0: 2,000,000
	Workers    int    // the number of goroutines that execute; 0: one for each core. The answer does not depend on it

	GoroutineOrders bool // draw, for each execution, the order of the goroutines of a process, if its machine supports that (system.Machine)

	Statistics bool // fill in result.Search.Statistics. Exhaustive and learn have none, because they execute few whole schedules

	// Known are violations that the search ignores, together with all violations of the
	// same property or, for a panic and the end of a program, with the same cause. The
	// answer says which were ignored.
	Known []result.Violation

	// Guide decides faults in every execution, beside those of the bounds, which are none
	// without budgets then; nil: nothing does.
	Guide *guide.Guide

	Progress func(result.Progress) // called with the progress of the search, unless it is nil
}

// Run searches for a schedule under which the system s violates a property. When the
// context ends, or the budget is used up, the answer is inconclusive.
//
// A process that panics violates the property "no panic", which every system has
// to satisfy beside its own.
//
// Run returns an error when the system cannot be searched in this way, a *system.Error
// when a process did something that systems do not allow, and a
// *system.NondeterminismError when two executions of one schedule differ.
func Run(ctx context.Context, s *system.System, o Options) (*result.Answer, error) {
	t, err := search.NewTarget(s, o.Properties)
	if err != nil {
		return nil, err
	}
	bounds := t.DefaultBounds(o.Bounds)
	if o.Guide != nil {
		bounds = t.Unfaulted(o.Bounds)
	}
	return strategies.Run(ctx, t.Beyond(o.Known), search.Options{
		Strategy: o.Strategy, Guide: o.Guide, Bounds: bounds, Settings: o.Settings, Seed: o.Seed,
		Executions: o.Executions, States: o.States, Workers: o.Workers, Progress: o.Progress,
		GoroutineOrders: o.GoroutineOrders, Statistics: o.Statistics,
	})
}
