package solver

import (
	"context"
	"slices"
)

// Candidates are groups of clauses about the states of a transition system.
type Candidates struct {
	*Transitions
	Groups [][][]StateBit // by group its clauses
}

// Common returns which groups of clauses are an invariant of each of several systems, all of which have
// the same groups, and whether they exclude a bad step in each: the largest such set or,
// where it excludes bad steps, a smaller one that does so with at most the given number of calls of
// the SAT solver. None are an invariant if there was no end within so many calls.
func Common(ctx context.Context, all []Candidates, calls int) (kept []bool, enough bool, err error) {
	c := &common{ctx: ctx, calls: calls}
	for _, one := range all {
		c.systems = append(c.systems, newKeeping(one))
	}
	kept = make([]bool, len(all[0].Groups))
	for g := range kept {
		kept[g] = !slices.ContainsFunc(all, func(one Candidates) bool { return slices.ContainsFunc(one.Groups[g], positive) })
	}
	ended, err := c.largest(kept)
	if err != nil || !ended {
		return make([]bool, len(kept)), false, err
	}
	if enough, err = c.enough(kept); err != nil || !enough {
		return kept, false, err
	}
	return kept, true, c.smaller(kept, all)
}

// positive tells whether a clause is false in the first state, where all bits are.
func positive(clause []StateBit) bool {
	return !slices.ContainsFunc(clause, func(b StateBit) bool { return !b.Value })
}

// common is one call of Common.
type common struct {
	ctx     context.Context
	calls   int
	systems []*keeping
}

// spent tells whether there were as many calls as there may be.
func (c *common) spent() bool {
	n := 0
	for _, s := range c.systems {
		n += s.Calls()
	}
	return n >= c.calls
}

// largest leaves groups out until the others are kept by each step of each system.
func (c *common) largest(kept []bool) (ended bool, err error) {
	for again := true; again; {
		again = false
		for _, s := range c.systems {
			for !c.spent() {
				lost, err := s.lost(c.ctx, kept)
				if err != nil {
					return false, err
				}
				if len(lost) == 0 {
					break
				}
				for _, g := range lost {
					kept[g] = false
				}
				again = true
			}
		}
	}
	return !c.spent(), nil
}

// enough tells whether groups exclude a bad step in each system.
func (c *common) enough(kept []bool) (bool, error) {
	for _, s := range c.systems {
		status, err := s.Solve(c.ctx, append(s.assumed(kept), s.of.Bad)...)
		if err != nil || status != Unsat {
			return false, err
		}
	}
	return true, nil
}

// smaller leaves out groups that the others do not need, those with the longest clauses first.
func (c *common) smaller(kept []bool, all []Candidates) error {
	length := make([]int, len(kept))
	order := make([]int, len(kept))
	for g := range kept {
		order[g] = g
		for _, one := range all {
			for _, clause := range one.Groups[g] {
				length[g] = max(length[g], len(clause))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return length[b] - length[a] })
	for _, g := range order {
		if !kept[g] {
			continue
		}
		if c.spent() {
			break
		}
		kept[g] = false
		ok, err := c.invariant(kept)
		if err != nil {
			return err
		}
		kept[g] = !ok
	}
	return nil
}

// invariant tells whether groups are an invariant of each system that excludes a bad step.
func (c *common) invariant(kept []bool) (bool, error) {
	for _, s := range c.systems {
		lost, err := s.lost(c.ctx, kept)
		if err != nil || len(lost) > 0 {
			return false, err
		}
	}
	return c.enough(kept)
}

// keeping asks which groups of clauses the steps of a system keep.
type keeping struct {
	*Solver
	of     Candidates
	holds  []Lit // by group: its clauses hold
	broken []Lit // by group: one of them does not hold after the step
}

func newKeeping(of Candidates) *keeping {
	k := &keeping{Solver: NewSolver(of.Circuit), of: of}
	k.Assert(of.Valid)
	for _, clauses := range of.Groups {
		holds := of.Circuit.Input()
		var broken []Lit
		for _, clause := range clauses {
			k.AssertAny(append(lits(of.State, clause), holds.Not())...)
			broken = append(broken, of.Circuit.Ors(lits(of.Next, clause)...).Not())
		}
		k.holds, k.broken = append(k.holds, holds), append(k.broken, of.Circuit.Ors(broken...))
	}
	return k
}

// assumed are the assumptions that groups hold.
func (k *keeping) assumed(kept []bool) (lits []Lit) {
	for g, l := range k.holds {
		if kept[g] {
			lits = append(lits, l)
		}
	}
	return lits
}

// lost returns some groups that do not hold after a step from where all do; none if each step keeps
// them.
func (k *keeping) lost(ctx context.Context, kept []bool) (groups []int, err error) {
	once := k.of.Circuit.Input()
	wrong := []Lit{once.Not()}
	for g, l := range k.broken {
		if kept[g] {
			wrong = append(wrong, l)
		}
	}
	k.AssertAny(wrong...)
	status, err := k.Solve(ctx, append(k.assumed(kept), once)...)
	if err == nil && status == Sat {
		for g, l := range k.broken {
			if kept[g] && k.Value(l) {
				groups = append(groups, g)
			}
		}
	}
	k.Assert(once.Not())
	return groups, err
}
