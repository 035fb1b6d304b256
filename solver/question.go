package solver

import (
	"slices"
)

// question asks about one step of a transition system: it has the cone of the step as clauses.
type question struct {
	*Transitions
	sat  *cdcl
	bits []int // the bits of the state that the bad steps depend on

	bitOf  []int32     // by node: the bit of the state, -1 if it is none
	vars   []literal   // by node: its variable, doubled; 0 if it has none
	leaves [][]literal // by variable: those that the gate is the AND of
	always []uint32    // variables that each question looks at

	stack  []uint32
	costs  []int32 // by node: how many bits it takes to show its value, one more
	costed []uint32
	shown  []uint32 // by node: when it was last shown
	now    uint32
}

func newQuestion(t *Transitions) *question {
	n := len(t.Circuit.nodes)
	q := &question{
		Transitions: t, sat: newCDCL(),
		bitOf: make([]int32, n), vars: make([]literal, n),
		costs: make([]int32, n), costed: make([]uint32, n), shown: make([]uint32, n),
	}
	for i := range q.bitOf {
		q.bitOf[i] = -1
	}
	for i, l := range t.State {
		q.bitOf[l.node()] = int32(i)
	}
	q.encode(q.users())
	for _, bit := range q.bits {
		q.always = append(q.always, q.vars[t.State[bit].node()]>>1)
	}
	q.sat.ask()
	q.look(q.of(t.Valid) >> 1)
	for v := range q.sat.domain {
		if q.sat.domain[v] == q.sat.now {
			q.always = append(q.always, uint32(v))
		}
	}
	q.sat.add(given, q.of(t.Valid))
	return q
}

// users finds the cone of the bad steps, over any number of steps, and how its nodes are used: not at
// all, inside one gate only, or otherwise.
func (q *question) users() (used []uint8) {
	nodes := q.Circuit.nodes
	used = make([]uint8, len(nodes))
	var stack []uint32
	use := func(l Lit, how uint8) {
		n := l.node()
		if used[n] == 0 {
			stack = append(stack, n)
			used[n] = how
		} else {
			used[n] = needed
		}
	}
	used[0] = needed
	use(q.Bad, needed)
	use(q.Valid, needed)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g := nodes[n]
		switch {
		case q.bitOf[n] >= 0:
			use(q.Next[q.bitOf[n]], needed)
		case g.a == isInput:
		default:
			for _, l := range [2]Lit{g.a, g.b} {
				if l.negated() || nodes[l.node()].a == isInput {
					use(l, needed)
				} else {
					use(l, inside)
				}
			}
		}
	}
	for bit, l := range q.State {
		if used[l.node()] != 0 {
			q.bits = append(q.bits, bit)
		}
	}
	return used
}

// encode gives variables to the nodes of the cone, and clauses to its gates.
func (q *question) encode(used []uint8) {
	nodes := q.Circuit.nodes
	for n, how := range used {
		if n > 0 && how == needed {
			v := q.sat.variable()
			q.vars[n] = 2 * v
			for int(v) >= len(q.leaves) {
				q.leaves = append(q.leaves, nil)
			}
		}
	}
	for n, how := range used {
		if n == 0 || how != needed || nodes[n].a == isInput {
			continue
		}
		m := q.vars[n]
		var leaves []literal
		for stack := []Lit{Lit(n) << 1}; len(stack) > 0; {
			g := nodes[stack[len(stack)-1].node()]
			stack = stack[:len(stack)-1]
			for _, l := range [2]Lit{g.b, g.a} {
				if used[l.node()] != needed {
					stack = append(stack, l)
				} else {
					leaves = append(leaves, q.of(l))
				}
			}
		}
		q.leaves[m>>1] = leaves
		all := []literal{m}
		for _, l := range leaves {
			q.sat.add(given, m^1, l)
			all = append(all, l^1)
		}
		q.sat.add(given, all...)
	}
}

// of is the literal of a function.
func (q *question) of(l Lit) literal { return q.vars[l.node()] ^ literal(l&1) }

