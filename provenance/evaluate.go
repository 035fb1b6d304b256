package provenance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Evaluate evaluates a program under all schedules within the bounds at once.
// The program has to be one that package dedalus has parsed and checked.
//
// The error is a *limits.UndefinedError if some fact depends on its own absence
// under some schedule, a *limits.RunawayError if a rule makes facts without
// end, a *limits.LimitError or *solver.LimitError at a limit, and wraps that of
// the context when it ends first. A graph that comes with an error is
// unfinished, and good for Growth and TotalFacts only.
func Evaluate(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options) (*Graph, error) {
	if err := errors.Join(b.Validate(), b.CheckRestarts(p)); err != nil {
		return nil, fmt.Errorf("evaluating the program: %w", err)
	}
	b, err := b.Knowing(p)
	if err != nil {
		return nil, fmt.Errorf("evaluating the program: %w", err)
	}
	part := p
	if o.Only != nil {
		part = p.Slice(o.Only...)
	}
	if err := tooLarge(part, b); err != nil {
		return nil, err
	}
	g, err := newGraph(part, b.Normal())
	if err != nil {
		return nil, fmt.Errorf("evaluating the program: %w", err)
	}
	if g.restriction, err = g.restricted(o); err != nil {
		return nil, fmt.Errorf("evaluating the program: %w", err)
	}
	g.single(o.Single)
	g.Circuit = g.restriction.circuit(o.MaxGates)
	g.delivery = newDelivery(g)
	ev := newEvaluation(ctx, g, o)
	ev.locate(p)
	ev.give()
	ev.giveChoices()
	ev.giveFurther(o.Further)
	ev.evaluate(o)
	if o.Messages && ev.err == nil {
		ev.sendAll()
	}
	ev.tell()
	g.facts, g.firings = ev.budget.facts, ev.budget.firings
	return g, ev.err
}

// evaluation is the state of Evaluate.
type evaluation struct {
	graph    *Graph
	circuit  *solver.Circuit
	delivery *delivery
	budget

	processes []uint32       // their values, by index
	joined    []int          // by process, its first round; nil if all take part from the first round on
	indexes   map[uint32]int // the reverse
	stops     bool           // a crash stops a process altogether

	current     int  // the number of the recursive component that is being evaluated
	estimating  bool // its facts are being collected, and it makes new values
	onlyCertain bool // firings that are certain under no schedule have to wait
	careful     bool // estimates that are not False are looked at more closely
	refining    bool // estimates that grow are, too
	narrow      bool // equal estimates are the same literal, as far as possible
	deferred    []deferredFiring
	join        join
	whether     map[string]int // Options.Whether
	ways        []solver.Lit   // scratch: when a rule fires
	sending     *sending       // nil unless sent messages are collected

	factSlab   slab[Fact]
	firingSlab slab[Firing]
	tupleSlab  slab[uint32]
	useSlab    slab[*Fact]
	lits       []solver.Lit
	tuple      []uint32
}

func newEvaluation(ctx context.Context, g *Graph, o Options) *evaluation {
	ev := &evaluation{
		graph:    g,
		circuit:  g.Circuit,
		delivery: g.delivery,
		budget:   newBudget(ctx, g, o),
		indexes:  map[uint32]int{},
		whether:  o.Whether,
		stops:    g.Bounds.CrashStop && g.Bounds.Crashes != 0,
	}
	ev.join.ev = ev
	return ev
}

// locate gives the processes their values.
func (ev *evaluation) locate(p *dedalus.Program) {
	if b := ev.graph.Bounds; len(b.Joins) > 0 {
		for _, name := range b.Processes {
			ev.joined = append(ev.joined, b.Joined(name))
		}
	}
	for i, name := range ev.graph.Bounds.Processes {
		id := ev.graph.values.id(p.ProcessValue(name))
		ev.processes = append(ev.processes, id)
		ev.indexes[id] = i
	}
}

// process returns the index of the process with this value, -1 if there is
// none.
func (ev *evaluation) process(id uint32) int {
	if p, ok := ev.indexes[id]; ok {
		return p
	}
	return -1
}

// give states the facts of the program, and the facts of the built-in relation.
func (ev *evaluation) give() {
	g := ev.graph
	for _, f := range g.Program.Facts {
		if f.Round < 1 || f.Round > g.Bounds.EOT {
			continue
		}
		tuple := ev.numbered(f.Args)
		fact := ev.fact(g.byName[f.Relation].nodes[ev.since(tuple, f.Round)], tuple)
		fact.cond, fact.lower, fact.given, fact.fixed = solver.True, solver.True, true, true
	}
	if crash := g.byName[syntax.Crash]; crash != nil && crash.arity == 3 {
		ev.giveCrashes(crash)
	}
	if booted := g.byName[syntax.Booted]; booted != nil && ev.delivery.back != nil {
		ev.giveBooted(booted)
	}
}

