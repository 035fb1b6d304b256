package provenance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Step is one round of a program as a transition system: from any facts that may be there after the
// round before, under any faults, it leads to those that are there after it. No state but the
// facts of [Step.Facts] is needed, unless Overflow is ever true: then more facts can be there.
type Step struct {
	Graph    *Graph // its round 1 has the facts of the round
	State    []StateBit
	Next     []solver.Lit // by bit
	Valid    solver.Lit
	Overflow solver.Lit
	Unknown  []string // the relations of the facts that are more

	// Undefined is true where some fact depends on its own absence.
	Undefined solver.Lit

	// Last is true in rounds that can be the last one of bounds: all that the program or the bounds name
	// are over, or the round itself, and nothing that was chosen is still to come.
	Last solver.Lit

	counts *epochs                     // numbers of rounds that are compared with those of crashes; nil: there are none
	bounds rounds.Bounds               // as they were asked for
	begin  int                         // the first round that can be the last one of bounds
	until  int                         // the last round in which something is given by the name of the round
	units  map[rounds.Fault]solver.Lit // the inputs of new faults and of choices, of round 1; of restarts, of round 2
	ahead  map[rounds.Fault]solver.Lit // the inputs of the first round that say that one of some choices is made later
	named  []solver.Lit                // by round: it is that one; as far as the program or the bounds name rounds
	phase  []solver.Lit                // by place in a phase, from 1: the round has that place
	once   []solver.Lit                // by process: it has crashed in a round before
	single []solver.Lit                // something is chosen in the round that is chosen once, in any round
}

// StateBit is a bit of the state between two rounds: a fact, or what its name says.
type StateBit struct {
	Fact    recording.Fact // of round 0; with a name it is empty
	Name    string
	Process string // of whom the name says something; "": of nobody
	Lit     solver.Lit
}

// String returns the fact, or the name.
func (b StateBit) String() string {
	if b.Name != "" {
		return strings.TrimSpace(b.Process + " " + b.Name)
	}
	return b.Fact.String()
}

// EvaluateStep evaluates one round of a program from any state. The facts of state are those that
// may be there after a round, whatever their rounds. Losses may happen in every round: the
// eff of the bounds does not count.
func EvaluateStep(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options, state []recording.Fact) (*Step, error) {
	part := p
	if o.Only != nil {
		part = p.Slice(o.Only...)
	}
	counts, err := newFlow(part).epochs(b)
	if err != nil {
		return nil, err
	}
	if err := untimed(part, b, counts); err != nil {
		return nil, err
	}
	part, state = counts.without(part), counts.facts(state)
	asked := b.Normal()
	b.EOT, b.EFF, b.From, b.At, b.Implied = 2, 0, 0, "", false
	if late := asked.Late(); late > 0 {
		b.EOT = late + 1 // for the units of messages that are late
	}
	b.Choose, b.Choices, b.Joins = nil, 0, nil
	part, memories := remembering(part)
	g, err := newGraph(flying(part, asked.Late()), b.Normal())
	if err != nil {
		return nil, fmt.Errorf("evaluating the step: %w", err)
	}
	g.fly(asked.Late())
	g.Circuit = solver.NewCircuit(o.MaxGates)
	s := &Step{Graph: g, counts: counts, bounds: asked, until: max(last(part), 1), begin: max(asked.From, 1), units: map[rounds.Fault]solver.Lit{}, ahead: map[rounds.Fault]solver.Lit{}}
	for _, m := range memories {
		s.until, s.begin = max(s.until, m.round), max(s.begin, m.round)
		if r := g.byName[m.name]; len(r.rules) > 0 { // it remembers, whoever has crashed
			r.volatile = false
			for _, rule := range r.rules {
				rule.location = nil
			}
		}
	}
	for _, f := range part.Facts {
		s.until = max(s.until, s.joinedBy(f))
	}
	for _, name := range b.Processes {
		s.begin = max(s.begin, asked.Joined(name))
	}
	named := max(s.until, s.begin)
	if counts != nil {
		named = max(named, int(counts.most))
	}
	s.clock(named + 1)
	s.Last = s.since(s.begin)
	s.phases()
	s.join()
	s.faults()
	g.delivery = newDelivery(g)
	s.fates()
	ev := newEvaluation(ctx, g, o)
	ev.locate(p)
	if err := ev.giveProgram(s, part); err != nil {
		return nil, err
	}
	ev.giveMemories(s, memories)
	if counts != nil {
		counts.count(s, ev)
	}
	for _, of := range append([]memory{{name: syntax.Crash}}, memories...) {
		crash := g.byName[of.name]
		switch {
		case crash == nil || crash.arity != 3 || of.name != syntax.Crash && of.of != syntax.Crash:
		case counts != nil:
			counts.giveCrashes(s, ev, crash)
		default:
			ev.giveKnownCrashes(s, crash)
		}
	}
	ev.giveState(s, state)
	if booted := g.byName[syntax.Booted]; booted != nil && g.delivery.back != nil {
		ev.giveBooted(booted)
	}
	ev.step()
	if ev.err != nil {
		return nil, ev.err
	}
	ev.next(s, state)
	s.Undefined = g.Circuit.Ors(g.restriction.undefined...)
	g.facts, g.firings = ev.budget.facts, ev.budget.firings
	s.Valid = g.Circuit.Ands(g.Valid...)
	return s, g.Circuit.Err()
}

