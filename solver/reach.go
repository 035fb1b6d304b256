package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Transitions is a transition system: in each step it has a state, a number of bits that are
// all false at first, and the inputs of the step. State, Next, Valid and Bad are functions
// of both.
type Transitions struct {
	Circuit *Circuit
	State   []Lit // inputs of the circuit: the bits of the state
	Next    []Lit // what each is in the next state
	Valid   Lit   // the steps that there are
	Bad     Lit   // the steps that there should not be

	// Renamings say which bits may be exchanged: a clause that holds may hold of the renamed bits as well,
	// which is asked. Each has for every bit the one that it becomes, -1 if that is none,
	// which is a bit that is never true.
	Renamings [][]int
}

// StateBit says that a bit of the state has a value.
type StateBit struct {
	Bit   int // its index in State
	Value bool
}

// Reach is what Transitions.Reach found out.
type Reach struct {
	Never bool // no bad step is ever reached

	// Invariant has, if none is, one clause in each element, of which at least one literal
	// is true in every state that is reached.
	Invariant [][]StateBit

	Steps int // otherwise, a bad step is reached after so many steps that are not
	Calls int // of the SAT solver
	Depth int // for so many steps no bad one is reached, also if the answer is not known
}

// ReachLimitError says that a search ended because it made as many calls of the SAT solver as
// it may make.
type ReachLimitError struct{ Calls int }

func (e *ReachLimitError) Error() string {
	return fmt.Sprintf("no answer within %d calls of the SAT solver", e.Calls)
}

// Reach decides whether a bad step is ever reached, by property-directed reachability
// (Bradley, "SAT-based model checking without unrolling", VMCAI 2011; Eén, Mishchenko and
// Brayton, "Efficient implementation of property directed reachability", FMCAD 2011). It makes at
// most the given number of calls of the SAT solver; 0 is no limit. With a *ReachLimitError,
// and the error of the context, it returns what it knows, which is no answer.
func (t *Transitions) Reach(ctx context.Context, calls int) (*Reach, error) {
	p := &reacher{Transitions: t, ctx: ctx, most: calls, index: map[Lit]int{}}
	for i, l := range t.State {
		p.index[l] = i
	}
	for _, l := range t.Circuit.inputs {
		if !p.isState(l) {
			p.others = append(p.others, l)
		}
	}
	p.lift = NewSolver(t.Circuit)
	p.frames = [][]cube{nil}
	p.renew()
	r, err := p.run()
	if err == nil {
		err = t.Circuit.Err()
	}
	r.Calls, r.Depth = p.calls, len(p.frames)-1
	return r, err
}

// cube is a set of states: those in which all of its literals are true. A literal is the
// index of a bit, doubled, and one more if the bit is false. They are sorted.
type cube []int32

func literalOf(bit int, value bool) int32 {
	if value {
		return int32(2 * bit)
	}
	return int32(2*bit + 1)
}

// initial tells whether the first state, in which all bits are false, is in the cube.
func (c cube) initial() bool {
	return !slices.ContainsFunc(c, func(l int32) bool { return l&1 == 0 })
}

// contains tells whether a cube has all literals of another: then its states are among those of the other.
func (c cube) contains(other cube) bool {
	i := 0
	for _, l := range other {
		for i < len(c) && c[i] < l {
			i++
		}
		if i == len(c) || c[i] != l {
			return false
		}
	}
	return true
}

// without is the cube without the literal at an index.
func (c cube) without(i int) cube { return slices.Delete(slices.Clone(c), i, i+1) }

// obligation is a set of states from which a bad step is reached in so many steps; it has to
// be shown that they are not reached in level steps.
type obligation struct {
	cube         cube
	level, steps int
}

// reacher is one search. Frame k over-approximates the states that are reached in at most k
// steps: it is described by the clauses of the frames from k on, each the negation of a cube.
type reacher struct {
	*Transitions
	ctx    context.Context
	most   int
	calls  int
	index  map[Lit]int // of the bits of the state
	others []Lit       // inputs that are no bits of the state

	solver  *Solver // asserts Valid, and the clauses of the frames
	lift    *Solver // asserts nothing
	used    int     // literals that were made for one question
	active  []Lit   // by which the clauses of each frame are switched on
	frames  [][]cube
	waiting [][]obligation // by level
}

