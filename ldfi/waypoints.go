package ldfi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// Limits of the search for waypoints.
const (
	mostPatterns  = 5000 // facts, with and without values, that are looked at
	mostWaypoints = 6    // that are proposed
	rare          = 16   // one of so many drawn schedules at least does not reach a waypoint
	fewColumns    = 5    // of whose values all subsets are left out
)

// Waypoints proposes intermediates on the way to a fact, which is written as for [Model.WhatIf]: facts that hold before it
// whenever any schedule within the bounds reaches it, and not under all schedules. It measures what each of them,
// and all of them, gain in drawn executions. Limits and a cancelled context are no errors: the answer
// may be Unknown then.
func (m *Model) Waypoints(ctx context.Context, fact string) (*result.Waypoints, error) {
	reached, err := m.WhatIf(ctx, result.Wanted{Fact: fact})
	if err != nil {
		return nil, err
	}
	found := &result.Waypoints{Fact: reached.Fact, Answer: reached.Answer, Limit: reached.Limit, Warnings: reached.Warnings, Scope: reached.Scope}
	if reached.Answer != result.Possible {
		return found, nil
	}
	found.Schedule, found.Round = reached.Sets[0].Schedule, reached.Sets[0].Violations[0].Fact.Round
	w, err := wantedOf(m.program, m.bounds, fact, false)
	if err != nil {
		return nil, err
	}
	err = m.propose(ctx, found, w)
	if limit := limitOf(ctx, err); limit != nil {
		found.Limit, err = limit, nil
		advise(limit, nil, m.bounds.EOT, m.bounds.EOT)
	}
	return found, err
}

// propose adds the waypoints, and what they gain.
func (m *Model) propose(ctx context.Context, found *result.Waypoints, w *wanted) error {
	g, err := provenance.Evaluate(ctx, m.program, m.bounds, m.limits(w.fact.Relation))
	if err != nil {
		return err
	}
	p := &proposal{wanted: w, graph: g, solver: solver.NewSolver(g.Circuit)}
	for _, valid := range g.Valid {
		p.solver.Assert(valid)
	}
	p.lookAt()
	if err := p.dominating(ctx); err != nil {
		return err
	}
	p.count(newDraws(g, m.bounds))
	if err := p.chain(ctx); err != nil {
		return err
	}
	found.Others = p.others
	for i, c := range p.chosen {
		fact := (&wanted{program: m.program, processes: m.bounds.Processes, fact: c.query}).pattern()
		found.Waypoints = append(found.Waypoints, result.Waypoint{
			Fact: fact, Rule: fmt.Sprintf("waypoint(%d, R) :- %s.", i+1, withRound(c.query)), First: c.first, Drawn: c.drawn, Of: drawnFirst,
		})
	}
	return p.measure(ctx, newDraws(g, m.bounds), found)
}

// withRound writes a pattern as a rule reads it, with the round as the last column.
func withRound(q syntax.Query) string {
	q.Round = 0
	text := strings.TrimSuffix(q.String(), ")")
	if len(q.Args) > 0 {
		text += ", "
	}
	return text + "R)"
}

// proposal is the search for waypoints.
type proposal struct {
	*wanted
	graph  *provenance.Graph
	solver *solver.Solver

	target []solver.Lit // by round: it is reached then, and not before
	all    []*candidate
	others int
	chosen []*candidate
}

// candidate is a pattern of facts that may be a waypoint.
type candidate struct {
	query syntax.Query
	holds []solver.Lit // by round, from 0 on
	by    []solver.Lit // by round: it has held by then
	lacks solver.Lit   // the target is reached, and it has not held before
	first int          // the first round in which it can hold
	drawn int          // how many drawn schedules reach it
}

