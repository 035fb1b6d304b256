package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Contrast is two worlds that are compared. It may be used by one goroutine at a time.
type Contrast struct {
	good, bad *Explainer
	changes   map[*provenance.Fact]*change
}

// NewContrast compares two worlds, of one graph or of two.
func NewContrast(good, bad *Explainer) *Contrast {
	return &Contrast{good, bad, map[*provenance.Fact]*change{}}
}

// change is a fact that holds in one world and not in the other, from the round on in
// which it does.
type change struct {
	fact        *provenance.Fact
	until       int
	turns       []string           // relations that have its value in between, in turns
	here, there *Explainer         // where it holds, and where it does not
	firing      *provenance.Firing // nil if none gives it
	needs       []*change
	faults      []result.Cause
	obstacles   bool // the facts that prevent the other program's rules from giving it were searched
	shared      []*provenance.Fact
	number      int
}

// missing tells whether the good world has the fact.
func (c *Contrast) missing(ch *change) bool { return ch.here == c.good }

// Holds tells which of the worlds have a fact.
func (c *Contrast) Holds(f recording.Fact) (good, bad bool) {
	return holdsIn(c.good, f), holdsIn(c.bad, f)
}

func holdsIn(x *Explainer, f recording.Fact) bool {
	return x.Holds(x.Graph.Find(f.Relation, f.Args, f.Round))
}

// Of explains a fact that holds in one of the worlds only. It returns all changes that
// cause it, causes before effects, and the fact itself last; and the numbers of the changes
// that lead to it from the earliest one. Both are empty if the fact does not differ.
func (c *Contrast) Of(f recording.Fact) (changes []result.Change, chain []int) {
	good, bad := c.Holds(f)
	if good == bad {
		return nil, nil
	}
	here, there := c.good, c.bad
	if bad {
		here, there = c.bad, c.good
	}
	root := c.explained(here.Graph.Find(f.Relation, f.Args, f.Round), here, there)
	c.obstruct(root)
	all := inOrder(root)
	for i, ch := range all {
		ch.number = i + 1
	}
	for _, ch := range all {
		changes = append(changes, c.result(ch))
	}
	for _, ch := range path(root, firstChange(all)) {
		chain = append(chain, ch.number)
	}
	return changes, chain
}

// explained returns the change of a fact, after all its causes were examined.
func (c *Contrast) explained(f *provenance.Fact, here, there *Explainer) *change {
	var open []*change
	mention := func(f *provenance.Fact, here, there *Explainer) *change {
		origin, turns := originOf(f, here, there)
		ch := c.changes[origin]
		if ch == nil {
			ch = &change{fact: origin, here: here, there: there}
			c.changes[origin] = ch
			open = append(open, ch)
		}
		ch.until = max(ch.until, f.Round())
		ch.turns = append(ch.turns, turns...)
		return ch
	}
	root := mention(f, here, there)
	for len(open) > 0 {
		ch := open[0]
		open = open[1:]
		ch.explain(mention)
	}
	return root
}

// obstruct adds changes to the causes of root that prevent the other program's rules from
// giving the same fact, unless they come from the change itself.
func (c *Contrast) obstruct(root *change) {
	for _, ch := range inOrder(root) {
		if !ch.versions() || ch.obstacles {
			continue
		}
		ch.obstacles = true
		for _, need := range ch.obstructed(c.explained) {
			ch.add(need)
			c.obstruct(need)
		}
	}
}

// in returns a fact of one world as a fact of the other one, nil if the other one has none.
func in(x *Explainer, f *provenance.Fact) *provenance.Fact {
	if f.In(x.Graph) {
		return f
	}
	return x.Graph.Find(f.Relation(), f.Args(), f.Round())
}

// inOrder returns all causes of a change, causes first, and the change last.
func inOrder(root *change) []*change {
	var all []*change
	seen := map[*change]bool{}
	var visit func(ch *change)
	visit = func(ch *change) {
		if seen[ch] {
			return
		}
		seen[ch] = true
		for _, need := range ch.needs {
			visit(need)
		}
		all = append(all, ch)
	}
	visit(root)
	return all
}

// firstChange returns the earliest of the changes that faults cause.
func firstChange(all []*change) *change {
	earliest := all[len(all)-1]
	for _, ch := range all {
		if len(ch.faults) > 0 && (len(earliest.faults) == 0 || ch.fact.Round() < earliest.fact.Round()) {
			earliest = ch
		}
	}
	return earliest
}

// path returns the shortest way by which one change led to another.
func path(to, from *change) []*change {
	by := map[*change]*change{to: nil}
	queue := []*change{to}
	for i := 0; i < len(queue); i++ {
		for _, need := range queue[i].needs {
			if _, known := by[need]; !known {
				by[need] = queue[i]
				queue = append(queue, need)
			}
		}
	}
	var all []*change
	for ch := from; ch != nil; ch = by[ch] {
		all = append(all, ch)
	}
	return all
}

// result writes a change down.
func (c *Contrast) result(ch *change) result.Change {
	r := result.Change{Number: ch.number, Fact: ch.fact.Ground(), Until: ch.until, Missing: c.missing(ch), Turns: slices.Compact(slices.Sorted(slices.Values(ch.turns)))}
	if ch.firing != nil && ch.firing.Rule() != nil {
		r.Rule, r.Position = ch.firing.Rule().String(), ch.firing.Rule().Position
	} else if stated := ch.here.stated(ch.fact); stated != nil {
		r.Position = stated.Position
	}
	for _, need := range ch.needs {
		r.Causes = append(r.Causes, result.Cause{Change: need.number})
	}
	r.Causes = append(r.Causes, ch.faults...)
	for _, f := range ch.shared {
		r.Shared = append(r.Shared, f.Ground())
	}
	return r
}
