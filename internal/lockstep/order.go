package lockstep

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// crashes is the relation that is built in.
const crashes = "crash"

// instance is a rule in one round.
type instance struct {
	*rule
	round int
	nodes []int // by atom: the node that it reads
	head  int   // the node that it writes, nowhere if that is beyond the last round
	inner []int // the positive atoms that read a node of the instance's own component
	loops bool  // some atom, positive or negated, does
	late  int   // its messages arrive this many rounds after they are sent
}

// nowhere is the node of facts that hold in no round: its table stays empty.
const nowhere = 0

// component is a set of instances that have to be evaluated together, because
// their heads depend on each other, or one instance alone.
type component struct {
	nodes     []int       // that are written, in ascending order
	first     []*instance // that depend on no node of the component
	recursive []*instance
	deep      bool // the recursion goes through a negation or an aggregate
	growing   bool // the recursion can make new values
}

// node returns the number of a relation in a round.
func (p *program) node(relation, round int) int {
	if round < 1 || round > p.eot {
		return nowhere
	}
	if p.relations[relation].name == crashes {
		round = 1 // it is the same in every round
	}
	return 1 + (round-1)*len(p.relations) + relation
}

// relationOf returns the relation and the round of a node.
func (p *program) relationOf(node int) (*relation, int) {
	node--
	return p.relations[node%len(p.relations)], node/len(p.relations) + 1
}

// instantiate returns all rules in all rounds. The last of them give facts of a round after
// the end.
func (c *compiler) instantiate() []*instance {
	var all []*instance
	for round := 1; round <= c.eot; round++ {
		for _, r := range c.rules {
			in := &instance{rule: r, round: round, nodes: make([]int, len(r.atoms))}
			for i, a := range r.atoms {
				in.nodes[i] = c.node(a.relation, round)
				if a.at != 0 {
					in.nodes[i] = c.node(a.relation, a.at)
				}
			}
			in.head = c.node(r.relation, round)
			if r.kind != syntax.Deductive {
				in.head = c.node(r.relation, round+1)
			}
			all = append(all, in)
			all = c.addLate(all, in)
		}
	}
	return all
}

// addLate adds instances for messages of in that arrive in later rounds, if messages can
// come late or twice.
func (c *compiler) addLate(all []*instance, in *instance) []*instance {
	if in.kind != syntax.Async {
		return all
	}
	for late := 1; late <= c.latest() && in.round+late < c.eot; late++ {
		other := *in
		other.late, other.head = late, c.node(in.relation, in.round+1+late)
		all = append(all, &other)
	}
	return all
}

// latest is the most rounds by which messages come late, or once more.
func (p *program) latest() int {
	if p.bounds.Delays == 0 && p.bounds.Duplicates == 0 {
		return 0
	}
	return p.bounds.MaxDelay
}

// order sorts the instances into components, each after those on which it
// depends.
func (c *compiler) order(instances []*instance) []*component {
	writers := make([][]*instance, 1+c.eot*len(c.relations))
	for _, in := range instances {
		if in.head != nowhere {
			writers[in.head] = append(writers[in.head], in)
		}
	}
	var all []*component
	number := make([]int, len(writers)) // of a node's component, from 1
	for i, nodes := range connected(writers) {
		comp := &component{nodes: nodes}
		for _, n := range nodes {
			number[n] = i + 1
		}
		for _, n := range nodes {
			for _, in := range writers[n] {
				comp.add(in, func(node int) bool { return number[node] == i+1 })
			}
		}
		c.replan(comp)
		if len(comp.first)+len(comp.recursive) > 0 {
			all = append(all, comp)
		}
	}
	return all
}

// add puts an instance into the component that has the nodes.
func (comp *component) add(in *instance, has func(node int) bool) {
	for i, a := range in.atoms {
		if !has(in.nodes[i]) {
			continue
		}
		in.loops = true
		if a.negated || in.aggregates() {
			comp.deep = true
		}
		if !a.negated {
			in.inner = append(in.inner, i)
		}
	}
	if !in.loops {
		comp.first = append(comp.first, in)
		return
	}
	comp.growing = comp.growing || in.makes
	comp.recursive = append(comp.recursive, in)
}

// replan makes the plans that begin with an atom of the recursion.
func (c *compiler) replan(comp *component) {
	for _, in := range comp.recursive {
		for _, i := range in.inner {
			if in.from[i] == nil {
				in.from[i] = c.plan(in.rule, in.atoms[i].term)
			}
		}
	}
}

// connected returns the strongly connected components of the nodes, each after the
// components that it reads, by Tarjan's algorithm.
func connected(writers [][]*instance) [][]int {
	t := &tarjan{
		writers: writers,
		index:   make([]int, len(writers)),
		low:     make([]int, len(writers)),
		done:    make([]bool, len(writers)),
	}
	for node := 1; node < len(writers); node++ {
		if t.index[node] == 0 {
			t.visit(node)
		}
	}
	return t.found
}

type tarjan struct {
	writers [][]*instance
	index   []int // from 1 in the order of the visits
	low     []int
	done    []bool
	count   int
	stack   []int
	found   [][]int
}

func (t *tarjan) visit(node int) {
	t.count++
	t.index[node], t.low[node] = t.count, t.count
	t.stack = append(t.stack, node)
	for _, in := range t.writers[node] {
		for _, next := range in.nodes {
			switch {
			case next == nowhere || t.done[next]:
			case t.index[next] == 0:
				t.visit(next)
				t.low[node] = min(t.low[node], t.low[next])
			default:
				t.low[node] = min(t.low[node], t.index[next])
			}
		}
	}
	if t.low[node] == t.index[node] {
		t.pop(node)
	}
}

// pop takes the component of node off the stack.
func (t *tarjan) pop(node int) {
	from := len(t.stack) - 1
	for t.stack[from] != node {
		from--
	}
	comp := append([]int(nil), t.stack[from:]...)
	t.stack = t.stack[:from]
	for _, n := range comp {
		t.done[n] = true
	}
	slices.Sort(comp)
	t.found = append(t.found, comp)
}