func (p *reacher) isState(l Lit) bool { _, ok := p.index[l]; return ok }

// lit is a literal of the state.
func (p *reacher) lit(l int32) Lit { return signed(p.State[l/2], l) }

// next is a literal of the next state.
func (p *reacher) next(l int32) Lit { return signed(p.Next[l/2], l) }

func signed(l Lit, sign int32) Lit {
	if sign&1 == 1 {
		return l.Not()
	}
	return l
}

// mostUsed is how many literals of single questions a solver has before it is made anew.
const mostUsed = 1500

// renew makes the solver anew, without what single questions have left in it.
func (p *reacher) renew() {
	p.solver, p.used = NewSolver(p.Circuit), 0
	p.solver.Assert(p.Valid)
	for len(p.active) < len(p.frames) {
		p.active = append(p.active, p.Circuit.Input())
	}
	for _, l := range p.State {
		p.solver.AssertAny(p.active[0].Not(), l.Not())
	}
	for k, clauses := range p.frames {
		for _, c := range clauses {
			p.assert(k, c)
		}
	}
}

// assert makes the clause of a cube hold in a frame.
func (p *reacher) assert(k int, c cube) {
	clause := []Lit{p.active[k].Not()}
	for _, l := range c {
		clause = append(clause, p.lit(l).Not())
	}
	p.solver.AssertAny(clause...)
}

// solve asks a solver.
func (p *reacher) solve(s *Solver, assumptions ...Lit) (bool, error) {
	if p.most > 0 && p.calls >= p.most {
		return false, &ReachLimitError{p.most}
	}
	p.calls++
	status, err := s.Solve(p.ctx, assumptions...)
	return status == Sat, err
}

// from are the assumptions that the state is in a frame.
func (p *reacher) from(k int) []Lit {
	if k == 0 {
		return []Lit{p.active[0]}
	}
	return slices.Clone(p.active[k:])
}

// run searches.
func (p *reacher) run() (*Reach, error) {
	for {
		k := len(p.frames) - 1
		steps, err := p.strengthen(k)
		if err != nil || steps >= 0 {
			return &Reach{Steps: max(steps, 0)}, err
		}
		p.frames = append(p.frames, nil)
		p.active = append(p.active, p.Circuit.Input())
		if k == 0 {
			continue
		}
		closed, err := p.propagate()
		if err != nil {
			return &Reach{}, err
		}
		if closed > 0 {
			return &Reach{Never: true, Invariant: p.invariant(closed)}, nil
		}
	}
}

// strengthen removes from the last frame all states in which a step can be bad. If one of
// them is reached, it returns after how many steps, otherwise -1.
func (p *reacher) strengthen(k int) (steps int, err error) {
	for {
		bad, err := p.solve(p.solver, append(p.from(k), p.Bad)...)
		if err != nil || !bad {
			return -1, err
		}
		c, err := p.lifted(p.Bad)
		if err != nil {
			return -1, err
		}
		if steps, err := p.block(obligation{c, k, 0}); err != nil || steps >= 0 {
			return steps, err
		}
	}
}

// lifted is a set of states from which the inputs of the last model lead to all of some
// functions, as that of the model does.
func (p *reacher) lifted(to ...Lit) (cube, error) {
	once := p.Circuit.Input()
	clause := []Lit{once.Not(), p.Valid.Not()}
	for _, l := range to {
		clause = append(clause, l.Not())
	}
	assumptions := []Lit{once}
	state := make(cube, len(p.State))
	for i, l := range p.State {
		state[i] = literalOf(i, p.solver.Value(l))
		assumptions = append(assumptions, p.lit(state[i]))
	}
	for _, l := range p.others {
		if !p.solver.Value(l) {
			l = l.Not()
		}
		assumptions = append(assumptions, l)
	}
	p.lift.AssertAny(clause...)
	sat, err := p.solve(p.lift, assumptions...)
	if err != nil {
		return nil, err
	}
	if sat {
		return nil, errors.New("solver: a step that there is leads elsewhere than it does")
	}
	var c cube
	for _, l := range p.lift.Core() {
		bit, value := l, true
		if !p.isState(l) {
			bit, value = l.Not(), false
		}
		if p.isState(bit) {
			c = append(c, literalOf(p.index[bit], value))
		}
	}
	p.lift.Assert(once.Not())
	slices.Sort(c)
	return c, nil
}

