package solver

import (
	"cmp"
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
	p := newReacher(ctx, t, calls)
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

// lemma is a clause of a frame: the negation of a cube.
type lemma struct {
	cube
	signature uint64
	serial    int // when it came

	// left is a state of the frame from which a step leads into the cube, as it was with all
	// lemmas before the serial until.
	left  []bool
	until int
}

// signature has bits for the literals of a cube: what is a part of another has no more.
func (c cube) signature() (all uint64) {
	for _, l := range c {
		all |= 1 << (l % 64)
	}
	return all
}

// has tells whether a state is in the cube.
func (c cube) has(state []bool) bool {
	for _, l := range c {
		if state[l/2] == (l&1 == 1) {
			return false
		}
	}
	return true
}

// reacher is one search. Frame k over-approximates the states that are reached in at most k
// steps: it is described by the clauses of the frames from k on, each the negation of a cube.
type reacher struct {
	*Transitions
	*question
	ctx   context.Context
	most  int
	calls int

	active  []literal // by which the clauses of each frame are switched on
	frames  [][]*lemma
	waiting [][]obligation // by level
	urgent  []float64      // by bit: how often lemmas have it
	serial  int
}

func newReacher(ctx context.Context, t *Transitions, calls int) *reacher {
	p := &reacher{Transitions: t, question: newQuestion(t), ctx: ctx, most: calls, urgent: make([]float64, len(t.State))}
	p.grow()
	for _, bit := range p.bits {
		p.sat.add(given, p.active[0]^1, p.lit(literalOf(bit, false)))
	}
	return p
}

// grow makes another frame.
func (p *reacher) grow() {
	v := 2 * p.sat.variable()
	p.always = append(p.always, v/2)
	if k := len(p.active); k > 0 {
		p.sat.add(given, p.active[k-1]^1, v)
	}
	p.active = append(p.active, v)
	p.frames = append(p.frames, nil)
}

// solve asks about steps from a frame to all of some functions, from outside of a cube if that is not nil.
func (p *reacher) solve(k int, outside cube, to ...literal) (bool, error) {
	if p.most > 0 && p.calls >= p.most {
		return false, &ReachLimitError{p.most}
	}
	if p.calls++; p.ctx.Err() != nil {
		return false, stopped(p.ctx)
	}
	if p.sat.due() {
		p.sat.renew()
		for k, lemmas := range p.frames {
			for _, c := range lemmas {
				p.assert(k, c.cube)
			}
		}
	}
	assumptions := []literal{p.active[k]}
	if k > 0 {
		assumptions = append(assumptions, p.active[k-1]^1)
	}
	once := make([]literal, len(outside))
	for i, l := range outside {
		once[i] = p.lit(l) ^ 1
	}
	p.begin(to)
	return p.sat.solve(p.ctx, once, append(assumptions, to...))
}

// assert makes the clause of a cube hold in a frame.
func (p *reacher) assert(k int, c cube) {
	clause := make([]literal, 0, len(c)+1)
	for _, l := range c {
		clause = append(clause, p.lit(l)^1)
	}
	p.sat.add(lent, append(clause, p.active[k]^1)...)
}

// run searches.
func (p *reacher) run() (*Reach, error) {
	for {
		k := len(p.frames) - 1
		steps, err := p.strengthen(k)
		if err != nil || steps >= 0 {
			return &Reach{Steps: max(steps, 0)}, err
		}
		p.grow()
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
	bad := p.of(p.Bad)
	for {
		is, err := p.solve(k, nil, bad)
		if err != nil || !is {
			return -1, err
		}
		if steps, err := p.block(obligation{p.lifted(p.Bad), k, 0}); err != nil || steps >= 0 {
			return steps, err
		}
	}
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
		if p.blocked(level, o.cube) {
			p.later(o)
			continue
		}
		before, c, err := p.before(level-1, o.cube)
		if err != nil {
			return -1, err
		}
		if before {
			p.wait(o)
			p.wait(obligation{p.lifted(p.into(o.cube)...), level - 1, o.steps + 1})
			level--
			continue
		}
		at, err := p.exclude(level, c, 0)
		if err != nil {
			return -1, err
		}
		p.later(obligation{o.cube, at, o.steps})
	}
	return -1, nil
}

// exclude adds a clause to a frame that excludes the states of a cube, to which no step leads from
// the frame before, and that is as short as it can be made; or to a later frame, which it returns.
func (p *reacher) exclude(level int, c cube, depth int) (at int, err error) {
	if c, err = p.generalize(level-1, c, depth); err != nil {
		return 0, err
	}
	for at = level; at < len(p.frames)-1; at++ {
		before, enough, err := p.before(at, c)
		if err != nil {
			return 0, err
		}
		if before {
			break
		}
		c = enough
	}
	p.add(at, c)
	return at, p.images(at, c)
}

func (p *reacher) wait(o obligation) { p.waiting[o.level] = append(p.waiting[o.level], o) }

// later looks at an obligation in the next frame, if there is one: it would come up there again.
func (p *reacher) later(o obligation) {
	if o.level++; o.level < len(p.frames) {
		p.wait(o)
	}
}

// blocked tells whether a clause of a frame excludes the states of a cube.
func (p *reacher) blocked(level int, c cube) bool {
	signature := c.signature()
	for _, lemmas := range p.frames[level:] {
		for _, l := range lemmas {
			if l.signature&^signature == 0 && c.contains(l.cube) {
				return true
			}
		}
	}
	return false
}

// before looks for a step from a frame into the states of a cube, from outside of it. If there is
// none, it returns a part of the cube that is enough for that, and that the first state is not in.
func (p *reacher) before(k int, c cube) (is bool, enough cube, err error) {
	is, err = p.solve(k, c, p.nexts(c)...)
	if !is && err == nil {
		enough = p.needed(c)
	}
	return is, enough, err
}

// nexts are the literals that say that the next state is in a cube.
func (p *reacher) nexts(c cube) []literal {
	to := make([]literal, len(c))
	for i, l := range c {
		to[i] = p.next(l)
	}
	return to
}

// into are the functions that say so.
func (p *reacher) into(c cube) []Lit {
	to := make([]Lit, len(c))
	for i, l := range c {
		to[i] = signed(p.Next[l/2], l)
	}
	return to
}

func signed(l Lit, sign int32) Lit {
	if sign&1 == 1 {
		return l.Not()
	}
	return l
}

// needed are the literals of a cube whose next values are in the last core, with one more if the
// first state would be among theirs.
func (p *reacher) needed(c cube) cube {
	needed := make(cube, 0, len(c))
	for _, l := range c {
		if slices.Contains(p.sat.core, p.next(l)) {
			needed = append(needed, l)
		}
	}
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

// The limits of generalisation: how deep states are excluded for its sake, and how many of them for one literal.
const (
	deepest   = 1
	mostAside = 3
)

// generalize leaves literals out of a cube that no step leads into from a frame, as long as
// that stays so, beginning with those that few clauses have.
func (p *reacher) generalize(k int, c cube, depth int) (cube, error) {
	order := slices.Clone(c)
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(p.urgent[a/2], p.urgent[b/2]) })
	for _, l := range order {
		i, has := slices.BinarySearch(c, l)
		if !has || len(c) == 1 {
			continue
		}
		smaller, err := p.without(k, c.without(i), depth)
		if err != nil {
			return nil, err
		}
		if smaller != nil {
			c = smaller
		}
	}
	return c, nil
}

