package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Tighten makes an invariant smaller. It adds renamed clauses that hold as well, which are one to a reader, leaves out
// literals, and keeps the clauses that exclude the bad steps, and those that these are kept by. It makes at
// most the given number of calls of the SAT solver. With an error, which is that of the context, there is an invariant too.
func (t *Transitions) Tighten(ctx context.Context, invariant [][]StateBit, calls int) ([][]StateBit, error) {
	x := &tightener{question: newQuestion(t), ctx: ctx, most: calls, index: map[string]int{}, switches: map[literal]int{}}
	for _, clause := range invariant {
		var c cube
		for _, b := range clause {
			c = append(c, literalOf(b.Bit, !b.Value))
		}
		slices.Sort(c)
		x.clause(c)
	}
	x.kept = slices.Repeat([]bool{true}, len(x.clauses))
	err := x.tighten()
	if limit := (*ReachLimitError)(nil); errors.As(err, &limit) {
		err = nil
	}
	var smaller [][]StateBit
	for i, c := range x.clauses {
		if !x.kept[i] {
			continue
		}
		var clause []StateBit
		for _, l := range c.cube {
			clause = append(clause, StateBit{int(l / 2), l&1 == 1})
		}
		smaller = append(smaller, clause)
	}
	return smaller, err
}

// tightener looks for a small part of an invariant. What is kept is one at any time.
type tightener struct {
	*question
	ctx         context.Context
	most, calls int
	clauses     []*clause
	index       map[string]int // by cube
	switches    map[literal]int
	kept        []bool
	orbits      [][]int // clauses, renamed ones together
	whole       []bool  // by orbit: it has all renamed ones
	badRelies   []int   // clauses that exclude the bad steps
}

// clause is one of an invariant: the negation of a cube.
type clause struct {
	cube
	on     literal // switches it on
	orbit  int
	relies []int // clauses with which a step keeps it
}

// clause returns the index of a clause, which it makes if there is none.
func (x *tightener) clause(c cube) int {
	key := fmt.Sprint(c)
	if i, ok := x.index[key]; ok {
		return i
	}
	on := 2 * x.sat.variable()
	lits := make([]literal, 0, len(c)+1)
	for _, l := range c {
		lits = append(lits, x.lit(l)^1)
	}
	x.sat.add(given, append(lits, on^1)...)
	x.index[key], x.switches[on] = len(x.clauses), len(x.clauses)
	x.clauses = append(x.clauses, &clause{cube: c, on: on, orbit: -1})
	x.kept = append(x.kept, false)
	return len(x.clauses) - 1
}

// excluded tells whether some clauses exclude steps into a cube, or the bad ones if it is nil, and which
// of them are enough.
func (x *tightener) excluded(c cube, by ...[]int) (relies []int, ok bool, err error) {
	if x.calls >= x.most {
		return nil, false, &ReachLimitError{x.most}
	}
	if x.calls++; x.ctx.Err() != nil {
		return nil, false, stopped(x.ctx)
	}
	if x.sat.due() {
		x.sat.renew()
	}
	to := []literal{x.of(x.Bad)}
	if c != nil {
		to = to[:0]
		for _, l := range c {
			to = append(to, x.next(l))
		}
	}
	x.begin(to)
	assumptions := to
	for _, some := range by {
		for _, i := range some {
			on := x.clauses[i].on
			x.sat.look(on >> 1)
			assumptions = append(assumptions, on)
		}
	}
	sat, err := x.sat.solve(x.ctx, nil, assumptions)
	if sat || err != nil {
		return nil, false, err
	}
	for _, l := range x.sat.core {
		if i, ok := x.switches[l]; ok {
			relies = append(relies, i)
		}
	}
	slices.Sort(relies)
	return relies, true, nil
}

