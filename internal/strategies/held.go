package strategies

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	guides "github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// held has what led to the waypoints of a guide. A way to a waypoint are the faults of an execution up to the round in which
// it is reached, and the messages that arrived for the facts from which its rules derive it. Of each waypoint that some
// execution has reached one known way stays unharmed.
type held struct {
	bounds  rounds.Bounds
	circuit *faultCircuit
	program *dedalus.Program // derives the waypoints; nil: its rules read more than facts
	heads   [][]string
	rows    *guides.Rows

	ways [][]way      // by waypoint, those that are known
	some []solver.Lit // by waypoint: one of them is unharmed

	shorter []rounds.Schedule // each without one of the faults of a way: that may lead to the waypoint too
	tried   map[string]bool   // those of before
}

// way is a way to a waypoint.
type way struct {
	milestone
	unharmed  solver.Lit // its faults happen, and its messages arrive
	received  solver.Lit // its messages arrive
	execution *recording.Execution
}

// mostWays limits the ways to a waypoint that are known.
const mostWays = 16

func newHeld(s *search.Session, c *faultCircuit) (*held, error) {
	h := &held{bounds: s.Bounds, circuit: c, ways: make([][]way, s.Guide.Waypoints()), tried: map[string]bool{}}
	program, heads, reports := s.Guide.WaypointRules()
	if !reports {
		return h, nil
	}
	h.program, h.heads = program, heads
	var err error
	h.rows, err = s.Guide.NewRows(s.Bounds, specs.String)
	return h, err
}

// learn takes note of the ways of an execution that reached waypoints in some rounds. It tells whether one is new.
func (h *held) learn(ctx context.Context, e *recording.Execution, s rounds.Schedule, reached []int) (bool, error) {
	if !slices.ContainsFunc(h.ways[:len(reached)], func(known []way) bool { return len(known) < mostWays }) {
		return false, nil
	}
	given := *e
	given.Schedule = s
	past, c, fresh := h.circuit.pasts(&given).received, h.circuit, false
	for i, round := range reached {
		w := way{milestone: milestone{until(s, round), round}, execution: e}
		units, err := c.universe.Units(w.schedule)
		if err != nil || len(h.ways[i]) == mostWays {
			continue // with faults of other kinds than the circuit has
		}
		if w.received, err = h.received(ctx, e, past, i, round); err != nil {
			return fresh, err
		}
		w.unharmed = c.And(w.received, c.Ands(c.inputs(units)...))
		if slices.ContainsFunc(h.ways[i], func(known way) bool { return known.unharmed == w.unharmed }) {
			continue
		}
		if i == len(h.some) {
			h.some = append(h.some, solver.False)
		}
		h.ways[i], h.some[i], fresh = append(h.ways[i], w), c.Or(h.some[i], w.unharmed), true
		h.shorten(w.schedule)
	}
	return fresh, c.Err()
}

// shorten takes note of the schedules with one fault less.
func (h *held) shorten(s rounds.Schedule) {
	h.tried[faultsText(s)] = true
	for i := range s.Faults {
		fewer := rounds.Schedule{Faults: slices.Delete(slices.Clone(s.Faults), i, i+1)}
		if _, err := h.circuit.universe.Units(fewer); err == nil && !h.tried[faultsText(fewer)] {
			h.tried[faultsText(fewer)] = true
			h.shorter = append(h.shorter, fewer)
		}
	}
}

// next returns a schedule that may be a shorter way.
func (h *held) next() (s rounds.Schedule, ok bool) {
	if h == nil || len(h.shorter) == 0 {
		return s, false
	}
	s, h.shorter = h.shorter[0], h.shorter[1:]
	return s, true
}

// received is true when all arrives for the facts from which a waypoint is derived in a round.
func (h *held) received(ctx context.Context, e *recording.Execution, past [][]solver.Lit, waypoint, round int) (solver.Lit, error) {
	everything := h.circuit.Ands(past[round]...)
	if h.program == nil {
		return everything, nil
	}
	var facts []recording.Fact
	var lits []solver.Lit
	for _, f := range e.Facts {
		if f.Round > round {
			continue
		}
		row, read, err := h.rows.Row(f)
		if err != nil {
			return solver.False, err
		}
		if read {
			facts, lits = append(facts, row), append(lits, h.circuit.reported(past, f.Args, f.Round))
		}
	}
	o := provenance.Options{Further: slices.Concat(facts, h.rows.Known(round)), MaxFacts: maxLineage, MaxGates: 10 * maxLineage}
	g, err := provenance.Evaluate(ctx, h.program, datalog.Scope, o)
	switch {
	case errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*solver.LimitError)):
		return everything, nil
	case err != nil:
		return solver.False, err
	}
	for range len(o.Further) - len(lits) {
		lits = append(lits, solver.True)
	}
	var any []solver.Lit
	for _, relation := range h.heads[waypoint] {
		for _, f := range g.Facts(relation, 1) {
			if last := f.Arg(len(f.Args()) - 1); last.IsInt() && last.Int() == int64(round) {
				any = append(any, f.Cond())
			}
		}
	}
	return h.circuit.Ors(h.circuit.Graft(g.Circuit, lits, any...)...), nil
}

// assumed are conditions on the schedules that leave a way to each waypoint unharmed.
func (h *held) assumed() []solver.Lit {
	if h == nil {
		return nil
	}
	return h.some
}

// spare returns a schedule that leaves a way to each waypoint unharmed: one that reached them, with the later faults of another.
func (h *held) spare(random *rand.Rand, s rounds.Schedule) rounds.Schedule {
	if h == nil || len(h.some) == 0 {
		return s
	}
	ways := h.ways[len(h.some)-1]
	return ways[random.IntN(len(ways))].with(random, s, h.bounds)
}

// unharmed returns what was held: of each waypoint the first way that a schedule leaves unharmed.
func (h *held) unharmed(s rounds.Schedule) *result.Unharmed {
	all := &result.Unharmed{Waypoints: len(h.some)}
	units, err := h.circuit.universe.Units(s)
	for i := range h.some {
		words := solver.NewWords(h.circuit.Circuit, h.circuit.unharmed(h.ways[i])...)
		inputs := make([]uint64, h.circuit.Inputs())
		for _, unit := range units {
			_, _, _, number := h.circuit.Node(h.circuit.units[unit])
			inputs[number] = 1
		}
		words.Eval(inputs)
		first := slices.IndexFunc(h.ways[i], func(w way) bool { return err == nil && words.Value(w.unharmed)&1 == 1 })
		all.Ways = append(all.Ways, h.circuit.way(h.ways[i][max(first, 0)]))
	}
	return all
}

func (c *faultCircuit) unharmed(ways []way) (lits []solver.Lit) {
	for _, w := range ways {
		lits = append(lits, w.unharmed)
	}
	return lits
}

// way names what a way consists of.
func (c *faultCircuit) way(w way) (named result.Way) {
	for _, f := range w.schedule.Faults {
		named.Faults = append(named.Faults, f.String())
	}
	last := map[string]int{}
	for _, s := range c.shows(support{enough: w.received}, w.execution).Supports {
		named.Messages = s.Messages
	}
	for unit, fatal := range c.fatal(w.received) {
		if f := c.universe.Fault(unit); fatal && f.Kind == rounds.Crash {
			last[f.Process] = max(last[f.Process], f.Round)
		}
	}
	for _, p := range c.bounds.Processes {
		if last[p] > 0 {
			named.Processes = append(named.Processes, fmt.Sprintf("%s@%d", p, last[p]))
		}
	}
	return named
}
