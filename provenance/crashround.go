package provenance

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// The round of a crash is compared with the number of a clock, which is the round in which it is read or was
// copied. Behind the numbers that rules tell apart, a step has for all rounds between two with crashes
// one number, and one for each round with a crash: these are in the same order as the rounds.

// epochs are the columns with numbers of rounds that are compared with rounds of crashes.
type epochs struct {
	flow   *flow
	clocks []string         // the relations that have the number of the round
	roots  []place          // of the groups of columns
	most   int64            // rounds up to this one are told apart
	places map[string][]int // by clock, the processes that have one
	after  int              // the most rounds with crashes

	happened []map[int64]solver.Lit // by process: it has crashed by the end of the round, at a number
}

// in tells whether a column has numbers of rounds.
func (e *epochs) in(c place) bool {
	return e.flow.most[c] == unlimited && slices.Contains(e.roots, e.flow.root(c))
}

// ofCrash tells whether an expression is the round of a crash, and nothing else.
func (f *flow) ofCrash(r *syntax.Rule, e syntax.Expr) bool {
	v, ok := e.(*syntax.Variable)
	return ok && slices.Equal(f.columnsOf(r, v.Name, true), []place{{syntax.Crash, 2}})
}

// epochs finds the clocks with which a program compares the rounds of crashes; nil if it does not.
func (f *flow) epochs(b rounds.Bounds) (*epochs, error) {
	e := &epochs{flow: f, places: map[string][]int{}}
	for _, r := range f.program.Rules {
		for _, t := range r.Body {
			if t.Atom == nil || t.Atom.Relation != syntax.Crash || onlyWho(r, t.Atom) {
				continue
			}
			if why := f.compared(e, r, t, b); why != "" {
				return nil, &UntimedError{What: "for any number of rounds the round of a crash can only be compared with the number of a clock that counts the rounds: " + why, Position: t.Atom.Position}
			}
		}
	}
	if e.roots == nil {
		return nil, nil
	}
	for _, root := range e.roots {
		most, _, why := f.largest(root)
		if why != "" {
			return nil, &UntimedError{What: "the numbers that are compared with the rounds of crashes grow in each round, and rules tell all of them apart: " + why}
		}
		e.most = max(e.most, most-1)
	}
	for _, r := range f.program.Rules {
		if at, why := e.source(r, b); why != "" {
			return nil, &UntimedError{What: "what is compared with the round of a crash has to be the number of a round: " + why, Position: at}
		}
	}
	for _, fact := range f.program.Facts {
		for i, v := range fact.Args {
			if !e.in(place{fact.Relation, i}) {
				continue
			}
			p := f.processOf(b, fact.Args[0])
			if !slices.Contains(e.clocks, fact.Relation) || v != specs.Int(1) || fact.Round != 1 || p < 0 {
				return nil, &UntimedError{What: fmt.Sprintf("what is compared with the round of a crash has to be the number of a round, and %s does not begin with round 1", fact.Relation), Position: fact.Position}
			}
			e.places[fact.Relation] = append(e.places[fact.Relation], p)
		}
	}
	for i, name := range b.Processes {
		if b.Crashes != 0 && !slices.Contains(b.NeverCrash, name) && (b.Crashes == rounds.Unlimited || e.after < b.Crashes) && i >= 0 {
			e.after++
		}
	}
	return e, nil
}

// processOf returns the process that a value stands for, -1 if none.
func (f *flow) processOf(b rounds.Bounds, v specs.Value) int {
	return slices.IndexFunc(b.Processes, func(name string) bool { return f.program.ProcessValue(name) == v })
}

