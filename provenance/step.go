package provenance

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
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

// UntimedError says why a program, or its bounds, cannot be asked about any number of rounds.
type UntimedError struct {
	What string
	specs.Position
}

func (e *UntimedError) Error() string {
	if e.Line == 0 {
		return e.What
	}
	return fmt.Sprintf("%s: %s", e.Position, e.What)
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

// untimed refuses what a step does not have.
func untimed(p *dedalus.Program, b rounds.Bounds, e *epochs) error {
	for _, k := range rounds.Kinds() {
		switch budget := b.Budget(k); {
		case budget == 0 || k == rounds.Choose || slices.Contains(timeless, k):
		default:
			return &UntimedError{What: fmt.Sprintf("%s are not there for any number of rounds yet", k.Setting())}
		}
	}
	for _, r := range p.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation == syntax.Booted && t.At > 0 {
				return &UntimedError{What: "booted of a named round is not there for any number of rounds", Position: t.Atom.Position}
			}
		}
	}
	return foreseen(p, b, e)
}

// onlyWho tells whether a rule does not use the round of a crash.
func onlyWho(r *syntax.Rule, crash *syntax.Atom) bool {
	if len(crash.Args) != 3 {
		return false
	}
	if _, wild := crash.Args[2].(*syntax.Wildcard); wild {
		return true
	}
	v, ok := crash.Args[2].(*syntax.Variable)
	if !ok {
		return false
	}
	uses := 0
	for _, e := range r.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok && a.Variable.Name == v.Name || mentions(e, v.Name) {
			uses++
		}
	}
	for _, t := range r.Body {
		if t.Test != nil && mentions(t.Test, v.Name) {
			uses++
		}
		if t.Atom != nil {
			for _, e := range t.Atom.Args {
				if mentions(e, v.Name) {
					uses++
				}
			}
		}
	}
	return uses == 1
}

// foresight is how a relation depends on what later rounds bring: with more of it there are more
// facts, or fewer.
type foresight struct{ more, fewer bool }

// foreseen refuses a program in which something that later rounds bring counts in an earlier round: a crash, and
// what a relation has in a named round. In a step they are known from their round on only, which is
// no other promise where each round is judged as the last one, and where facts of a violation become
// fewer with them.
func foreseen(p *dedalus.Program, b rounds.Bounds, e *epochs) error {
	ahead := map[string]foresight{}
	of := func(r *syntax.Rule, t syntax.Term) foresight {
		switch {
		case t.Atom == nil || t.Atom.Relation == syntax.Crash && !t.Negated && e.past(r, t.Atom):
			return foresight{}
		case t.Atom.Relation == syntax.Crash || t.At > 1 && !onlyFacts(p, t.Atom.Relation):
			return foresight{more: !t.Negated, fewer: t.Negated}
		}
		f := ahead[t.Atom.Relation]
		if t.Negated {
			f.more, f.fewer = f.fewer, f.more
		}
		return f
	}
	for grown := true; grown; {
		grown = false
		for _, r := range p.Rules {
			f := ahead[r.Head.Relation]
			for _, t := range r.Body {
				by := of(r, t)
				if any := by.more || by.fewer; any && summarises(r) {
					by = foresight{true, true}
				}
				f = foresight{f.more || by.more, f.fewer || by.fewer}
			}
			if f != ahead[r.Head.Relation] {
				ahead[r.Head.Relation], grown = f, true
			}
		}
	}
	for _, r := range p.Rules {
		for _, t := range r.Body {
			f := of(r, t)
			if !f.more && !f.fewer {
				continue
			}
			what := t.Atom.Relation
			switch {
			case t.At > 1:
				what = fmt.Sprintf("%s of round %d", what, t.At)
			case what == syntax.Crash:
				what = "crash, which has the crashes of later rounds as well"
			default:
				what += ", which depends on later rounds"
			}
			kept := func(other *syntax.Rule) bool { // by a process that stops
				return b.CrashStop && b.Crashes != 0 && other.Head.Relation == r.Head.Relation && other.Kind != syntax.Deductive
			}
			switch {
			case r.Kind != syntax.Deductive || slices.ContainsFunc(p.Rules, kept):
				return &UntimedError{What: fmt.Sprintf("%s is carried into the next round, and reads %s: for any number of rounds a rule like this can read what its own round has, and what was before", r.Head.Relation, what), Position: t.Atom.Position}
			case r.Head.Relation == violationRelation && (f.more || summarises(r)):
				return &UntimedError{What: fmt.Sprintf("a violation is found by %s: for any number of rounds this can only excuse one, in a notin", what), Position: t.Atom.Position}
			}
		}
	}
	return nil
}