// block shows that the states of an obligation, and all that lead to them, are not reached; or
// returns after how many steps a bad one is reached.
func (p *reacher) block(first obligation) (steps int, err error) {
	p.waiting = make([][]obligation, len(p.frames))
	p.wait(first)
	for level := 0; level < len(p.waiting); {
		queue := p.waiting[level]
		if len(queue) == 0 {
			level++
			continue
		}
		o := queue[len(queue)-1]
		p.waiting[level] = queue[:len(queue)-1]
		if level == 0 || o.cube.initial() {
			return o.steps, nil
		}
		if p.blocked(o) {
			p.later(o)
			continue
		}
		before, c, err := p.before(level-1, o.cube, true)
		if err != nil {
			return -1, err
		}
		if before != nil {
			p.wait(o)
			p.wait(obligation{before, level - 1, o.steps + 1})
			level--
			continue
		}
		if c, err = p.generalize(level-1, c); err != nil {
			return -1, err
		}
		at := level
		for ; at < len(p.frames)-1; at++ {
			before, _, err := p.before(at, c, true)
			if err != nil {
				return -1, err
			}
			if before != nil {
				break
			}
		}
		p.add(at, c)
		if err := p.images(at, c); err != nil {
			return -1, err
		}
		p.later(obligation{o.cube, at, o.steps})
	}
	return -1, nil
}

func (p *reacher) wait(o obligation) { p.waiting[o.level] = append(p.waiting[o.level], o) }

// later looks at an obligation in the next frame, if there is one: it would come up there again.
func (p *reacher) later(o obligation) {
	if o.level++; o.level < len(p.frames) {
		p.wait(o)
	}
}

// blocked tells whether a clause of the frame of an obligation excludes its states.
func (p *reacher) blocked(o obligation) bool {
	for _, clauses := range p.frames[o.level:] {
		if slices.ContainsFunc(clauses, o.cube.contains) {
			return true
		}
	}
	return false
}

// before looks for a step from a frame into the states of a cube, from outside of it if apart.
// It returns states from which there is one; or, if there is none, a part of the cube that is
// enough for that, and that the first state is not in.
func (p *reacher) before(k int, c cube, apart bool) (before, enough cube, err error) {
	if p.used >= mostUsed {
		p.renew()
	}
	assumptions := p.from(k)
	once := False
	if apart {
		p.used++
		once = p.Circuit.Input()
		clause := []Lit{once.Not()}
		for _, l := range c {
			clause = append(clause, p.lit(l).Not())
		}
		p.solver.AssertAny(clause...)
		assumptions = append(assumptions, once)
	}
	to := make([]Lit, len(c))
	for i, l := range c {
		to[i] = p.next(l)
	}
	sat, err := p.solve(p.solver, append(assumptions, to...)...)
	if err != nil {
		return nil, nil, err
	}
	if sat {
		before, err = p.lifted(to...)
		if before == nil && err == nil {
			before = cube{}
		}
	} else {
		enough = p.needed(c, p.solver.Core())
	}
	if apart {
		p.solver.Assert(once.Not())
	}
	return before, enough, err
}

// needed are the literals of a cube whose next values are in a core, with one more if the
// first state would be among theirs.
func (p *reacher) needed(c cube, core []Lit) cube {
	in := map[Lit]bool{}
	for _, l := range core {
		in[l] = true
	}
	needed := slices.DeleteFunc(slices.Clone(c), func(l int32) bool { return !in[p.next(l)] })
	if needed.initial() {
		for _, l := range c {
			if l&1 == 0 {
				needed = append(needed, l)
				slices.Sort(needed)
				break
			}
		}
	}
	return needed
}