// last is the last round that a program names, 0 if it names none.
func last(p *dedalus.Program) (round int) {
	for _, f := range p.Facts {
		round = max(round, f.Round)
	}
	for _, c := range p.Choices {
		for _, r := range c.Rounds.Ranges {
			_, until := r.Rounds()
			round = max(round, until)
		}
	}
	return round
}

// bits makes some bits of the state.
func (s *Step) bits(n int, bit func(i int) StateBit) (lits []solver.Lit) {
	for i := range n {
		b := bit(i)
		b.Lit = s.Graph.Circuit.Input()
		s.State = append(s.State, b)
		lits = append(lits, b.Lit)
	}
	return lits
}

// clock makes the bits that say which round it is, as far as the program names rounds: a
// bit for each round but the first, which is the one without a round before.
func (s *Step) clock(rounds int) {
	started := s.bits(1, func(int) StateBit { return StateBit{Name: "a round is over"} })[0]
	later := s.bits(max(rounds-2, 0), func(i int) StateBit { return StateBit{Name: fmt.Sprintf("round %d is next", i+2)} })
	s.named = append([]solver.Lit{solver.False, started.Not()}, later...)
	s.Next = append(s.Next, solver.True)
	for i := range later {
		s.Next = append(s.Next, s.named[i+1])
	}
}

// since is true from a round on.
func (s *Step) since(round int) solver.Lit {
	if round <= 1 {
		return solver.True
	}
	return s.Graph.Circuit.Ors(s.named[1:round]...).Not()
}

// join finds out which processes take part in the round.
func (s *Step) join() {
	if len(s.bounds.Joins) == 0 {
		return
	}
	for _, name := range s.bounds.Processes {
		s.Graph.restriction.joined = append(s.Graph.restriction.joined, s.since(s.bounds.Joined(name)))
	}
}

// phases makes the bits that say which place in its phase the round has: none for the first.
func (s *Step) phases() {
	period := s.Graph.Bounds.Period
	later := s.bits(period-1, func(i int) StateBit { return StateBit{Name: fmt.Sprintf("round %d of a phase is next", i+2)} })
	first := s.Graph.Circuit.Ors(later...).Not()
	s.phase = append([]solver.Lit{solver.False, first}, later...)
	for i := range later {
		s.Next = append(s.Next, s.phase[i+1])
	}
}

// giveState adds the facts of the state, each under a bit of its own.
func (ev *evaluation) giveState(s *Step, state []recording.Fact) {
	for _, f := range state {
		bit := s.bits(1, func(int) StateBit { return StateBit{Fact: recording.Fact{Relation: f.Relation, Args: f.Args}} })[0]
		ev.giveWhen(f.Relation, f.Args, bit)
		if _, by, ok := strings.Cut(f.Relation, "+"); ok && by != "1" { // it comes after the round
			s.Last = ev.circuit.And(s.Last, bit.Not())
		}
	}
}

// giveWhen adds a fact to round 1 under a condition.
func (ev *evaluation) giveWhen(name string, args []specs.Value, cond solver.Lit) {
	r := ev.graph.byName[name]
	if r == nil || r.arity != len(args) || cond == solver.False {
		return
	}
	fact := ev.fact(r.nodes[1], ev.numbered(args))
	ev.conclude(fact, ev.firing(&rule{graph: ev.graph, head: r, destination: -1}, 0, cond))
	fact.cond = ev.support(fact)
	fact.lower, fact.fixed = fact.cond, len(r.rules) == 0
}

// joinedBy is the round in which a fact of the program holds: at the earliest that in which its process
// joins.
func (s *Step) joinedBy(f *syntax.Fact) int {
	for _, name := range s.bounds.Processes {
		if len(f.Args) > 0 && s.Graph.Program.ProcessValue(name) == f.Args[0] {
			return max(f.Round, s.bounds.Joined(name))
		}
	}
	return f.Round
}

// giveProgram adds the facts of the program, and what it lets the environment choose, in their
// rounds.
func (ev *evaluation) giveProgram(s *Step, p *dedalus.Program) error {
	for _, f := range p.Facts {
		ev.giveWhen(f.Relation, f.Args, s.named[s.joinedBy(f)])
	}
	if len(p.Choices) == 0 {
		return nil
	}
	b := s.bounds
	b.EOT = max(len(s.named)-1, 2)
	var made []solver.Lit
	for i, c := range p.Choices {
		one := *p
		one.Choices = p.Choices[i : i+1]
		declared, err := b.Declared(&one)
		if err != nil {
			return err
		}
		for _, choice := range declared.Choose {
			if c.Rounds.Word != "" {
				choice.Of = slices.DeleteFunc(choice.Of, func(f rounds.Fault) bool { return f.Round > 1 })
			}
			if len(choice.Of) > 0 {
				chosen := ev.giveChoice(s, c, choice)
				if made = append(made, chosen...); ChosenOnce(c) {
					s.single = append(s.single, chosen...)
				}
			}
		}
	}
	if s.bounds.Choices > 0 {
		s.count(rounds.Choose, s.bounds.Choices, made)
	}
	return nil
}

