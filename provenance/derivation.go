package provenance

import (
	"cmp"
	"container/heap"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// derivations chooses for each fact of a world the cheapest derivation, which
// is also a well-founded one: no fact is explained by itself, not even by way of
// others in a recursion within a round. It is Knuth's generalisation of
// Dijkstra's algorithm, run over the facts that a wanted fact depends on, whose
// results are kept for the next one.
//
// A goal of the search is a fact, or one value that an aggregate summarises; an
// option is one way to reach a goal.
type derivations struct {
	goals map[any]*goal // by *Fact or contribution
}

type goal struct {
	number  int // in the order of discovery
	options []*option
	users   []*option // that wait for this goal
	cost    int64
	chosen  *option // nil until settled
}

type option struct {
	goal    *goal
	number  int     // among the goal's options
	firing  *Firing // or row; nil when the program states the fact
	needs   []*goal
	waiting int
	cost    int64
}

func newDerivations() derivations { return derivations{goals: map[any]*goal{}} }

// find returns the goal of a fact or a contribution, and whether it was there.
func (d *derivations) find(key any) (*goal, bool) {
	if g := d.goals[key]; g != nil {
		return g, true
	}
	g := &goal{number: len(d.goals)}
	d.goals[key] = g
	return g, false
}

// derivation returns the firing by which a fact that holds is explained; nil
// when the program states the fact, or it is built in.
func (w *World) derivation(f *Fact) *Firing {
	if o := w.settle(f).chosen; o != nil {
		return o.firing
	}
	return nil
}

// settle explores all that a fact depends on and settles the cost of it.
func (w *World) settle(f *Fact) *goal {
	d := &w.derivations
	if g := d.goals[f]; g != nil {
		return g
	}
	queue := &frontier{}
	root := w.explore(f, queue)
	for queue.Len() > 0 {
		o := heap.Pop(queue).(*option)
		if o.goal.chosen != nil {
			continue
		}
		o.goal.chosen, o.goal.cost = o, o.cost
		for _, user := range o.goal.users {
			user.add(o.goal.cost)
			if user.waiting == 0 {
				heap.Push(queue, user)
			}
		}
		o.goal.users = nil
	}
	return root
}

// explore makes goals of a fact and of everything below it, without recursion
// because a chain of facts may be long.
func (w *World) explore(root *Fact, queue *frontier) *goal {
	stack := []*Fact{root}
	fact := func(f *Fact) *goal {
		g, known := w.derivations.find(f)
		if !known {
			stack = append(stack, f)
		}
		return g
	}
	facts := func(all []*Fact) []*goal {
		goals := make([]*goal, len(all))
		for i, f := range all {
			goals[i] = fact(f)
		}
		return goals
	}
	w.derivations.find(root)
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g := w.derivations.goals[f]
		if f.Given() || len(f.Firings()) == 0 {
			g.option(nil, unit, nil, queue)
		}
		for _, firing := range f.Firings() {
			switch {
			case !w.Fires(firing):
			case len(firing.Rows()) == 0:
				g.option(firing, price(f, firing), facts(firing.Positive()), queue)
			default:
				w.exploreRows(f, firing, g, facts, queue)
			}
		}
	}
	return w.derivations.goals[root]
}

// exploreRows makes goals of the values that an aggregating firing summarises:
// each is reached by any row that contributes it.
func (w *World) exploreRows(f *Fact, firing *Firing, g *goal, facts func([]*Fact) []*goal, queue *frontier) {
	var needs []*goal
	for _, c := range w.contributions(f, firing) {
		value, known := w.derivations.find(c)
		needs = append(needs, value)
		if known {
			continue
		}
		name := firing.Rule().Head.Args[c.column].(*syntax.Aggregate).Variable.Name
		for _, row := range firing.Rows() {
			if w.Fires(row) && row.value(name) == c.value {
				value.option(row, unit, facts(row.Positive()), queue)
			}
		}
	}
	g.option(firing, unit, needs, queue)
}

// row returns the row by which a contribution to an aggregate is explained.
func (w *World) row(c contribution) *Firing {
	if g := w.derivations.goals[c]; g != nil && g.chosen != nil {
		return g.chosen.firing
	}
	return nil
}

// option adds a way to reach the goal.
func (g *goal) option(firing *Firing, price int64, needs []*goal, queue *frontier) {
	o := &option{goal: g, number: len(g.options), firing: firing, needs: needs, cost: price, waiting: len(needs)}
	g.options = append(g.options, o)
	for _, need := range needs {
		if need.chosen != nil {
			o.add(need.cost)
		} else {
			need.users = append(need.users, o)
		}
	}
	if o.waiting == 0 {
		heap.Push(queue, o)
	}
}

// add counts in that one of the needs of the option costs so much.
func (o *option) add(cost int64) {
	o.waiting--
	o.cost = min(o.cost+cost, dearest)
}

// price is the cost of a firing by itself. A fact that merely persists costs
// nothing more, so that the round in which it came about is the one explained;
// and of two messages the earlier one is cheaper.
func price(f *Fact, firing *Firing) int64 {
	switch {
	case carries(f, firing):
		return 0
	case travels(firing):
		return 2*unit + int64(firing.Round())
	default:
		return unit
	}
}

const (
	unit    = 1 << 20 // more than there are rounds
	dearest = 1 << 60 // a cost above which all are the same
)

// travels tells whether a firing sends a message from one process to another.
func travels(firing *Firing) bool {
	d := firing.Delivery()
	return d != nil && d.From != "" && d.From != d.To
}

// carries tells whether a firing does nothing but carry the fact over from the
// round before.
func carries(f *Fact, firing *Firing) bool {
	positive := firing.Positive()
	if len(positive) != 1 || firing.Rows() != nil || travels(firing) {
		return false
	}
	before := positive[0]
	return before.Round() == f.Round()-1 && before.Relation() == f.Relation() && compareFacts(before, f) == 0
}

// frontier is a heap of options, the cheapest first.
type frontier []*option

func (q frontier) Len() int      { return len(q) }
func (q frontier) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *frontier) Push(o any)   { *q = append(*q, o.(*option)) }
func (q *frontier) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q frontier) Less(i, j int) bool {
	return cmp.Or(
		cmp.Compare(q[i].cost, q[j].cost),
		cmp.Compare(q[i].goal.number, q[j].goal.number),
		cmp.Compare(q[i].number, q[j].number),
	) < 0
}