// generalize leaves literals out of a cube that no step leads into from a frame, as long as
// that stays so.
func (p *reacher) generalize(k int, c cube) (cube, error) {
	for i := 0; i < len(c) && len(c) > 1; {
		try := c.without(i)
		if try.initial() {
			i++
			continue
		}
		before, enough, err := p.before(k, try, true)
		if err != nil {
			return nil, err
		}
		if before != nil {
			i++
			continue
		}
		// What is needed of it may lack literals before i as well.
		kept := 0
		for _, l := range c[:i] {
			if slices.Contains(enough, l) {
				kept++
			}
		}
		c, i = enough, kept
	}
	return c, nil
}

// images adds the renamed clauses of a cube to a frame, as far as they hold there.
func (p *reacher) images(at int, c cube) error {
	tried := []cube{c}
	for _, renaming := range p.Renamings {
		image, ok := c.renamed(renaming)
		if !ok || image.initial() || slices.ContainsFunc(tried, func(t cube) bool { return slices.Equal(t, image) }) {
			continue
		}
		tried = append(tried, image)
		if p.blocked(obligation{cube: image, level: at}) {
			continue
		}
		before, enough, err := p.before(at-1, image, true)
		if err != nil {
			return err
		}
		if before == nil {
			p.add(at, enough)
		}
	}
	return nil
}

// renamed is a cube of the renamed bits; false if it has no states.
func (c cube) renamed(renaming []int) (cube, bool) {
	image := make(cube, 0, len(c))
	for _, l := range c {
		switch bit := renaming[l/2]; {
		case bit >= 0:
			image = append(image, literalOf(bit, l&1 == 0))
		case l&1 == 0:
			return nil, false
		}
	}
	slices.Sort(image)
	return slices.Compact(image), true
}

// add adds the clause of a cube to a frame, and removes those that it makes superfluous.
func (p *reacher) add(k int, c cube) {
	for i := range p.frames[:k+1] {
		p.frames[i] = slices.DeleteFunc(p.frames[i], func(other cube) bool { return other.contains(c) })
	}
	p.frames[k] = append(p.frames[k], c)
	p.assert(k, c)
}

// propagate moves clauses to the next frame that hold there. It returns the index of a frame
// that equals the next one, 0 if none does.
func (p *reacher) propagate() (closed int, err error) {
	for k := 1; k < len(p.frames)-1; k++ {
		for _, c := range slices.Clone(p.frames[k]) {
			if !slices.ContainsFunc(p.frames[k], func(other cube) bool { return slices.Equal(other, c) }) {
				continue // a clause that was moved made it superfluous
			}
			before, _, err := p.before(k, c, false)
			if err != nil {
				return 0, err
			}
			if before == nil {
				p.add(k+1, c)
			}
		}
		if len(p.frames[k]) == 0 {
			return k, nil
		}
	}
	return 0, nil
}

// invariant are the clauses of the frames behind one.
func (p *reacher) invariant(k int) (clauses [][]StateBit) {
	for _, frame := range p.frames[k+1:] {
		for _, c := range frame {
			var clause []StateBit
			for _, l := range c {
				clause = append(clause, StateBit{int(l / 2), l&1 == 1})
			}
			clauses = append(clauses, clause)
		}
	}
	return clauses
}