// giveChoice adds the alternatives of a choice. It returns when each is made, but for the default.
func (ev *evaluation) giveChoice(s *Step, statement *syntax.Choose, c rounds.Choice) (made []solver.Lit) {
	circuit := ev.circuit
	give := func(f rounds.Fault, when solver.Lit) {
		name, args := f.Fact()
		ev.giveWhen(name, args, when)
	}
	first, byDefault := c.Default()
	again := statement.Rounds.Word == syntax.Any && c.Mode != syntax.Some // the default is an alternative of later rounds
	for _, f := range c.Of {
		isDefault := byDefault && f == first
		when := solver.True
		if statement.Rounds.Word == "" {
			when = s.named[f.Round]
		} else if isDefault && again {
			when = s.named[1].Not()
		}
		if isDefault && !again || s.bounds.Choices == 0 || when == solver.False {
			continue
		}
		l := circuit.Input()
		s.units[key(f)] = l
		l = circuit.And(when, l)
		give(f, l)
		made = append(made, l)
	}
	if c.Exclusive() {
		ev.graph.require(circuit.AtMost(made, 1))
	}
	any := circuit.Ors(made...)
	if statement.Separate() || c.Mode == syntax.Some {
		if byDefault {
			when := solver.True
			if statement.Rounds.Word == "" {
				when = s.named[first.Round]
			}
			give(first, circuit.And(when, any.Not()))
		}
		return made
	}
	fact := c.Of[0].Detail // which is of no other choice
	chosen := s.bits(1, func(int) StateBit { return StateBit{Name: fact + ", or another in its place, was chosen"} })[0]
	s.Next = append(s.Next, circuit.Or(chosen, any))
	ev.graph.require(circuit.And(chosen, any).Not())
	if !byDefault {
		return made
	}
	decided := s.bits(1, func(int) StateBit {
		return StateBit{Name: fact + ", or another in its place, is not as it is by default"}
	})[0]
	input := circuit.Input()
	for _, f := range c.Of {
		if again {
			f.Round = 0 // any
		}
		s.ahead[f] = input
	}
	other := circuit.Or(decided, circuit.And(s.named[1], input))
	s.Next = append(s.Next, other)
	ev.graph.require(circuit.Or(any.Not(), other))
	when := s.named[first.Round]
	give(first, circuit.And(when, other.Not()))
	s.Last = circuit.And(s.Last, circuit.Ors(other.Not(), chosen, any))
	return made
}

// step evaluates round 1, and what its rules carry into round 2.
func (ev *evaluation) step() {
	round := 0
	for c := range ev.graph.components() {
		if first := c.nodes[0].round; first != round {
			round = first
			ev.round(round)
		}
		switch {
		case round > 2:
			return
		case round > 1:
			for _, n := range c.nodes {
				ev.carry(n)
			}
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

// carry fires the rules of the round before that give facts of a node.
func (ev *evaluation) carry(n *node) {
	for _, r := range n.relation.rules {
		if r.carries() && r.late == 0 {
			ev.firings(r, 1)
		}
	}
}

// next finds the conditions of the facts of the state after the round, and that there is any
// other.
func (ev *evaluation) next(s *Step, state []recording.Fact) {
	known := map[*Fact]bool{}
	for _, f := range state {
		next := solver.False
		if fact := ev.graph.Find(f.Relation, f.Args, 2); fact != nil {
			known[fact] = true
			next = ev.support(fact)
		}
		s.Next = append(s.Next, next)
	}
	var others []solver.Lit
	for _, r := range ev.graph.relations {
		for _, fact := range r.nodes[2].facts {
			if !known[fact] && r.name != syntax.Crash && r.name != syntax.Booted {
				others = append(others, ev.support(fact))
				if !slices.Contains(s.Unknown, r.name) {
					s.Unknown = append(s.Unknown, r.name)
				}
			}
		}
	}
	s.Overflow = ev.circuit.Ors(others...)
}

// Transitions returns the step as a transition system in which some steps are bad.
func (s *Step) Transitions(bad solver.Lit) *solver.Transitions {
	t := &solver.Transitions{Circuit: s.Graph.Circuit, Next: s.Next, Valid: s.Valid, Bad: bad, Renamings: s.renamings()}
	for _, b := range s.State {
		t.State = append(t.State, b.Lit)
	}
	return t
}

// Relations returns the names of the relations, in the order of the program.
func (g *Graph) Relations() (names []string) {
	for _, r := range g.relations {
		names = append(names, r.name)
	}
	return names
}