// lookAt collects the patterns of the facts on which the target depends in some execution.
func (p *proposal) lookAt() {
	c := p.graph.Circuit
	p.target = make([]solver.Lit, p.last+1)
	before := solver.False
	for round, holds := range p.conditions(p.graph, &p.fact) {
		if round >= p.first {
			p.target[round] = c.And(before.Not(), holds)
			before = c.Or(before, holds)
		}
	}
	known := map[string]*candidate{}
	for _, f := range p.lineage() {
		for _, q := range patterns(f) {
			if key := q.String(); known[key] == nil && len(known) < mostPatterns {
				known[key] = &candidate{query: q, holds: make([]solver.Lit, p.last+1)}
				p.all = append(p.all, known[key])
			}
		}
	}
	for _, relation := range p.graph.Relations() {
		for round := 1; round <= p.last; round++ {
			any := map[*candidate][]solver.Lit{}
			for _, f := range p.graph.Facts(relation, round) {
				for _, q := range patterns(f) {
					if at := known[q.String()]; at != nil {
						any[at] = append(any[at], f.Cond())
					}
				}
			}
			for _, at := range p.all {
				if lits := any[at]; lits != nil {
					at.holds[round] = c.Ors(lits...)
				}
			}
		}
	}
	for _, at := range p.all {
		at.by = make([]solver.Lit, len(at.holds))
		var lacks []solver.Lit
		for round := 1; round < len(at.holds); round++ {
			at.by[round] = c.Or(at.by[round-1], at.holds[round])
			lacks = append(lacks, c.And(p.target[round], at.by[round-1].Not()))
			if at.first == 0 && at.holds[round] != solver.False {
				at.first = round
			}
		}
		at.lacks = c.Ors(lacks...)
	}
}