// since returns the round in which a fact of the program holds that names a round: at the
// earliest the round in which its process joins.
func (ev *evaluation) since(tuple []uint32, round int) int {
	if ev.joined == nil || len(tuple) == 0 {
		return round
	}
	if p := ev.process(tuple[0]); p >= 0 {
		return max(round, ev.joined[p])
	}
	return round
}

// numbered returns the numbers of some values, until it is called again.
func (ev *evaluation) numbered(args []specs.Value) []uint32 {
	ev.tuple = ev.tuple[:0]
	for _, v := range args {
		ev.tuple = append(ev.tuple, ev.graph.values.id(v))
	}
	return ev.tuple
}

// giveFurther adds facts that may hold or not.
func (ev *evaluation) giveFurther(facts []recording.Fact) {
	g := ev.graph
	for _, f := range facts {
		holds := g.Circuit.Input()
		g.Further = append(g.Further, holds)
		r := g.byName[f.Relation]
		if r == nil || len(r.rules) > 0 || r.name == syntax.Crash || r.arity != len(f.Args) || f.Round < 1 || f.Round > g.Bounds.EOT {
			continue
		}
		fact := ev.fact(r.nodes[f.Round], ev.numbered(f.Args))
		fact.cond, fact.fixed = g.Circuit.Or(fact.cond, holds), true
	}
}

// giveCrashes fills the built-in relation: in every round each process
// observes each crash.
func (ev *evaluation) giveCrashes(crash *relation) {
	g := ev.graph
	for p, process := range ev.processes {
		for _, unit := range g.Universe.Crashes(p) {
			if !g.Universe.Alive(unit) || g.Inputs[unit] == solver.False {
				continue
			}
			when := g.values.id(specs.Int(int64(g.Universe.Fault(unit).Round)))
			for _, observer := range ev.processes {
				ev.tuple = append(ev.tuple[:0], observer, process, when)
				fact := ev.fact(crash.nodes[1], ev.tuple)
				fact.cond, fact.fixed = g.Inputs[unit], true
			}
		}
	}
}

// giveBooted states the rounds in which processes restart.
func (ev *evaluation) giveBooted(booted *relation) {
	for p, process := range ev.processes {
		for round, when := range ev.delivery.back[p] {
			if when == solver.False {
				continue
			}
			fact := ev.fact(booted.nodes[round], append(ev.tuple[:0], process))
			fact.cond, fact.fixed = when, true
		}
	}
}

// evaluate evaluates all needed components in order.
func (ev *evaluation) evaluate(o Options) {
	last := 0
	all := slices.Collect(ev.graph.components())
	demand := ev.graph.demanded(o.Only, o.Last, all)
	for _, c := range all {
		if round := c.nodes[0].round; round > last {
			last = round
			ev.round(round)
		}
		switch {
		case !demand.has(c.nodes[0]):
			continue
		case c.recursive:
			ev.recursion(c)
		default:
			ev.single(c.nodes[0])
		}
		if !ev.check() {
			return
		}
	}
}

// single evaluates a node whose facts do not depend on each other.
func (ev *evaluation) single(n *node) {
	if len(n.relation.rules) == 0 || ev.asWhole(n) {
		return
	}
	for _, r := range n.relation.rules {
		round := r.fires(n.round)
		if round >= 1 {
			ev.firings(r, round)
		}
	}
	for _, f := range n.facts {
		if f.fixed {
			continue
		}
		f.cond, f.fixed = ev.support(f), true
	}
	n.keep(func(f *Fact) bool { return f.cond != solver.False })
	n.relation.seen += len(n.facts)
}

// firings finds all firings of a rule in a round.
func (ev *evaluation) firings(r *rule, round int) {
	if r.aggregates == nil {
		ev.join.run(r, round, -1, nil)
		return
	}
	g := newGrouping(r, round)
	ev.join.run(r, round, -1, g)
	ev.summarise(g)
}

// support is true when one of a fact's firings is.
func (ev *evaluation) support(f *Fact) solver.Lit {
	lits := ev.lits[:0]
	for g := f.first; g != nil; g = g.next {
		lits = append(lits, g.cond)
	}
	ev.lits = lits
	return ev.circuit.Ors(lits...)
}

// fires returns the round in which the rule fires to give facts in a round, 0
// if there is none.
func (r *rule) fires(head int) int {
	if r.carries() {
		return head - 1 - r.late
	}
	return head
}

// carries tells whether the rule's facts hold in the round after it fires, or in a
// later one.
func (r *rule) carries() bool { return r.kind != syntax.Deductive }

// open tells whether a node belongs to the recursion that is being evaluated.
func (ev *evaluation) open(n *node) bool { return ev.current != 0 && n.component == ev.current }