// summarises tells whether a rule has an aggregate.
func summarises(r *syntax.Rule) bool {
	return slices.ContainsFunc(r.Head.Args, func(e syntax.Expr) bool { _, ok := e.(*syntax.Aggregate); return ok })
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

// timeless are the kinds of faults that a step has.
var timeless = []rounds.Kind{rounds.Crash, rounds.Restart, rounds.Omit, rounds.Isolate, rounds.Partition, rounds.Cut, rounds.Delay, rounds.Duplicate}

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

// faults makes the inputs and bits of faults, and the literals of the units of the two rounds of the graph.
// In the first round there is what lasts, and what begins; in the second nothing but a restart, and
// the crash that it undoes.
func (s *Step) faults() {
	g := s.Graph
	c, b := g.Circuit, g.Bounds
	s.down()
	begun := map[rounds.Kind][]solver.Lit{}
	new := func(f rounds.Fault) solver.Lit {
		l := c.Input()
		s.units[key(f)] = l
		g.require(c.Or(l.Not(), s.possible(f)))
		begun[f.Kind] = append(begun[f.Kind], l)
		return l
	}
	for unit := range g.Universe.Len() {
		f := g.Universe.Fault(unit)
		p := slices.Index(b.Processes, f.Process)
		l := solver.False
		switch again := restarting(b); {
		case !g.Universe.Alive(unit) || f.Round > 2 || f.Round > 1 && (!again || f.Kind != rounds.Crash && f.Kind != rounds.Restart):
		case f.Kind == rounds.Restart && f.Round == 1:
			l = c.Or(g.restriction.back[p], c.And(s.named[1], new(f))) // after a crash in the first round of all
		case f.Kind == rounds.Crash && !again:
			l = c.Or(new(f), g.restriction.down[p])
		case f.Kind == rounds.Crash && f.Round == 1:
			l = new(f)
			g.require(c.And(l, g.restriction.back[p]).Not())
		case f.Kind == rounds.Isolate || f.Kind == rounds.Partition || f.Kind == rounds.Cut:
			l = s.lasts(f, new(f))
		default:
			l = new(f)
		}
		g.restriction.step = append(g.restriction.step, l)
	}
	if g.restriction.step == nil {
		g.restriction.step = []solver.Lit{}
	}
	for _, k := range timeless {
		most, all := b.Budget(k), begun[k]
		if k == rounds.Isolate && b.Partitions != 0 { // a partition that is not used allows one more isolation
			most, all = most+b.Partitions, slices.Concat(all, begun[rounds.Partition])
			if b.Isolations == rounds.Unlimited || b.Partitions == rounds.Unlimited {
				most = rounds.Unlimited
			}
		}
		if most != rounds.Unlimited && len(all) > 0 && (k != rounds.Crash || restarting(b)) {
			s.count(k, most, all)
		}
	}
}

// possible is true in rounds in which there can be a fault: not before those in which it strikes take
// part, and only with a phase where the bounds say so. A fault in the second round comes one round later.
func (s *Step) possible(f rounds.Fault) solver.Lit {
	from := max(s.bounds.FirstFault(), 1)
	if f.Kind != rounds.Partition {
		from = max(from, s.bounds.Joined(f.Process), s.bounds.Joined(f.To))
	}
	begins := solver.True
	if s.bounds.At != "" {
		begins = s.phase[1]
		if f.Round > 1 {
			begins = s.phase[len(s.phase)-1]
		}
	}
	return s.Graph.Circuit.And(s.since(from-f.Round+1), begins)
}

// down makes the bits of processes that have crashed, and of those that are back in the round.
func (s *Step) down() {
	g := s.Graph
	b, n := g.Bounds, len(g.Bounds.Processes)
	g.restriction.down, g.restriction.back = slices.Repeat([]solver.Lit{solver.False}, n), slices.Repeat([]solver.Lit{solver.False}, n)
	if b.Crashes == 0 {
		return
	}
	g.restriction.down = s.bits(n, func(i int) StateBit { return StateBit{Process: b.Processes[i], Name: "has crashed"} })
	if restarting(b) {
		g.restriction.back = s.bits(n, func(i int) StateBit { return StateBit{Process: b.Processes[i], Name: "comes back"} })
		if slices.ContainsFunc(g.relations, func(r *relation) bool { return base(r.name) == syntax.Crash }) {
			s.once = s.bits(n, func(i int) StateBit { return StateBit{Process: b.Processes[i], Name: "has crashed before"} })
		}
	}
	for range len(s.State) - len(s.Next) {
		s.Next = append(s.Next, solver.False) // until fates knows better
	}
}

// fates says which processes are down after the round, and back in the next.
func (s *Step) fates() {
	g := s.Graph
	next := func(l, to solver.Lit) {
		if i := slices.IndexFunc(s.State, func(b StateBit) bool { return b.Lit == l }); i >= 0 {
			s.Next[i] = to
		}
	}
	for p := range g.Bounds.Processes {
		if !restarting(g.Bounds) {
			next(g.restriction.down[p], g.delivery.crashed(p, 1))
			continue
		}
		next(g.restriction.down[p], g.delivery.crashed(p, 2))
		next(g.restriction.back[p], g.delivery.back[p][2])
		crashes := g.Universe.Crashes(p)
		if crashes == nil {
			continue
		}
		now, then := g.Inputs[crashes[0]], g.Inputs[crashes[1]]
		g.require(g.Circuit.Or(then.Not(), g.delivery.back[p][2]))
		if s.once != nil {
			next(s.once[p], g.Circuit.Ors(s.once[p], now, then))
		}
	}
}

// giveKnownCrashes fills the built-in relation, also as a relation of a named round, with the crashes up
// to the round. Their rounds are not told apart.
func (ev *evaluation) giveKnownCrashes(s *Step, crash *relation) {
	for p := range s.Graph.Bounds.Processes {
		crashes := s.Graph.Universe.Crashes(p)
		if crashes == nil {
			continue
		}
		known := s.Graph.Inputs[crashes[0]]
		if s.once != nil {
			known = ev.circuit.Or(known, s.once[p])
		}
		for _, observer := range ev.processes {
			ev.tuple = append(ev.tuple[:0], observer, ev.processes[p], ev.graph.values.id(specs.Int(1)))
			fact := ev.fact(crash.nodes[1], ev.tuple)
			fact.cond, fact.fixed = known, true
		}
	}
}

// lasts is a fault that lasts until its phase ends: it lasted into the round, or begins.
func (s *Step) lasts(f rounds.Fault, begins solver.Lit) solver.Lit {
	c := s.Graph.Circuit
	if s.Graph.Bounds.Period == 1 {
		return begins
	}
	f.Round, f.Until = 0, 0
	lasted := s.bits(1, func(int) StateBit { return stays(f) })[0]
	s.Graph.require(c.And(lasted, begins).Not())
	now := c.Or(lasted, begins)
	s.Next = append(s.Next, c.And(now, s.phase[len(s.phase)-1].Not()))
	return now
}

// stays is the bit that says that a fault of no round lasts into the next one.
func stays(f rounds.Fault) StateBit {
	if f.Kind == rounds.Isolate {
		return StateBit{Process: f.Process, Name: "stays isolated"}
	}
	return StateBit{Name: f.String() + " lasts"}
}

// count makes the bits that count the faults of a kind that have begun, up to the most that there may be.
func (s *Step) count(k rounds.Kind, most int, begun []solver.Lit) {
	c := s.Graph.Circuit
	before := s.bits(most, func(i int) StateBit { return StateBit{Name: fmt.Sprintf("at least %d of %s", i+1, k.Setting())} })
	all := c.Counts(slices.Concat(before, begun), most+1)
	if len(all) > most {
		s.Graph.require(all[most].Not())
	}
	s.Next = append(s.Next, all[:most]...)
}

// memory is a relation as it was in a round that the program names.
type memory struct {
	name, of string
	round    int
}

// remembering returns a program that reads relations of named rounds as relations of their own: what
// they have is in memories. Relations that rules give are remembered by rules.
func remembering(p *dedalus.Program) (*dedalus.Program, []memory) {
	var memories []memory
	changed := *p
	changed.Rules = nil
	for _, r := range p.Rules {
		own := *r
		own.Body = slices.Clone(r.Body)
		for i, t := range own.Body {
			if t.Atom == nil || t.At == 0 {
				continue
			}
			m := memory{fmt.Sprintf("%s@%d", t.Atom.Relation, t.At), t.Atom.Relation, t.At}
			if !slices.Contains(memories, m) {
				memories = append(memories, m)
			}
			atom := *t.Atom
			atom.Relation = m.name
			own.Body[i].Atom, own.Body[i].At = &atom, 0
		}
		changed.Rules = append(changed.Rules, &own)
	}
	for _, m := range memories {
		if !onlyFacts(p, m.of) {
			changed.Rules = append(changed.Rules, m.rules(p)...)
		}
	}
	for i, r := range changed.Rules {
		r.Index = i
	}
	return &changed, memories
}

// rules keep what a relation has in its round.
func (m memory) rules(p *dedalus.Program) []*syntax.Rule {
	columns := columnNames(arityOf(p, m.of))
	of, kept := syntax.Atom{Relation: m.of, Args: columns}, syntax.Atom{Relation: m.name, Args: columns}
	return []*syntax.Rule{
		{Head: kept, Kind: syntax.Deductive, Body: []syntax.Term{{Atom: &of}, {Atom: &syntax.Atom{Relation: roundName(m.round)}}}},
		{Head: kept, Kind: syntax.Next, Body: []syntax.Term{{Atom: &kept}}},
	}
}

// columnNames are as many variables.
func columnNames(n int) (all []syntax.Expr) {
	for i := range n {
		all = append(all, &syntax.Variable{Name: fmt.Sprintf("X%d", i+1)})
	}
	return all
}

// roundName is the relation that has a fact in a round that the program names.
func roundName(round int) string { return fmt.Sprintf("round %d", round) }

// arityOf returns the number of columns of a relation.
func arityOf(p *dedalus.Program, name string) int {
	for _, r := range p.Rules {
		if r.Head.Relation == name {
			return len(r.Head.Args)
		}
	}
	for _, c := range p.Choices {
		if c.Relation == name {
			return len(c.Columns)
		}
	}
	return 0
}

// onlyFacts tells whether a relation has facts of the program only.
func onlyFacts(p *dedalus.Program, name string) bool {
	return !slices.ContainsFunc(p.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == name }) &&
		!slices.ContainsFunc(p.Choices, func(c *syntax.Choose) bool { return c.Relation == name })
}