// without returns a part of a cube that no step leads into from a frame, nil if it finds none. What stands
// in the way may be states that can be excluded themselves (Hassan, Bradley and Somenzi, "Better
// generalization in IC3", FMCAD 2013).
func (p *reacher) without(k int, c cube, depth int) (cube, error) {
	for aside := 0; !c.initial(); {
		before, enough, err := p.before(k, c)
		if err != nil {
			return nil, err
		}
		if !before {
			return enough, nil
		}
		if depth >= deepest {
			return nil, nil
		}
		state := p.state()
		if aside < mostAside && k > 0 {
			if from := p.lifted(p.into(c)...); !from.initial() {
				before, enough, err := p.before(k-1, from)
				if err != nil {
					return nil, err
				}
				if !before {
					aside++
					if _, err := p.exclude(k, enough, depth+1); err != nil {
						return nil, err
					}
					continue
				}
			}
		}
		aside = 0
		c = slices.DeleteFunc(slices.Clone(c), func(l int32) bool { return state[l/2] == (l&1 == 1) })
	}
	return nil, nil
}

// images adds the renamed clauses of a cube to a frame, as far as they hold there.
func (p *reacher) images(at int, c cube) error {
	tried := []cube{c}
	for _, renaming := range p.Renamings {
		image, ok := c.renamed(renaming)
		known := func(t cube) bool { return slices.Equal(t, image) }
		if !ok || image.initial() || !p.asked(image) || slices.ContainsFunc(tried, known) || p.blocked(at, image) {
			continue
		}
		tried = append(tried, image)
		before, enough, err := p.before(at-1, image)
		if err != nil {
			return err
		}
		if !before {
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
	signature := c.signature()
	for i := range p.frames[:k+1] {
		p.frames[i] = slices.DeleteFunc(p.frames[i], func(l *lemma) bool {
			return signature&^l.signature == 0 && l.cube.contains(c)
		})
	}
	p.serial++
	p.frames[k] = append(p.frames[k], &lemma{cube: c, signature: signature, serial: p.serial})
	for _, l := range c {
		p.urgent[l/2]++
	}
	p.assert(k, c)
}

// propagate moves clauses to the next frame that hold there. It returns the index of a frame
// that equals the next one, 0 if none does.
func (p *reacher) propagate() (closed int, err error) {
	for k := 1; k < len(p.frames)-1; k++ {
		for _, l := range slices.Clone(p.frames[k]) {
			if !slices.Contains(p.frames[k], l) || p.stays(k, l) {
				continue // a clause that was moved made it superfluous, or it cannot be moved
			}
			before, err := p.solve(k, nil, p.nexts(l.cube)...)
			if err != nil {
				return 0, err
			}
			if before {
				l.left, l.until = p.state(), p.serial
			} else {
				p.add(k+1, p.needed(l.cube))
			}
		}
		if len(p.frames[k]) == 0 {
			return k, nil
		}
	}
	return 0, nil
}

// stays tells whether the state from which a step led into the cube of a lemma is still in the frame.
func (p *reacher) stays(k int, l *lemma) bool {
	if l.left == nil {
		return false
	}
	for _, lemmas := range p.frames[k:] {
		for _, other := range lemmas {
			if other.serial > l.until && other.has(l.left) {
				return false
			}
		}
	}
	l.until = p.serial
	return true
}

// invariant are the clauses of the frames behind one.
func (p *reacher) invariant(k int) (clauses [][]StateBit) {
	for _, frame := range p.frames[k+1:] {
		for _, c := range frame {
			var clause []StateBit
			for _, l := range c.cube {
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
	for i, clause := range invariant {
		if !slices.ContainsFunc(clause, func(b StateBit) bool { return !b.Value }) {
			return fmt.Errorf("clause %d of the invariant is false in the first state", i+1)
		}
		s.AssertAny(t.Clause(clause)...)
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
		lits := t.NextClause(clause)
		for j := range lits {
			lits[j] = lits[j].Not()
		}
		if err := none(fmt.Sprintf("a step does not keep clause %d of the invariant", i+1), lits...); err != nil {
			return err
		}
	}
	return nil
}