// lineage returns the facts from which the target is derived in some execution, in the order of the program and of
// rounds, without those that say which faults there are.
func (p *proposal) lineage() (all []*provenance.Fact) {
	seen := map[*provenance.Fact]bool{}
	var visit func(f *provenance.Fact)
	var firing func(f *provenance.Firing)
	firing = func(f *provenance.Firing) {
		for _, used := range f.Positive() {
			visit(used)
		}
		for _, row := range f.Rows() {
			firing(row)
		}
	}
	visit = func(f *provenance.Fact) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, one := range f.Firings() {
			firing(one)
		}
	}
	for round := p.first; round <= p.last; round++ {
		for _, f := range p.graph.Facts(p.fact.Relation, round) {
			if matches(&p.fact, p.program, f.Args()) {
				visit(f)
			}
		}
	}
	for _, relation := range p.graph.Relations() {
		for round := 1; round <= p.last && relation != syntax.Crash && relation != syntax.Booted; round++ {
			for _, f := range p.graph.Facts(relation, round) {
				if seen[f] {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// patterns are a fact, and what remains if values are left out.
func patterns(f *provenance.Fact) (all []syntax.Query) {
	args := f.Args()
	subsets := 1
	if len(args) <= fewColumns {
		subsets = 1 << len(args)
	}
	for left := range subsets {
		q := syntax.Query{Relation: f.Relation()}
		for i, v := range args {
			if left>>i&1 == 1 {
				q.Args = append(q.Args, syntax.QueryArg{Wildcard: true})
			} else {
				q.Args = append(q.Args, syntax.QueryArg{Value: v})
			}
		}
		all = append(all, q)
	}
	return all
}

// dominating keeps the candidates without which the target is never reached, and which some schedule lacks. A
// schedule that excludes one excludes others.
func (p *proposal) dominating(ctx context.Context) error {
	left := p.all
	p.all = nil
	for len(left) > 0 {
		at := left[0]
		status, err := p.solver.Solve(ctx, at.lacks)
		if err != nil {
			return err
		}
		if status == solver.Sat {
			under := p.model(lacksOf(left)...)
			left = slices.DeleteFunc(left, func(c *candidate) bool { return under(c.lacks) })
			continue
		}
		left = left[1:]
		status, err = p.solver.Solve(ctx, at.by[p.last].Not())
		if err != nil {
			return err
		}
		if status == solver.Sat {
			p.all = append(p.all, at)
		}
	}
	return p.specific(ctx)
}

func lacksOf(all []*candidate) (lits []solver.Lit) {
	for _, c := range all {
		lits = append(lits, c.lacks)
	}
	return lits
}

// model returns the values of functions under the schedule that the solver found.
func (p *proposal) model(roots ...solver.Lit) func(solver.Lit) bool {
	words := solver.NewWords(p.graph.Circuit, roots...)
	inputs := make([]uint64, p.graph.Circuit.Inputs())
	for _, input := range p.graph.Inputs {
		if input > solver.True && p.solver.Value(input) {
			_, _, _, number := p.graph.Circuit.Node(input)
			inputs[number] = 1
		}
	}
	words.Eval(inputs)
	return func(l solver.Lit) bool { return words.Value(l)&1 == 1 }
}

// specific leaves out patterns that say less than others, and all but one of those that always hold in the same rounds.
func (p *proposal) specific(ctx context.Context) error {
	var kept []*candidate
	for _, at := range p.all {
		if slices.ContainsFunc(p.all, func(other *candidate) bool { return other != at && general(at.query, other.query) }) {
			continue
		}
		same := false
		for _, other := range kept {
			var differ []solver.Lit
			for round := range at.by {
				differ = append(differ, p.graph.Circuit.And(at.by[round], other.by[round].Not()), p.graph.Circuit.And(at.by[round].Not(), other.by[round]))
			}
			status, err := p.solver.Solve(ctx, p.graph.Circuit.Ors(differ...))
			if err != nil {
				return err
			}
			if same = status == solver.Unsat; same {
				p.others++
				break
			}
		}
		if !same {
			kept = append(kept, at)
		}
	}
	p.all = kept
	return nil
}

// general tells whether a pattern has all facts of another one, and more.
func general(q, other syntax.Query) bool {
	if q.Relation != other.Relation || len(q.Args) != len(other.Args) {
		return false
	}
	more := false
	for i, a := range q.Args {
		if !a.Wildcard && a != other.Args[i] {
			return false
		}
		more = more || a.Wildcard && !other.Args[i].Wildcard
	}
	return more
}

// chain chooses waypoints that are reached one after the other whenever the target is reached: the rarest first, and of those
// that can be reached from the same round on one. What nearly every schedule reaches is none.
func (p *proposal) chain(ctx context.Context) error {
	slices.SortStableFunc(p.all, func(a, b *candidate) int { return a.drawn - b.drawn })
	for _, at := range p.all {
		if at.drawn > drawnFirst-drawnFirst/rare {
			p.others++
			continue
		}
		place, same := slices.BinarySearchFunc(p.chosen, at.first, func(c *candidate, first int) int { return c.first - first })
		if same || len(p.chosen) == mostWaypoints {
			p.others++
			continue
		}
		more := slices.Insert(slices.Clone(p.chosen), place, at)
		always, err := p.always(ctx, more)
		switch {
		case err != nil:
			return err
		case always:
			p.chosen = more
		default:
			p.others++
		}
	}
	return p.graph.Circuit.Err()
}

// always tells whether candidates are reached one after the other whenever the target is.
func (p *proposal) always(ctx context.Context, chain []*candidate) (bool, error) {
	c := p.graph.Circuit
	by := slices.Repeat([]solver.Lit{solver.True}, p.last+1)
	for _, at := range chain {
		by = follows(c, by, at.holds)
	}
	var lacks []solver.Lit
	for round := 1; round <= p.last; round++ {
		lacks = append(lacks, c.And(p.target[round], by[round-1].Not()))
	}
	status, err := p.solver.Solve(ctx, c.Ors(lacks...))
	return status == solver.Unsat, err
}

// count counts how many drawn schedules reach each candidate.
func (p *proposal) count(d *draws) {
	roots := make([]solver.Lit, len(p.all))
	for i, c := range p.all {
		roots[i] = c.by[p.last]
	}
	words := solver.NewWords(p.graph.Circuit, roots...)
	for range drawnFirst / lanes {
		for lane := range lanes {
			d.load(lane, d.draw(lane))
		}
		d.eval(words)
		for i, c := range p.all {
			c.drawn += ones(words.Value(roots[i]))
		}
	}
}