// compared says why the round of a crash is not only compared with numbers of rounds.
func (f *flow) compared(e *epochs, r *syntax.Rule, crash syntax.Term, b rounds.Bounds) string {
	t, ok := crash.Atom.Args[2].(*syntax.Variable)
	switch {
	case !ok || crash.Negated || crash.At > 0 || !f.ofCrash(r, t):
		return "it is compared with what is none"
	case restarting(b):
		return "here processes come back, and crash again"
	case len(b.Joins) > 0:
		return "here processes join later"
	}
	for _, h := range r.Head.Args {
		if syntax.Mentions(h, t.Name) {
			return "it is kept"
		}
	}
	for _, term := range r.Body {
		if term.Test == nil || !syntax.Mentions(term.Test, t.Name) {
			continue
		}
		n := f.against(r, term, t.Name)
		if n == "" {
			return fmt.Sprintf("%s is no such comparison", term.Test)
		}
		root := f.root(f.columnsOf(r, n, false)[0])
		if !slices.Contains(e.roots, root) {
			e.roots = append(e.roots, root)
		}
	}
	return ""
}

// against is the variable that may grow with which a test compares another one; "" if there is none.
func (f *flow) against(r *syntax.Rule, t syntax.Term, variable string) string {
	b, ok := t.Test.(*syntax.Binary)
	if !ok || !b.IsComparison() {
		return ""
	}
	for _, sides := range [][2]syntax.Expr{{b.Left, b.Right}, {b.Right, b.Left}} {
		v, isVariable := sides[0].(*syntax.Variable)
		n, isOther := sides[1].(*syntax.Variable)
		if isVariable && isOther && v.Name == variable && n.Name != variable && f.inColumns(r, n.Name) == unlimited && len(f.columnsOf(r, n.Name, false)) > 0 {
			return n.Name
		}
	}
	return ""
}

// past tells whether a rule reads no later crashes: it compares the round of the crash with a round that is over, or the
// round itself.
func (e *epochs) past(r *syntax.Rule, crash *syntax.Atom) bool {
	t, ok := crash.Args[2].(*syntax.Variable)
	if e == nil || !ok {
		return false
	}
	return slices.ContainsFunc(r.Body, func(term syntax.Term) bool {
		if term.Test == nil || e.flow.against(r, term, t.Name) == "" {
			return false
		}
		b := term.Test.(*syntax.Binary)
		op := b.Op
		if v := b.Left.(*syntax.Variable); v.Name != t.Name {
			op = turned[op]
		}
		return op == "<" || op == "<=" || op == "=="
	})
}

// source says why a rule gives numbers that are no rounds, and finds the clocks. A clock has the number 1 in round 1,
// and counts in each.
func (e *epochs) source(r *syntax.Rule, b rounds.Bounds) (at specs.Position, why string) {
	for _, t := range r.Body {
		if t.Atom == nil || t.At == 0 {
			continue
		}
		for i := range t.Atom.Args {
			if e.in(place{t.Atom.Relation, i}) {
				return t.Position, fmt.Sprintf("%s is read as it was in round %d", t.Atom.Relation, t.At)
			}
		}
	}
	for i, h := range r.Head.Args {
		if !e.in(place{r.Head.Relation, i}) {
			continue
		}
		v, by, ok := syntax.Offset(h)
		switch {
		case ok && by == 0 && e.flow.limit(r, v) == unlimited:
		case ok && by == 1 && e.ticks(r, i):
			if !slices.Contains(e.clocks, r.Head.Relation) {
				e.clocks = append(e.clocks, r.Head.Relation)
			}
		case e.starts(r, i, b):
		default:
			return r.Head.Position, fmt.Sprintf("%s of %s is none", h, r.Head.Relation)
		}
	}
	return at, ""
}

// ticks tells whether a rule is clock(P, N + 1)@next :- clock(P, N).
func (e *epochs) ticks(r *syntax.Rule, column int) bool {
	if r.Kind != syntax.Next || len(r.Body) != 1 || len(r.Head.Args) != 2 || column != 1 {
		return false
	}
	t := r.Body[0]
	if t.Atom == nil || t.Negated || t.At != 0 || t.Atom.Relation != r.Head.Relation {
		return false
	}
	place, isPlace := t.Atom.Args[0].(*syntax.Variable)
	head, isHead := r.Head.Args[0].(*syntax.Variable)
	n, isNumber := t.Atom.Args[1].(*syntax.Variable)
	v, _, _ := syntax.Offset(r.Head.Args[1])
	return isPlace && isHead && isNumber && place.Name == head.Name && n.Name == v && n.Name != place.Name
}