// lit is a literal of the state.
func (q *question) lit(l int32) literal { return q.of(q.State[l/2]) ^ literal(l&1) }

// next is a literal of the next state.
func (q *question) next(l int32) literal { return q.of(q.Next[l/2]) ^ literal(l&1) }

// look adds a variable and all that it depends on to the domain of the question.
func (q *question) look(v uint32) {
	q.stack = append(q.stack[:0], v)
	for len(q.stack) > 0 {
		v := q.stack[len(q.stack)-1]
		q.stack = q.stack[:len(q.stack)-1]
		if q.sat.look(v) && int(v) < len(q.leaves) {
			for _, l := range q.leaves[v] {
				q.stack = append(q.stack, l>>1)
			}
		}
	}
}

// asked tells whether the bad steps depend on all bits of a cube.
func (q *question) asked(c cube) bool {
	return !slices.ContainsFunc(c, func(l int32) bool { return q.vars[q.State[l/2].node()] == 0 })
}

// begin begins a question about a step to all of some functions.
func (q *question) begin(to []literal) {
	q.sat.ask()
	for _, v := range q.always {
		q.sat.look(v)
	}
	for _, l := range to {
		q.look(l >> 1)
	}
}

// state is the state of the last answer.
func (q *question) state() []bool {
	state := make([]bool, len(q.State))
	for _, bit := range q.bits {
		state[bit] = q.sat.values[q.of(q.State[bit])] > 0
	}
	return state
}

// value is that of a function in the last answer.
func (q *question) value(l Lit) bool {
	if q.vars[l.node()] != 0 || l <= True {
		return q.sat.values[q.of(l)] > 0
	}
	g := q.Circuit.nodes[l.node()]
	return (q.value(g.a) && q.value(g.b)) != l.negated()
}

// tooDear is more than the state has bits.
const tooDear = 1 << 24

// cost is about how many bits of the state show the value of a node.
func (q *question) cost(n uint32) int32 {
	if q.costed[n] == q.now {
		return q.costs[n]
	}
	cost := int32(0)
	g := q.Circuit.nodes[n]
	switch {
	case q.bitOf[n] >= 0:
		cost = 1
	case n == 0 || g.a == isInput:
	default:
		switch a, b := q.value(g.a), q.value(g.b); {
		case a && b:
			cost = min(q.cost(g.a.node())+q.cost(g.b.node()), tooDear)
		case a:
			cost = q.cost(g.b.node())
		case b:
			cost = q.cost(g.a.node())
		default:
			cost = min(q.cost(g.a.node()), q.cost(g.b.node()))
		}
	}
	q.costs[n], q.costed[n] = cost, q.now
	return cost
}

// lifted is a set of states from which the inputs of the last answer lead, in a step that there is, to
// all of some functions, as the state of the answer does: a few bits of it show that.
func (q *question) lifted(to ...Lit) (c cube) {
	q.now++
	stack := q.stack[:0]
	show := func(l Lit) {
		if n := l.node(); q.shown[n] != q.now {
			q.shown[n] = q.now
			stack = append(stack, n)
		}
	}
	show(q.Valid)
	for _, l := range to {
		show(l)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g := q.Circuit.nodes[n]
		switch {
		case q.bitOf[n] >= 0:
			c = append(c, literalOf(int(q.bitOf[n]), q.value(Lit(n)<<1)))
		case n == 0 || g.a == isInput:
		default:
			switch a, b := q.value(g.a), q.value(g.b); {
			case a && b:
				show(g.a)
				show(g.b)
			case a:
				show(g.b)
			case b:
				show(g.a)
			case q.shown[g.a.node()] == q.now || q.shown[g.b.node()] == q.now:
			case q.cost(g.a.node()) <= q.cost(g.b.node()):
				show(g.a)
			default:
				show(g.b)
			}
		}
	}
	q.stack = stack
	slices.Sort(c)
	return c
}