// fire adds a binding that satisfies the body of a rule under a condition.
func (ev *evaluation) fire(j *join, cond solver.Lit) {
	r := j.rule
	if !ev.goOn() {
		return
	}
	if r.whether {
		ev.way(j, cond)
		return
	}
	if j.grouping != nil {
		ev.row(j, cond)
		return
	}
	if !ev.headOf(j) {
		return
	}
	if ev.sending != nil {
		ev.sending.add(j.from, ev.tuple, cond)
		return
	}
	to, cond := ev.send(r, j.from, ev.tuple, j.round, cond)
	if cond == solver.False {
		return
	}
	f := ev.binding(j, cond)
	f.from, f.to = int16(j.from), to
	ev.sends(f, ev.tuple)
	n := ev.target(r, j.round)
	if !ev.estimating {
		ev.conclude(ev.fact(n, ev.tuple), f)
		return
	}
	upper, lower := ev.possibleWhen(f), ev.certainWhen(f)
	if !ev.reachable(upper) || ev.onlyCertain && lower == solver.False {
		ev.countMemory(ofDeferred+ofCell*len(ev.tuple), r, j.round)
		ev.deferred = append(ev.deferred, deferredFiring{f, n, ev.keepTuple(ev.tuple)})
		return
	}
	fact := ev.fact(n, ev.tuple)
	ev.estimate(fact, upper, lower)
	ev.conclude(fact, f)
}

// headOf computes the head's columns; false if one has no value.
func (ev *evaluation) headOf(j *join) bool {
	ev.tuple = ev.tuple[:0]
	for i := range j.rule.columns {
		id, ok := j.rule.columns[i].id(ev.graph.values, j.env)
		if !ok {
			return false
		}
		ev.tuple = append(ev.tuple, id)
	}
	return true
}

// send returns the process that a head goes to, and when the fact is there, given when the
// rule fires: for a message, when it arrives at a process. The head of another rule goes to
// no process, -1.
func (ev *evaluation) send(r *rule, from int, head []uint32, round int, cond solver.Lit) (int16, solver.Lit) {
	if r.head.volatile && r.carries() {
		cond = ev.circuit.And(cond, ev.forgotten(head, round+1+r.late).Not())
	}
	if r.kind != syntax.Async {
		return -1, cond
	}
	to := ev.process(head[0])
	if to < 0 {
		return -1, solver.False
	}
	if r.flight > 0 {
		return int16(to), ev.circuit.And(cond, ev.delivery.leaves(ev.kindOf(r, from, head, round), from, to, round, round+r.flight))
	}
	if r.late > 0 {
		return int16(to), ev.circuit.And(cond, ev.delivery.later(ev.kindOf(r, from, head, round), from, to, round, round+r.late))
	}
	return int16(to), ev.circuit.And(cond, ev.delivery.delivered(ev.kindOf(r, from, head, round), from, to, round))
}

// forgotten is true when the process of a head is back in a round, and has lost it.
func (ev *evaluation) forgotten(head []uint32, round int) solver.Lit {
	if p := ev.process(head[0]); p >= 0 {
		return ev.delivery.forgets(p, round)
	}
	return solver.False
}

// target returns the node that a rule firing in a round gives facts to.
func (ev *evaluation) target(r *rule, round int) *node {
	if r.carries() {
		round += 1 + r.late
	}
	return r.head.nodes[round]
}

// fact returns the fact of a node with the arguments tuple, a new one if there is none.
func (ev *evaluation) fact(n *node, tuple []uint32) *Fact {
	if f := n.find(tuple); f != nil {
		return f
	}
	f := &ev.factSlab.take(1)[0]
	f.tuple = ev.keepTuple(tuple)
	n.insert(f)
	ev.countFact(n)
	return f
}

func (ev *evaluation) keepTuple(tuple []uint32) []uint32 {
	kept := ev.tupleSlab.take(len(tuple))
	copy(kept, tuple)
	return kept
}

// firing returns a new firing.
func (ev *evaluation) firing(r *rule, round int, cond solver.Lit) *Firing {
	f := &ev.firingSlab.take(1)[0]
	f.rule, f.round, f.cond, f.from, f.to = r, int32(round), cond, -1, -1
	ev.countFiring(r, round)
	return f
}

// binding returns a new firing with the bindings of a join.
func (ev *evaluation) binding(j *join, cond solver.Lit) *Firing {
	f := ev.firing(j.rule, j.round, cond)
	f.env = ev.keepTuple(j.env[:len(j.rule.variables)])
	f.positive = ev.useSlab.take(len(j.positive))
	copy(f.positive, j.positive)
	return f
}

// conclude adds a firing to the fact that it gives.
func (ev *evaluation) conclude(f *Fact, by *Firing) {
	if f.last == nil {
		f.first = by
	} else {
		f.last.next = by
	}
	f.last = by
}
