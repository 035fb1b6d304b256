package ldfi

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/solver"
)

// A question is decided in several ways, none of which is best for all:
//
//   - by circuit: all schedules at the same time, conditions are functions of the
//     faults (bycircuit.go);
//   - by tables: list after list of schedules, fewest faults first (bytables.go);
//   - by cases: who crashes when, and so on, each case like the circuit (bycases.go).
//
// Few schedules are decided by tables alone. Of others the circuit has a head start, with
// which most questions are decided. Then all ways are tried: tables beside the other
// two, or on one core all in turn, each with more work than before.
//
// All find the same sets in the same order, so that it does not matter which of them
// comes to its end first. Each ends at limits of work, which are the same on every
// machine: the question is not decided only if all ways end there.
type way string

const (
	circuitWay way = "circuit"
	tablesWay  way = "tables"
	casesWay   way = "cases"
)

// Work is counted in steps, some millions of which take a second.
const (
	fewSchedules  = 256       // are decided by tables alone
	headStart     = 100_000   // steps by circuit, before any other way is tried
	mostRecursion = 1_000_000 // steps within one recursion by circuit, before cases are tried
)

// try is a way with its limits. Its error is a limit if it reaches one.
type try struct {
	way way
	run func(ctx context.Context) (decided, error)
}

// decided is how a try came to its end.
type decided struct {
	way      way
	complete bool // there are no other sets than those found
	views    views
}

// race decides the question. What is found before an error is in the known.
func (q *question) race(ctx context.Context, s *knownSets) (decided, error) {
	if q.options.Decider != nil { // the decider decides all schedules at once
		return q.byCircuit(ctx, s, effort{}, &circuitProgress{})
	}
	if q.goes(tablesWay) && q.few() {
		return q.byTables(ctx, s, mostTableWork)
	}
	p := &circuitProgress{}
	circuit := func(e effort) try {
		return try{circuitWay, func(ctx context.Context) (decided, error) { return q.byCircuit(ctx, s, e, p) }}
	}
	tables := func(most int64) try {
		return try{tablesWay, func(ctx context.Context) (decided, error) { return q.byTables(ctx, s, most) }}
	}
	cases := try{casesWay, func(ctx context.Context) (decided, error) { return q.byCases(ctx, s) }}
	start, whole, patient := circuit(effort{steps: headStart}), circuit(effort{recursion: mostRecursion}), circuit(effort{})
	if d, err := q.lane(ctx, []try{start}); !isLimit(err) {
		return d, err
	}
	if q.options.Workers > 1 {
		return q.lanes(ctx, []try{whole, cases, patient}, []try{tables(mostTableWork)})
	}
	return q.lanes(ctx, []try{
		tables(4 * headStart), circuit(effort{steps: 16 * headStart}), tables(64 * headStart),
		whole, cases, patient, tables(mostTableWork),
	})
}

// goes tells whether a way is gone at all.
func (m *Model) goes(w way) bool { return !slices.Contains(m.options.without, w) }

// lanes runs tries, in each lane one after the other, until one decides the question or is
// refused. If none does the error is the limit at which the first lane ended.
func (q *question) lanes(ctx context.Context, lanes ...[]try) (decided, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type end struct {
		decided decided
		err     error
	}
	ends := make([]chan end, len(lanes))
	first := make(chan int, len(lanes))
	for i, lane := range lanes {
		ends[i] = make(chan end, 1)
		go func() {
			d, err := q.lane(ctx, lane)
			ends[i] <- end{d, err}
			first <- i
		}()
	}
	var won *end
	limits := make([]error, len(lanes))
	for range lanes {
		i := <-first
		if e := <-ends[i]; won == nil && (e.err == nil || !isLimit(e.err) && ctx.Err() == nil) {
			won = &e
			cancel()
		} else {
			limits[i] = e.err
		}
	}
	if won != nil {
		return won.decided, won.err
	}
	return decided{}, limits[0]
}

// lane runs tries one after the other, until one ends otherwise than at a limit.
func (q *question) lane(ctx context.Context, tries []try) (d decided, limit error) {
	limit = errNoWay
	for _, a := range tries {
		if !q.goes(a.way) {
			continue
		}
		d, err := a.run(ctx)
		if !isLimit(err) {
			return d, err
		}
		if limit == errNoWay || a.way == circuitWay {
			limit = err
		}
	}
	return d, limit
}

// errNoWay says that there is no way to try, which is a limit as others are.
var errNoWay = &limits.LimitError{What: "ways to decide the question"}

// isLimit tells whether another way may still decide the question after an error: at a
// limit, or if a recursion makes values for which the estimates see no end.
func isLimit(err error) bool {
	var limit *limits.LimitError
	var gates *solver.LimitError
	var runaway *limits.RunawayError
	return errors.As(err, &limit) || errors.As(err, &gates) || errors.As(err, &runaway)
}

// circuitProgress is the progress of the way by circuit.
type circuitProgress struct {
	work   atomic.Int64
	failed error      // the limit at which it ends, however patient it is
	known  *knownSets // that records its progress; nil: none
}
