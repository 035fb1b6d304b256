package ldfi

import (
	"context"
	"errors"
	"iter"

	"github.com/lineage-driven/ldfi/solver"
)

// views are parts of the schedules, one after the other, evaluated.
type views func(context.Context) iter.Seq2[*view, error]

// one is all schedules, or some of them, in one view.
func one(v *view) views {
	return func(context.Context) iter.Seq2[*view, error] {
		return func(yield func(*view, error) bool) { yield(v, nil) }
	}
}

// errPartial says that among the schedules that were evaluated nothing is what is asked
// for, which says nothing of the others.
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