// base is the relation of which another one has messages that are under way, or memories.
func base(name string) string {
	name, _, _ = strings.Cut(name, "+")
	name, _, _ = strings.Cut(name, "@")
	return name
}

// flight is the relation of messages that become facts of a relation so many rounds later than the round.
func flight(name string, late int) string { return fmt.Sprintf("%s+%d", name, late) }

// flying returns a program with the messages that are under way for up to so many rounds more: they are sent as the
// others are, come nearer in each round, and arrive without a sender.
func flying(p *dedalus.Program, most int) *dedalus.Program {
	changed := *p
	changed.Rules = slices.Clone(p.Rules)
	add := func(r syntax.Rule) {
		r.Index = len(changed.Rules)
		changed.Rules = append(changed.Rules, &r)
	}
	nearer := map[string]bool{}
	for _, r := range p.Rules {
		if r.Kind != syntax.Async {
			continue
		}
		for late := 1; late <= most; late++ {
			sent := *r
			sent.Head.Relation = flight(r.Head.Relation, late)
			add(sent)
			if nearer[sent.Head.Relation] {
				continue
			}
			nearer[sent.Head.Relation] = true
			from := syntax.Atom{Relation: sent.Head.Relation, Args: columnNames(len(r.Head.Args))}
			to := syntax.Rule{Head: from, Kind: syntax.Next, Body: []syntax.Term{{Atom: &from}}, Position: r.Position}
			to.Head.Relation = flight(r.Head.Relation, late-1)
			if late == 1 {
				to.Head.Relation, to.Kind = r.Head.Relation, syntax.Async
			}
			add(to)
		}
	}
	return &changed
}