// starts tells whether a rule is clock(P, 1) :- process(P), where processes are in round 1 alone.
func (e *epochs) starts(r *syntax.Rule, column int, b rounds.Bounds) bool {
	one, ok := r.Head.Args[column].(*syntax.Constant)
	if !ok || one.Value != specs.Int(1) || len(r.Head.Args) != 2 || column != 1 {
		return false
	}
	places, ok := e.first(r, b, 0)
	e.places[r.Head.Relation] = append(e.places[r.Head.Relation], places...)
	return ok
}

// first are the processes at which a rule fires that passes on a process of round 1, and only in that round.
func (e *epochs) first(r *syntax.Rule, b rounds.Bounds, depth int) (places []int, ok bool) {
	if r.Kind != syntax.Deductive || len(r.Body) != 1 || depth > len(e.flow.program.Rules) {
		return nil, false
	}
	t := r.Body[0]
	if t.Atom == nil || t.Negated || t.At != 0 || len(t.Atom.Args) != 1 {
		return nil, false
	}
	place, isPlace := t.Atom.Args[0].(*syntax.Variable)
	head, isHead := r.Head.Args[0].(*syntax.Variable)
	if !isPlace || !isHead || place.Name != head.Name || slices.ContainsFunc(e.flow.program.Choices, func(c *syntax.Choose) bool { return c.Relation == t.Atom.Relation }) {
		return nil, false
	}
	for _, fact := range e.flow.program.Facts {
		if fact.Relation != t.Atom.Relation {
			continue
		}
		p := e.flow.processOf(b, fact.Args[0])
		if fact.Round != 1 || p < 0 {
			return nil, false
		}
		places = append(places, p)
	}
	for _, q := range e.flow.program.Rules {
		if q.Head.Relation != t.Atom.Relation {
			continue
		}
		more, ok := e.first(q, b, depth+1)
		if !ok {
			return nil, false
		}
		places = append(places, more...)
	}
	return places, true
}

// guarded tells whether a rule that has a variable in several places reads it in one, from which the others follow: their
// relations have rules that read the same fact, and say nothing else of it.
func (f *flow) guarded(r *syntax.Rule, variable string) bool {
	is := func(e syntax.Expr) bool { v, ok := e.(*syntax.Variable); return ok && v.Name == variable }
	has := func(a *syntax.Atom) int { return slices.IndexFunc(a.Args, is) }
	for _, t := range r.Body {
		if t.Atom != nil && len(slices.DeleteFunc(slices.Clone(t.Atom.Args), func(e syntax.Expr) bool { return !syntax.Mentions(e, variable) })) > 1 {
			return false
		}
	}
	for _, guard := range r.Body {
		if guard.Atom == nil || guard.Negated || guard.At != 0 || has(guard.Atom) < 0 {
			continue
		}
		follow := true
		for _, t := range r.Body {
			if t.Atom == nil || t.Atom == guard.Atom || has(t.Atom) < 0 {
				continue
			}
			follow = follow && t.At == 0 && f.follows(t.Atom, has(t.Atom), guard.Atom, has(guard.Atom))
		}
		if follow {
			return true
		}
	}
	return false
}

// follows tells whether all rules of the relation of an atom read the fact of a guard.
func (f *flow) follows(a *syntax.Atom, column int, guard *syntax.Atom, at int) bool {
	given := func(name string) bool {
		return slices.ContainsFunc(f.program.Facts, func(fact *syntax.Fact) bool { return fact.Relation == name }) ||
			slices.ContainsFunc(f.program.Choices, func(c *syntax.Choose) bool { return c.Relation == name })
	}
	if given(a.Relation) || a.Relation == syntax.Crash {
		return false
	}
	for _, q := range f.program.Rules {
		if q.Head.Relation == a.Relation && !f.reads(q, a, column, guard, at) {
			return false
		}
	}
	return true
}

