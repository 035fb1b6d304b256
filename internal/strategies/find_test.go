package strategies_test

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

// target is a system and what may go wrong.
type target struct {
	System     *system.System
	Properties []property.Property // nil: those of the system
	Bounds     rounds.Bounds
	Settings   rounds.Settings
}

// find searches a target by a strategy.
func find(ctx context.Context, strategy string, t target, o search.Options) (*result.Answer, error) {
	local, err := search.NewTarget(t.System, t.Properties)
	if err != nil {
		return nil, err
	}
	if (strategy == "waypoint" || strategy == "ahead") && o.Guide == nil {
		o.Guide = nowhere
	}
	o.Strategy, o.Bounds = strategy, t.Bounds
	return strategies.Run(ctx, local, o)
}

// guided are the guides of strategies that need one.
var guided = map[string]*guide.Guide{"waypoint": nowhere}

// nowhere is a guide whose waypoint is never reached.
var nowhere = must(guide.Parse("nowhere.mg", `waypoint(1, R) :- message(_, "nobody", _, _, _, R). # may never`))

func must(g *guide.Guide, err error) *guide.Guide {
	if err != nil {
		panic(err)
	}
	return g
}
