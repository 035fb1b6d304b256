package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Check reports why a proof does not show that a formula cannot be satisfied; nil: it does.
func CheckProof(formula, proof []byte) error {
	clauses, err := readFormula(formula)
	if err != nil {
		return fmt.Errorf("the formula: %w", err)
	}
	steps, err := readProof(proof)
	if err != nil {
		return fmt.Errorf("the proof: %w", err)
	}
	c := newChecker(clauses, steps)
	for _, lits := range clauses {
		c.add(lits)
	}
	for i, s := range steps {
		switch {
		case c.refuted:
			return nil
		case s.deletes:
			c.delete(s.lits)
		case !c.follows(s.lits):
			return fmt.Errorf("the proof: step %d, the clause %v, does not follow", i+1, s.lits)
		default:
			c.add(s.lits)
		}
	}
	if !c.refuted {
		return errors.New("the proof: it ends without a contradiction")
	}
	return nil
}

// newChecker has room for all variables.
func newChecker(clauses [][]int, steps []step) *proofChecker {
	most := 0
	for _, s := range steps {
		clauses = append(clauses, s.lits)
	}
	for _, lits := range clauses {
		for _, l := range lits {
			most = max(most, l, -l)
		}
	}
	size := 2*most + 2
	return &proofChecker{watching: make([][]*clause, size), having: make([][]*clause, size), value: make([]bool, size), named: map[string][]*clause{}}
}

// at is the place of a literal.
func at(l int) int {
	if l < 0 {
		return -2*l + 1
	}
	return 2 * l
}

// clause is a disjunction of literals, without doubles. The first two are watched: while one
// of them is false, no other is true, or the clause is the reason of the true one.
type clause struct {
	lits    []int
	deleted bool
}

// checker has the clauses that are known to follow, and what is true because of them alone.
type proofChecker struct {
	watching [][]*clause          // by literal: clauses that watch it
	having   [][]*clause          // by literal: clauses that have it
	value    []bool               // by literal: it is true
	named    map[string][]*clause // by name
	trail    []int                // literals that are true, in the order in which they became it
	done     int                  // so many of the trail have been propagated
	refuted  bool
}

// name is the same for the same clause, whatever the order of its literals.
func name(lits []int) string {
	var text []byte
	for _, l := range slices.Compact(slices.Sorted(slices.Values(lits))) {
		text = strconv.AppendInt(append(text, ' '), int64(l), 10)
	}
	return string(text)
}

// add adds a clause and what follows from it.
func (c *proofChecker) add(lits []int) {
	k := &clause{lits: distinct(lits)}
	slices.SortStableFunc(k.lits, func(a, b int) int { return c.rank(a) - c.rank(b) })
	c.named[name(lits)] = append(c.named[name(lits)], k)
	for i, l := range k.lits {
		c.having[at(l)] = append(c.having[at(l)], k)
		if i < 2 {
			c.watching[at(l)] = append(c.watching[at(l)], k)
		}
	}
	switch {
	case len(k.lits) == 0 || c.value[at(-k.lits[0])]:
		c.refuted = true
	case (len(k.lits) == 1 || c.value[at(-k.lits[1])]) && !c.value[at(k.lits[0])]:
		c.assign(k.lits[0])
		c.refuted = c.refuted || c.conflict()
	}
}

// rank sorts literals that are not false before those that are.
func (c *proofChecker) rank(l int) int {
	if c.value[at(-l)] {
		return 1
	}
	return 0
}

// distinct returns literals in their order, each once.
func distinct(lits []int) (once []int) {
	for _, l := range lits {
		if !slices.Contains(once, l) {
			once = append(once, l)
		}
	}
	return once
}

func (c *proofChecker) assign(l int) {
	c.value[at(l)] = true
	c.trail = append(c.trail, l)
}

// conflict makes everything true that follows by clauses of which all other literals are
// false, and tells whether all are false of some clause.
func (c *proofChecker) conflict() bool {
	for ; c.done < len(c.trail); c.done++ {
		if c.falsified(-c.trail[c.done]) {
			return true
		}
	}
	return false
}

// falsified looks at the clauses that watch a literal that has become false.
func (c *proofChecker) falsified(l int) bool {
	all := c.watching[at(l)]
	kept := all[:0]
	for i, k := range all {
		if k.deleted {
			continue
		}
		if len(k.lits) > 1 && k.lits[0] == l {
			k.lits[0], k.lits[1] = k.lits[1], l
		}
		if c.value[at(k.lits[0])] || !c.rewatch(k) {
			kept = append(kept, k)
		} else {
			continue
		}
		if c.value[at(k.lits[0])] {
			continue
		}
		if c.value[at(-k.lits[0])] {
			c.watching[at(l)] = append(kept, all[i+1:]...)
			return true
		}
		c.assign(k.lits[0])
	}
	c.watching[at(l)] = kept
	return false
}

// rewatch lets a clause watch another literal in place of its second, if one is not false.
func (c *proofChecker) rewatch(k *clause) bool {
	for i := 2; i < len(k.lits); i++ {
		if !c.value[at(-k.lits[i])] {
			k.lits[1], k.lits[i] = k.lits[i], k.lits[1]
			c.watching[at(k.lits[1])] = append(c.watching[at(k.lits[1])], k)
			return true
		}
	}
	return false
}

// follows tells whether a clause may be added: what denies it leads to a conflict, or so does
// what denies each of its resolvents upon its first literal.
func (c *proofChecker) follows(lits []int) bool {
	mark := len(c.trail)
	defer c.undo(mark)
	if c.denied(lits) {
		return true
	}
	if len(lits) == 0 {
		return false
	}
	for _, k := range slices.Clone(c.having[at(-lits[0])]) {
		if k.deleted {
			continue
		}
		before := len(c.trail)
		others := slices.DeleteFunc(slices.Clone(k.lits), func(l int) bool { return l == -lits[0] })
		denied := c.denied(others)
		c.undo(before)
		if !denied {
			return false
		}
	}
	return true
}

// denied makes the negations of literals true, and tells whether that leads to a conflict.
func (c *proofChecker) denied(lits []int) bool {
	for _, l := range lits {
		if c.value[at(l)] {
			return true
		}
		if !c.value[at(-l)] {
			c.assign(-l)
		}
	}
	return c.conflict()
}

// undo takes back all but so many of the literals that are true.
func (c *proofChecker) undo(mark int) {
	for _, l := range c.trail[mark:] {
		c.value[at(l)] = false
	}
	c.trail, c.done = c.trail[:mark], min(c.done, mark)
}

// delete takes away a clause, but for one that makes a literal true (as DRAT-trim does):
// fewer clauses would never prove more.
func (c *proofChecker) delete(lits []int) {
	same := c.named[name(lits)]
	if len(same) == 0 {
		return
	}
	k := same[len(same)-1]
	if slices.ContainsFunc(k.lits, func(l int) bool { return c.value[at(l)] }) {
		return
	}
	k.deleted, c.named[name(lits)] = true, same[:len(same)-1]
}