// reads tells whether a rule reads the fact of a guard, where its head is an atom, and has the number in no other place.
func (f *flow) reads(q *syntax.Rule, a *syntax.Atom, column int, guard *syntax.Atom, at int) bool {
	if q.Kind != syntax.Deductive || summarises(q) {
		return false
	}
	n, ok := q.Head.Args[column].(*syntax.Variable)
	if !ok {
		return false
	}
	uses := map[string]int{}
	for _, h := range q.Head.Args {
		syntax.EachVariable(h, func(v *syntax.Variable) { uses[v.Name]++ })
	}
	if uses[n.Name] > 1 {
		return false
	}
	var body *syntax.Atom
	for _, t := range q.Body {
		if t.Test != nil {
			syntax.EachVariable(t.Test, func(v *syntax.Variable) { uses[v.Name]++ })
			continue
		}
		reads := false
		for _, e := range t.Atom.Args {
			syntax.EachVariable(e, func(v *syntax.Variable) { uses[v.Name]++ })
			reads = reads || syntax.Mentions(e, n.Name)
		}
		if !reads {
			continue
		}
		if body != nil || t.Negated || t.At != 0 || t.Atom.Relation != guard.Relation {
			return false
		}
		body = t.Atom
	}
	if body == nil {
		return false
	}
	for i, e := range body.Args {
		switch e := e.(type) {
		case *syntax.Wildcard:
		case *syntax.Constant:
			if guard.Args[i].String() != e.String() {
				return false
			}
		case *syntax.Variable:
			in := slices.IndexFunc(q.Head.Args, func(h syntax.Expr) bool { v, ok := h.(*syntax.Variable); return ok && v.Name == e.Name })
			switch {
			case i == at && e.Name != n.Name, i != at && e.Name == n.Name:
				return false
			case in >= 0 && (guard.Args[i].String() != a.Args[in].String() || guard.Args[i].String() == "_"):
				return false
			case in < 0 && uses[e.Name] > 1:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// without is the program without the clocks, which a step gives.
func (e *epochs) without(p *dedalus.Program) *dedalus.Program {
	if e == nil {
		return p
	}
	changed := *p
	changed.Rules = slices.DeleteFunc(slices.Clone(p.Rules), func(r *syntax.Rule) bool { return slices.Contains(e.clocks, r.Head.Relation) })
	changed.Facts = slices.DeleteFunc(slices.Clone(p.Facts), func(f *syntax.Fact) bool { return slices.Contains(e.clocks, f.Relation) })
	for i, r := range changed.Rules {
		own := *r
		own.Index = i
		changed.Rules[i] = &own
	}
	return &changed
}

// values are the numbers of rounds: those that are told apart, and behind them all that rounds with crashes make.
func (e *epochs) values() (all []int64) {
	for v := int64(1); v <= e.most+1+2*int64(e.after); v++ {
		all = append(all, v)
	}
	return all
}

// Numbered returns the last round whose number is its own, and true where the program compares rounds with those of
// crashes: later rounds have numbers that only tell before and after which crashes they are.
func (s *Step) Numbered() (last int, ok bool) {
	if s.counts == nil {
		return 0, false
	}
	return int(s.counts.most), true
}

// facts are the facts of the state with all numbers of rounds that they can have in place of those that are not told apart.
func (e *epochs) facts(state []recording.Fact) (all []recording.Fact) {
	if e == nil {
		return state
	}
	seen := map[string]bool{}
	var add func(f recording.Fact, column int)
	add = func(f recording.Fact, column int) {
		if column == len(f.Args) {
			if text := f.String(); !seen[text] {
				seen[text] = true
				all = append(all, f)
			}
			return
		}
		v := f.Args[column]
		if !e.in(place{base(f.Relation), column}) || !v.IsInt() || v.Int() <= e.most {
			add(f, column+1)
			return
		}
		for _, n := range e.values()[e.most:] {
			other := f
			other.Args = slices.Clone(f.Args)
			other.Args[column] = specs.Int(n)
			add(other, column+1)
		}
	}
	for _, f := range state {
		if !slices.Contains(e.clocks, f.Relation) {
			add(f, 0)
		}
	}
	return all
}

// giveCrashes fills the built-in relation with the crashes up to the round, and their numbers.
func (e *epochs) giveCrashes(s *Step, ev *evaluation, crash *relation) {
	for p := range s.Graph.Bounds.Processes {
		for _, v := range e.values() {
			happens, ok := e.happened[p][v]
			if !ok {
				continue
			}
			for _, observer := range ev.processes {
				ev.tuple = append(ev.tuple[:0], observer, ev.processes[p], s.Graph.values.id(specs.Int(v)))
				fact := ev.fact(crash.nodes[1], ev.tuple)
				fact.cond, fact.fixed = happens, true
			}
		}
	}
}

// count makes the bits that number the rounds, and gives the clocks.
func (e *epochs) count(s *Step, ev *evaluation) {
	c, g := ev.circuit, s.Graph
	began := make([]solver.Lit, len(g.Bounds.Processes)) // who crashes in the round
	for p := range began {
		if crashes := g.Universe.Crashes(p); crashes != nil {
			began[p] = c.And(g.Inputs[crashes[0]], g.restriction.down[p].Not())
		} else {
			began[p] = solver.False
		}
	}
	now, late := c.Ors(began...), s.since(int(e.most)+1)
	counted := append([]solver.Lit{solver.True}, s.bits(e.after, func(i int) StateBit {
		return StateBit{Name: fmt.Sprintf("at least %d of the rounds had crashes", i+1)}
	})...)
	for i := range e.after {
		s.Next = append(s.Next, c.Or(counted[i+1], c.Ands(late, now, counted[i])))
	}
	counted = append(counted, solver.False)
	is := map[int64]solver.Lit{} // the number of the round
	for v := int64(1); v <= e.most; v++ {
		is[v] = s.named[v]
	}
	for k := range e.after + 1 {
		exactly := c.Ands(late, counted[k], counted[k+1].Not())
		v := e.most + 1 + 2*int64(k)
		is[v] = c.And(exactly, now.Not())
		if k < e.after {
			is[v+1] = c.And(exactly, now)
		}
	}
	e.happened = make([]map[int64]solver.Lit, len(g.Bounds.Processes))
	for p, process := range g.Bounds.Processes {
		crashed := map[int64]solver.Lit{}
		e.happened[p] = map[int64]solver.Lit{}
		for _, v := range e.values() {
			if began[p] == solver.False || v > e.most && (v-e.most)%2 == 1 {
				continue
			}
			before := s.bits(1, func(int) StateBit { return StateBit{Process: process, Name: fmt.Sprintf("has crashed at %d", v)} })[0]
			happens := c.Or(before, c.And(began[p], is[v]))
			s.Next = append(s.Next, happens)
			crashed[v] = before
			e.happened[p][v] = happens
		}
		for _, clock := range e.clocks {
			if !slices.Contains(e.places[clock], p) {
				continue
			}
			for _, v := range e.values() {
				when := is[v]
				if before, ok := crashed[v]; g.Bounds.CrashStop && began[p] != solver.False { // it stands still
					when = c.And(when, g.restriction.down[p].Not())
					if ok {
						when = c.Or(when, before)
					}
				}
				ev.giveWhen(clock, []specs.Value{g.Program.ProcessValue(process), specs.Int(v)}, when)
			}
		}
	}
}
