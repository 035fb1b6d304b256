package ldfi

import (
	"context"
	"errors"
	"iter"

	"github.com/lineage-driven/ldfi/solver"
)

// views are parts of the schedules, evaluated one after the other.
type views func(context.Context) iter.Seq2[*view, error]

// one returns a view, of all schedules or some of them, as views.
func one(v *view) views {
	return func(context.Context) iter.Seq2[*view, error] {
		return func(yield func(*view, error) bool) { yield(v, nil) }
	}
}

// errPartial says that the evaluated schedules have no wanted one, and that others were not
// evaluated.
var errPartial = errors.New("not among the schedules that were evaluated")

// meet tells whether all of some conditions hold under some schedule.
func (all views) meet(ctx context.Context, conditions func(*view) []solver.Lit) (bool, error) {
	partial := false
	for v, err := range all(ctx) {
		if err != nil {
			return false, err
		}
		met, err := v.satisfiable(ctx, conditions(v)...)
		if met || err != nil {
			return met, err
		}
		partial = partial || v.partial
	}
	if partial {
		return false, errPartial
	}
	return false, nil
}