// CheckInvariant says what is wrong with an invariant: a clause that is false at first, one that
// a step does not keep, or a bad step that all clauses allow. It asks a solver of its own.
func (t *Transitions) CheckInvariant(ctx context.Context, invariant [][]StateBit) error {
	s := NewSolver(t.Circuit)
	s.Assert(t.Valid)
	of := func(bits []Lit, clause []StateBit) (lits []Lit) {
		for _, b := range clause {
			l := bits[b.Bit]
			if !b.Value {
				l = l.Not()
			}
			lits = append(lits, l)
		}
		return lits
	}
	for i, clause := range invariant {
		if !slices.ContainsFunc(clause, func(b StateBit) bool { return !b.Value }) {
			return fmt.Errorf("clause %d of the invariant is false in the first state", i+1)
		}
		s.AssertAny(of(t.State, clause)...)
	}
	none := func(what string, assumptions ...Lit) error {
		switch status, err := s.Solve(ctx, assumptions...); {
		case err != nil:
			return err
		case status != Unsat:
			return errors.New(what)
		}
		return nil
	}
	if err := none("the invariant allows a bad step", t.Bad); err != nil {
		return err
	}
	for i, clause := range invariant {
		lits := of(t.Next, clause)
		for j := range lits {
			lits[j] = lits[j].Not()
		}
		if err := none(fmt.Sprintf("a step does not keep clause %d of the invariant", i+1), lits...); err != nil {
			return err
		}
	}
	return nil
}

// Tighten leaves clauses out of an invariant that the others do not need, renamed ones together,
// from the longest on, with at most the given number of calls of the SAT solver.
func (t *Transitions) Tighten(ctx context.Context, invariant [][]StateBit, calls int) ([][]StateBit, error) {
	s := NewSolver(t.Circuit)
	s.Assert(t.Valid)
	cubes := make([]cube, len(invariant))
	holds, broken := make([]Lit, len(invariant)), make([]Lit, len(invariant))
	for i, clause := range invariant {
		var next []Lit
		holds[i] = t.Circuit.Input()
		lits := []Lit{holds[i].Not()}
		for _, b := range clause {
			cubes[i] = append(cubes[i], literalOf(b.Bit, !b.Value))
			l, n := t.State[b.Bit], t.Next[b.Bit]
			if !b.Value {
				l, n = l.Not(), n.Not()
			}
			lits, next = append(lits, l), append(next, n.Not())
		}
		slices.Sort(cubes[i])
		s.AssertAny(lits...)
		broken[i] = t.Circuit.Ands(next...)
	}
	kept := make([]bool, len(invariant))
	for i := range kept {
		kept[i] = true
	}
	enough := func() (bool, error) {
		once := t.Circuit.Input()
		wrong, assumptions := []Lit{once.Not(), t.Bad}, []Lit{once}
		for i := range invariant {
			if kept[i] {
				wrong, assumptions = append(wrong, broken[i]), append(assumptions, holds[i])
			}
		}
		s.AssertAny(wrong...)
		status, err := s.Solve(ctx, assumptions...)
		s.Assert(once.Not())
		return status == Unsat, err
	}
	orbits := t.orbits(cubes)
	slices.SortStableFunc(orbits, func(a, b []int) int { return len(cubes[b[0]]) - len(cubes[a[0]]) })
	for _, orbit := range orbits {
		if s.Calls() >= calls {
			break
		}
		for _, i := range orbit {
			kept[i] = false
		}
		ok, err := enough()
		if err != nil {
			return nil, err
		}
		for _, i := range orbit {
			kept[i] = !ok
		}
	}
	var smaller [][]StateBit
	for i, clause := range invariant {
		if kept[i] {
			smaller = append(smaller, clause)
		}
	}
	return smaller, nil
}

// orbits are the cubes, by their indexes, of which one is renamed to the other.
func (t *Transitions) orbits(cubes []cube) (all [][]int) {
	index := map[string][]int{}
	for i, c := range cubes {
		index[fmt.Sprint(c)] = append(index[fmt.Sprint(c)], i)
	}
	seen := make([]bool, len(cubes))
	for i, c := range cubes {
		if seen[i] {
			continue
		}
		var orbit []int
		take := func(c cube) {
			for _, j := range index[fmt.Sprint(c)] {
				if !seen[j] {
					seen[j] = true
					orbit = append(orbit, j)
				}
			}
		}
		take(c)
		for _, renaming := range t.Renamings {
			if image, ok := c.renamed(renaming); ok {
				take(image)
			}
		}
		all = append(all, orbit)
	}
	return all
}