// fly compiles the rules of flying: messages under way are at no process.
func (g *Graph) fly(most int) {
	for _, r := range g.relations {
		name, by, ok := strings.Cut(r.name, "+")
		if !ok || most == 0 {
			continue
		}
		late, _ := strconv.Atoi(by)
		r.volatile = false
		r.rules = slices.DeleteFunc(r.rules, func(rule *rule) bool { return rule.frozen })
		for _, rule := range r.rules {
			if rule.kind == syntax.Async {
				rule.flight = late
			} else {
				rule.location = nil
			}
		}
		for _, rule := range g.byName[name].rules {
			if len(rule.positive) == 1 && rule.positive[0].relation == r && !rule.frozen {
				rule.location = nil
			}
		}
	}
	g.rules = slices.DeleteFunc(g.rules, func(rule *rule) bool { return rule.frozen && strings.Contains(rule.head.name, "+") })
}

// giveMemories gives the facts of memories of relations that have facts of the program only, which are
// always there, and the rounds in which others begin.
func (ev *evaluation) giveMemories(s *Step, memories []memory) {
	for _, m := range memories {
		if len(ev.graph.byName[m.name].rules) > 0 {
			ev.giveWhen(roundName(m.round), nil, s.named[m.round])
			continue
		}
		for _, f := range ev.graph.Program.Facts {
			if f.Relation == m.of && s.joinedBy(f) == m.round {
				ev.giveWhen(m.name, f.Args, solver.True)
			}
		}
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
		if !r.carries() || r.late > 0 {
			continue
		}
		if r.aggregates == nil {
			ev.join.run(r, 1, -1, nil)
			continue
		}
		g := newGrouping(r, 1)
		ev.join.run(r, 1, -1, g)
		ev.summarise(g)
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

// Ahead returns the input of the first round that says that something will be chosen in place of a default, of which
// f is one alternative.
func (s *Step) Ahead(f rounds.Fault) (solver.Lit, bool) {
	if l, ok := s.ahead[f]; ok {
		return l, true
	}
	f.Round = 0
	l, ok := s.ahead[f]
	return l, ok
}

// Unit returns the input of a fault that begins in the round, or of what is chosen in it; its
// round in the fault is 1, or that of a choice which the program names. A restart in the next
// round, and the crash in that round that it undoes, have round 2.
func (s *Step) Unit(f rounds.Fault) (solver.Lit, bool) {
	l, ok := s.units[key(f)]
	return l, ok
}

// key is a fault without its end, which is that of its phase.
func key(f rounds.Fault) rounds.Fault {
	f.Until = 0
	return f
}

// Transitions returns the step as a transition system in which some steps are bad.
func (s *Step) Transitions(bad solver.Lit) *solver.Transitions {
	t := &solver.Transitions{Circuit: s.Graph.Circuit, Next: s.Next, Valid: s.Valid, Bad: bad, Renamings: s.renamings()}
	for _, b := range s.State {
		t.State = append(t.State, b.Lit)
	}
	return t
}

// mostRenamed is how many processes there are at most whose permutations are all tried.
const mostRenamed = 5

// renamings are what permutations of the processes make of the bits; of many processes, exchanges of two.
func (s *Step) renamings() (all [][]int) {
	processes := s.Graph.Bounds.Processes
	index := map[string]int{}
	for i, b := range s.State {
		index[b.String()] = i
	}
	for permutation := range permutations(len(processes)) {
		names := map[string]string{}
		for i, to := range permutation {
			names[processes[i]] = processes[to]
		}
		renaming := make([]int, len(s.State))
		for i, b := range s.State {
			if to, ok := index[b.renamed(names)]; ok {
				renaming[i] = to
			} else {
				renaming[i] = -1
			}
		}
		all = append(all, renaming)
	}
	return all
}

// renamed is the bit with other names of processes.
func (b StateBit) renamed(names map[string]string) string {
	if b.Name != "" {
		b.Process = cmp.Or(names[b.Process], b.Process)
		return b.String()
	}
	f := recording.Fact{Relation: b.Fact.Relation}
	for _, v := range b.Fact.Args {
		if to, ok := names[v.Text()]; ok {
			v = valueLike(v, to)
		}
		f.Args = append(f.Args, v)
	}
	return f.String()
}

// valueLike is the value of a process as programs write the value of another.
func valueLike(v specs.Value, name string) specs.Value {
	if n, err := strconv.ParseInt(name, 10, 64); err == nil && v.String() == v.Text() {
		return specs.Int(n)
	}
	return specs.String(name)
}

// permutations yields all permutations of few, and the exchanges of two of many, without the one
// that changes nothing.
func permutations(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		same := make([]int, n)
		for i := range same {
			same[i] = i
		}
		if n > mostRenamed {
			for i := range n {
				for j := range i {
					p := slices.Clone(same)
					p[i], p[j] = j, i
					if !yield(p) {
						return
					}
				}
			}
			return
		}
		var extend func(p []int) bool
		extend = func(p []int) bool {
			if len(p) == n {
				return slices.Equal(p, same) || yield(slices.Clone(p))
			}
			for i := range n {
				if !slices.Contains(p, i) && !extend(append(p, i)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

// Carried returns the facts that rules or messages carry into a later round, whatever the round, in the
// order in which they come first: the state of a step has them.
func (g *Graph) Carried() (all []recording.Fact) {
	seen := map[string]bool{}
	for _, r := range g.relations {
		for round := 2; round <= g.Bounds.EOT && r.name != syntax.Crash; round++ {
			for _, f := range r.nodes[round].facts {
				for by := f.first; by != nil; by = by.next {
					if by.rule.choice != nil || !by.rule.carries() {
						continue
					}
					under := 0 // way, for so many rounds more
					if by.from >= 0 && by.from != by.to && by.to >= 0 {
						under = g.Bounds.Late()
					}
					for late := range under + 1 {
						name := r.name
						if late > 0 {
							name = flight(name, late)
						}
						if key := name + text(f.tuple); !seen[key] {
							seen[key] = true
							all = append(all, recording.Fact{Relation: name, Args: f.Args()})
						}
					}
				}
			}
		}
		clear(seen)
	}
	_, memories := remembering(g.Program)
	for _, m := range memories {
		if n := g.node(m.of, m.round); n != nil && !onlyFacts(g.Program, m.of) {
			for _, f := range n.facts {
				all = append(all, recording.Fact{Relation: m.name, Args: f.Args()})
			}
		}
	}
	return all
}

// Fresh tells whether a relation has a fact in the last round that it has in no earlier one.
func (g *Graph) Fresh(relation string) bool {
	r := g.byName[relation]
	return r != nil && slices.ContainsFunc(r.nodes[g.Bounds.EOT].facts, func(f *Fact) bool {
		return !slices.ContainsFunc(r.nodes[1:g.Bounds.EOT], func(n *node) bool { return n.find(f.tuple) != nil })
	})
}

// Relations returns the names of the relations, in the order of the program.
func (g *Graph) Relations() (names []string) {
	for _, r := range g.relations {
		names = append(names, r.name)
	}
	return names
}
