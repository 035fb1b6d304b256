package ldfi

import (
	"context"

	"github.com/lineage-driven/ldfi/rounds"
)

// Enumerate lets the solver list the fault sets, whatever can be found without it, and
// uses symmetry where the circuit has so many gates. It tells whether it did. A set
// that random ones lead to may give the solver a start.
func Enumerate(ctx context.Context, m *Model, gates int, start bool) (found []rounds.Schedule, complete, symmetric bool, err error) {
	asked := *m
	asked.fewGates = gates
	q, err := newQuestion(ctx, &asked)
	if err != nil {
		return nil, false, false, err
	}
	v, err := q.whole(ctx, effort{}, &circuitProgress{}, nil)
	if err != nil {
		return nil, false, false, err
	}
	var known []int
	if start {
		known, _ = v.batch.probe()
	}
	complete, err = v.enumerate(ctx, m.options.Max, known, func(f finding) {
		found = append(found, scheduleOf(v.graph.Universe, f.units))
	})
	return found, complete, v.symmetric(known) != nil, err
}