// all are the clauses that are kept, whole orbits and short ones first.
func (x *tightener) all() (all []int) {
	for i, kept := range x.kept {
		if kept {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(i, j int) int {
		a, b := x.clauses[i], x.clauses[j]
		switch {
		case a.orbit < 0 || b.orbit < 0 || x.whole[a.orbit] == x.whole[b.orbit]:
			return cmp.Compare(len(a.cube), len(b.cube))
		case x.whole[a.orbit]:
			return -1
		}
		return 1
	})
	return all
}

func (x *tightener) tighten() error {
	if err := x.complete(); err != nil {
		return err
	}
	if err := x.need(); err != nil {
		return err
	}
	if err := x.shorten(); err != nil {
		return err
	}
	if err := x.need(); err != nil {
		return err
	}
	return x.leaveOut()
}

// complete adds the renamed clauses that hold as well.
func (x *tightener) complete() error {
	var added []int
	invariant := x.all()
	for _, i := range invariant {
		if x.clauses[i].orbit >= 0 {
			continue
		}
		for _, j := range x.orbit(i) {
			if j >= len(invariant) {
				added = append(added, j)
				x.kept[j] = true
			}
		}
	}
	defer func() {
		for _, j := range added {
			x.kept[j] = false
		}
		x.arrange()
	}()
	for changed := true; changed; {
		changed = false
		for _, j := range added {
			_, ok, err := x.excluded(x.clauses[j].cube, x.all())
			if err != nil {
				return err
			}
			if !ok {
				x.kept[j], changed = false, true
			}
		}
		added = slices.DeleteFunc(added, func(j int) bool { return !x.kept[j] })
	}
	added = nil
	return nil
}

// orbit gives a clause and the renamed ones an orbit, and returns them.
func (x *tightener) orbit(i int) (orbit []int) {
	take := func(j int) {
		if x.clauses[j].orbit < 0 {
			x.clauses[j].orbit = len(x.orbits)
			orbit = append(orbit, j)
		}
	}
	take(i)
	for _, renaming := range x.Renamings {
		if image, ok := x.clauses[i].renamed(renaming); ok && x.asked(image) {
			take(x.clause(image))
		}
	}
	x.orbits = append(x.orbits, orbit)
	x.whole = append(x.whole, false)
	return orbit
}

// arrange says which orbits are whole.
func (x *tightener) arrange() {
	for o, orbit := range x.orbits {
		x.whole[o] = !slices.ContainsFunc(orbit, func(i int) bool { return !x.kept[i] })
	}
}

// need keeps what excludes the bad steps, what keeps that, and so on.
func (x *tightener) need() error {
	all := x.all()
	var needed []int
	is := make([]bool, len(x.clauses))
	rely := func(c cube) (relies []int, err error) {
		relies, ok, err := x.excluded(c, needed)
		if ok || err != nil {
			return relies, err
		}
		relies, ok, err = x.excluded(c, needed, slices.DeleteFunc(slices.Clone(all), func(i int) bool { return is[i] }))
		if err == nil && !ok {
			err = errors.New("solver: what is kept of an invariant is none")
		}
		for _, i := range relies {
			if is[i] {
				continue
			}
			for _, j := range x.orbits[x.clauses[i].orbit] {
				if x.kept[j] {
					is[j] = true
					needed = append(needed, j)
				}
			}
		}
		return relies, err
	}
	var err error
	if x.badRelies, err = rely(nil); err != nil {
		return err
	}
	for i := 0; i < len(needed); i++ {
		c := x.clauses[needed[i]]
		if c.relies, err = rely(c.cube); err != nil {
			return err
		}
	}
	copy(x.kept, is)
	return nil
}

// shorten leaves out literals, of renamed clauses the renamed ones.
func (x *tightener) shorten() error {
	for o := 0; o < len(x.orbits); o++ {
		i := slices.IndexFunc(x.orbits[o], func(i int) bool { return x.kept[i] })
		if i < 0 {
			continue
		}
		c := x.clauses[x.orbits[o][i]].cube
		for at := 0; at < len(c) && len(c) > 1; at++ {
			ok, err := x.shorter(o, c, c.without(at))
			if err != nil {
				return err
			}
			if ok {
				break // the shorter ones are an orbit of their own, which comes later
			}
		}
	}
	x.arrange()
	return nil
}

// shorter puts a part of a cube in the place of the cube, and the renamed ones in that of the renamed ones,
// if they hold.
func (x *tightener) shorter(o int, c, part cube) (bool, error) {
	if part.initial() {
		return false, nil
	}
	fresh := []int{x.clause(part)}
	for _, renaming := range x.Renamings {
		image, ok := c.renamed(renaming)
		if !ok || !x.asked(image) {
			continue
		}
		if i, known := x.index[fmt.Sprint(image)]; !known || !x.kept[i] {
			continue
		}
		image, ok = part.renamed(renaming)
		if !ok || !x.asked(image) {
			continue
		}
		if i := x.clause(image); !slices.Contains(fresh, i) {
			fresh = append(fresh, i)
		}
	}
	all := x.all()
	for _, i := range fresh {
		if x.kept[i] {
			continue
		}
		if _, ok, err := x.excluded(x.clauses[i].cube, fresh, all); !ok || err != nil {
			return false, err
		}
	}
	for _, i := range x.orbits[o] {
		x.kept[i] = false
	}
	for _, i := range fresh {
		x.kept[i] = true
		if x.clauses[i].orbit < 0 {
			x.orbit(i)
		}
	}
	return true, nil
}

// leaveOut leaves out orbits, and those that are not kept without them, as long as the others exclude the bad
// steps: those with the longest clauses first.
func (x *tightener) leaveOut() error {
	var order []int
	for o, orbit := range x.orbits {
		if slices.ContainsFunc(orbit, func(i int) bool { return x.kept[i] }) {
			order = append(order, o)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		length := func(o int) int { return len(x.clauses[x.orbits[o][0]].cube) }
		return cmp.Or(cmp.Compare(length(b), length(a)), cmp.Compare(len(x.orbits[b]), len(x.orbits[a])))
	})
	for _, o := range order {
		var some []int
		for _, i := range x.orbits[o] {
			if x.kept[i] {
				some = append(some, i)
			}
		}
		if len(some) == 0 {
			continue
		}
		if _, err := x.without(some); err != nil {
			return err
		}
	}
	for _, o := range order {
		if x.whole[o] {
			continue
		}
		for _, i := range x.orbits[o] {
			if x.kept[i] {
				if _, err := x.without([]int{i}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// without leaves out some clauses, and those that are not kept without them, with all renamed ones, if the
// others exclude the bad steps.
func (x *tightener) without(some []int) (bool, error) {
	kept, bad := slices.Clone(x.kept), x.badRelies
	relies := map[int][]int{}
	for _, i := range some {
		kept[i] = false
	}
	var all []int
	list := func() {
		all = slices.DeleteFunc(x.all(), func(i int) bool { return !kept[i] })
	}
	list()
	lacks := func(of []int) bool { return slices.ContainsFunc(of, func(i int) bool { return !kept[i] }) }
	for changed := true; changed; {
		changed = false
		if lacks(bad) {
			r, ok, err := x.excluded(nil, all)
			if !ok || err != nil {
				return false, err
			}
			bad = r
		}
		for _, i := range all {
			r, known := relies[i]
			if !known {
				r = x.clauses[i].relies
			}
			if !lacks(r) {
				continue
			}
			r, ok, err := x.excluded(x.clauses[i].cube, all)
			if err != nil {
				return false, err
			}
			if ok {
				relies[i] = r
				continue
			}
			for _, j := range x.orbits[x.clauses[i].orbit] {
				kept[j] = false
			}
			list()
			changed = true
			break
		}
	}
	x.badRelies = bad
	copy(x.kept, kept)
	for i, r := range relies {
		x.clauses[i].relies = r
	}
	return true, nil
}
