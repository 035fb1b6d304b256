package solver

import (
	"context"
	"errors"
	"slices"
)

// Needed tells which parts of an invariant are needed: they are an invariant without the others. A part is some
// clauses. Of two parts of which one would do, the first is kept. About the given number of calls of the SAT
// solver at most are spent on leaving out more than what no proof of a part uses.
func (t *Transitions) Needed(ctx context.Context, parts [][][]StateBit, calls int) ([]bool, error) {
	n := newNeeds(ctx, t, parts)
	if err := n.close(); err != nil {
		return nil, err
	}
	for fewer := true; fewer; {
		fewer = false
		for i := len(parts) - 1; i >= 0 && n.solver.Calls() < calls; i-- {
			without, err := n.without(i)
			if err != nil {
				return nil, err
			}
			fewer = fewer || without
		}
	}
	return n.kept, nil
}

// needs are the parts by which each part is kept by a step. The last one is not a part, but says
// that no step is bad.
type needs struct {
	ctx    context.Context
	solver *Solver
	holds  []Lit       // by part
	index  map[Lit]int // of these
	broken []Lit       // after the step
	kept   []bool
	by     [][]int
}

func newNeeds(ctx context.Context, t *Transitions, parts [][][]StateBit) *needs {
	n := &needs{ctx: ctx, solver: NewSolver(t.Circuit), index: map[Lit]int{}, kept: make([]bool, len(parts)), by: make([][]int, len(parts)+1)}
	n.solver.Assert(t.Valid)
	for i, part := range parts {
		holds := t.Circuit.Input()
		var broken []Lit
		for _, clause := range part {
			n.solver.AssertAny(append(lits(t.State, clause), holds.Not())...)
			broken = append(broken, t.Circuit.Ors(lits(t.Next, clause)...).Not())
		}
		n.index[holds] = i
		n.holds, n.broken = append(n.holds, holds), append(n.broken, t.Circuit.Ors(broken...))
	}
	n.broken = append(n.broken, t.Bad)
	return n
}

// Clause are the literals of a clause of the state.
func (t *Transitions) Clause(clause []StateBit) []Lit { return lits(t.State, clause) }

// NextClause are the literals of a clause of the next state.
func (t *Transitions) NextClause(clause []StateBit) []Lit { return lits(t.Next, clause) }

// lits are the literals of a clause.
func lits(bits []Lit, clause []StateBit) (lits []Lit) {
	for _, b := range clause {
		l := bits[b.Bit]
		if !b.Value {
			l = l.Not()
		}
		lits = append(lits, l)
	}
	return lits
}

// ask tells whether a part is kept by some parts, and by which of them.
func (n *needs) ask(part int, some []bool) (is bool, by []int, err error) {
	assumptions := []Lit{n.broken[part]}
	for i, holds := range n.holds {
		if some[i] {
			assumptions = append(assumptions, holds)
		}
	}
	status, err := n.solver.Solve(n.ctx, assumptions...)
	if err != nil {
		return false, nil, err
	}
	for _, l := range n.solver.Core() {
		if i, ok := n.index[l]; ok {
			by = append(by, i)
		}
	}
	return status == Unsat, by, nil
}

// close keeps the parts by which no step is bad, and those by which these are kept.
func (n *needs) close() error {
	all := slices.Repeat([]bool{true}, len(n.kept))
	for queue := []int{len(n.kept)}; len(queue) > 0; queue = queue[1:] {
		is, by, err := n.ask(queue[0], all)
		switch {
		case err != nil:
			return err
		case !is:
			return errors.New("solver: what is to be made smaller is no invariant")
		}
		n.by[queue[0]] = by
		for _, i := range by {
			if !n.kept[i] {
				n.kept[i] = true
				queue = append(queue, i)
			}
		}
	}
	return nil
}

// without leaves out a part if all others are kept without it.
func (n *needs) without(i int) (bool, error) {
	if !n.kept[i] {
		return false, nil
	}
	others, changed := slices.Clone(n.kept), map[int][]int{}
	others[i] = false
	for part, by := range n.by {
		if part < len(others) && !others[part] || !slices.Contains(by, i) {
			continue
		}
		is, by, err := n.ask(part, others)
		if err != nil || !is {
			return false, err
		}
		changed[part] = by
	}
	n.kept = others
	for part, by := range changed {
		n.by[part] = by
	}
	return true, nil
}
