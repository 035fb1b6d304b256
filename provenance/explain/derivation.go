package explain

import (
	"cmp"
	"container/heap"

	"github.com/lineage-driven/ldfi/provenance"
)

// derivations chooses for each fact of a world the cheapest derivation, which is also a
// well-founded one: no fact is explained by itself, not even by way of others in a
// recursion within a round. It is Knuth's generalisation of Dijkstra's algorithm, run over
// the facts that a wanted fact depends on. Its results are kept for the next fact.
//
// A goal of the search is a fact, or one value that an aggregate summarises; an option is
// one way to reach a goal.
type derivations struct {
	goals map[any]*goal // by *provenance.Fact or contribution
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
	number  int                // among the goal's options
	firing  *provenance.Firing // or row; nil when the program states the fact
	needs   []*goal
	waiting int
	cost    int64
}

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
func (x *Explainer) derivation(f *provenance.Fact) *provenance.Firing {
	if o := x.settle(f).chosen; o != nil {
		return o.firing
	}
	return nil
}

// settle explores all facts on which a fact depends and settles its cost.
func (x *Explainer) settle(f *provenance.Fact) *goal {
	d := &x.derivations
	if g := d.goals[f]; g != nil {
		return g
	}
	queue := &optionHeap{}
	root := x.explore(f, queue)
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
func (x *Explainer) explore(root *provenance.Fact, queue *optionHeap) *goal {
	stack := []*provenance.Fact{root}
	fact := func(f *provenance.Fact) *goal {
		g, known := x.derivations.find(f)
		if !known {
			stack = append(stack, f)
		}
		return g
	}
	facts := func(all []*provenance.Fact) []*goal {
		goals := make([]*goal, len(all))
		for i, f := range all {
			goals[i] = fact(f)
		}
		return goals
	}
	x.derivations.find(root)
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g := x.derivations.goals[f]
		if f.Given() || len(f.Firings()) == 0 {
			g.option(nil, stepCost, nil, queue)
		}
		for _, firing := range f.Firings() {
			switch {
			case !x.Fires(firing):
			case len(firing.Rows()) == 0:
				g.option(firing, price(f, firing), facts(firing.Positive()), queue)
			default:
				x.exploreRows(f, firing, g, facts, queue)
			}
		}
	}
	return x.derivations.goals[root]
}

// exploreRows makes goals of the values that an aggregating firing summarises:
// each is reached by any row that contributes it.
func (x *Explainer) exploreRows(f *provenance.Fact, firing *provenance.Firing, g *goal, facts func([]*provenance.Fact) []*goal, queue *optionHeap) {
	var needs []*goal
	for _, c := range x.contributions(f, firing) {
		value, known := x.derivations.find(c)
		needs = append(needs, value)
		if known {
			continue
		}
		for _, row := range firing.Rows() {
			if x.Fires(row) && contributes(firing, c.column, row) == c {
				value.option(row, stepCost, facts(row.Positive()), queue)
			}
		}
	}
	g.option(firing, stepCost, needs, queue)
}

// row returns the row by which a contribution to an aggregate is explained.
func (x *Explainer) row(c contribution) *provenance.Firing {
	if g := x.derivations.goals[c]; g != nil && g.chosen != nil {
		return g.chosen.firing
	}
	return nil
}

// option adds a way to reach the goal.
func (g *goal) option(firing *provenance.Firing, price int64, needs []*goal, queue *optionHeap) {
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

// add adds the cost of one of the needs of the option.
func (o *option) add(cost int64) {
	o.waiting--
	o.cost = min(o.cost+cost, maxCost)
}

// price is the cost of a firing by itself. A fact that merely persists adds no cost, so
// that the round in which it came about is the one explained; and of two messages the
// earlier one is cheaper.
func price(f *provenance.Fact, firing *provenance.Firing) int64 {
	switch {
	case carries(f, firing):
		return 0
	case travels(firing):
		return 2*stepCost + int64(firing.Delivery().Arrival)
	default:
		return stepCost
	}
}

const (
	stepCost = 1 << 20 // more than there are rounds
	maxCost  = 1 << 60 // a cost above which all are the same
)

// travels tells whether a firing sends a message from one process to another.
func travels(firing *provenance.Firing) bool {
	d := firing.Delivery()
	return d != nil && d.From != "" && d.From != d.To
}

// carries tells whether a firing does nothing but carry the fact over from the
// round before.
func carries(f *provenance.Fact, firing *provenance.Firing) bool {
	positive := firing.Positive()
	if len(positive) != 1 || firing.Rows() != nil || travels(firing) {
		return false
	}
	before := positive[0]
	return before.Round() == f.Round()-1 && before.Relation() == f.Relation() && before.SameArgs(f)
}

// optionHeap is a heap of options, the cheapest first.
type optionHeap []*option

func (q optionHeap) Len() int      { return len(q) }
func (q optionHeap) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *optionHeap) Push(o any)   { *q = append(*q, o.(*option)) }
func (q *optionHeap) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q optionHeap) Less(i, j int) bool {
	return cmp.Or(
		cmp.Compare(q[i].cost, q[j].cost),
		cmp.Compare(q[i].goal.number, q[j].goal.number),
		cmp.Compare(q[i].number, q[j].number),
	) < 0
}
