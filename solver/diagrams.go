package solver

// Diagrams compares functions of a circuit, whether they are equal or imply each other, by
// their binary decision diagrams over the inputs (R. E. Bryant, Graph-based algorithms for
// boolean function manipulation, 1986; with complemented edges, except for an input that is
// false). This is quick for functions with small diagrams, such as simple conditions over
// faults, and hopeless for others: so diagrams have a limit. At the limit the diagrams are
// discarded, and the comparison is tried again; if one comparison alone reaches the limit,
// its result is unknown. After a few such comparisons all further results are unknown.
type Diagrams struct {
	circuit *Circuit
	most    int
	steps   int64 // of conjunctions
	until   int64 // the step at which the present question is too hard
	full    bool  // the limit is reached, and nothing that was found since means anything
	unknown int   // questions that were too hard

	decisions []decision
	unique    []uint32   // open addressing: decisions, 0 is free
	results   []conjunct // of recent conjunctions
	levels    []uint32   // by input: its place in the order, which is that of the first use, plus 1
	order     uint32     // inputs that have a place
	edges     []edge     // by node of the circuit, plus 1: its diagram; 0: not known
	functions []Lit      // by decision: a literal of that function; False: none is known
	stack     []uint32
}

// edge leads to a decision, or is a constant; it is negated as a Lit is.
type edge uint32

func (e edge) decision() uint32 { return uint32(e >> 1) }

// decision is a node of a diagram: the function is that of low if the input at the level is
// false, and that of high if it is true.
type decision struct {
	level     uint32
	low, high edge
}

type conjunct struct{ a, b, and edge }

const (
	lastLevel        = ^uint32(0) // of the constants
	stepsPerDecision = 32         // of the limit
	mostUnknown      = 4
	noEdge           = edge(0)
	falseEdge        = edge(0)
	trueEdge         = edge(1)
	firstBuckets     = 1 << 10
)

// NewDiagrams returns diagrams of functions of a plain circuit c, with no more than most
// decisions.
func NewDiagrams(c *Circuit, most int) *Diagrams {
	d := &Diagrams{circuit: c, most: most}
	d.forget()
	return d
}

// forget begins anew.
func (d *Diagrams) forget() {
	d.full = false
	d.decisions = append(d.decisions[:0], decision{level: lastLevel})
	d.unique = make([]uint32, firstBuckets)
	d.results = make([]conjunct, firstBuckets)
	d.levels, d.order = d.levels[:0], 0
	clear(d.edges)
	if len(d.edges) > 0 {
		d.edges[0] = falseEdge + 1
	}
	d.functions = append(d.functions[:0], False)
}

// ask asks a question, and tells whether it was answered within the limit.
func (d *Diagrams) ask(question func()) bool {
	for d.unknown < mostUnknown {
		alone := len(d.decisions) == 1
		d.until = d.steps + stepsPerDecision*int64(d.most)
		question()
		if !d.full {
			return true
		}
		if d.forget(); alone {
			d.unknown++
			return false
		}
	}
	return false
}

// Size is the number of decisions so far.
func (d *Diagrams) Size() int { return len(d.decisions) }

// Work returns the number of steps so far.
func (d *Diagrams) Work() int64 { return d.steps }

// Implies tells whether b is true whenever a is, whatever the inputs are. It is not known
// beyond the limit.
func (d *Diagrams) Implies(a, b Lit) (implied, known bool) {
	known = d.ask(func() {
		x, y := d.of(a), d.of(b)
		implied = d.and(x, y^1) == falseEdge
	})
	return implied && known, known
}

// Same returns a literal that is the same for all literals with the function of l; l
// itself beyond the limit.
func (d *Diagrams) Same(l Lit) Lit {
	var e edge
	if !d.ask(func() { e = d.of(l) }) {
		return l
	}
	if e <= trueEdge {
		return Lit(e)
	}
	return d.functions[e.decision()] ^ Lit(e&1)
}

// of is the diagram of a literal. It means nothing at the limit.
func (d *Diagrams) of(l Lit) edge {
	if grown := len(d.circuit.nodes) - len(d.edges); grown > 0 {
		d.edges = append(d.edges, make([]edge, grown)...)
		d.edges[0] = falseEdge + 1
	}
	d.stack = append(d.stack[:0], l.node())
	for len(d.stack) > 0 && !d.full {
		n := d.stack[len(d.stack)-1]
		if d.edges[n] != noEdge {
			d.stack = d.stack[:len(d.stack)-1]
			continue
		}
		g := d.circuit.nodes[n]
		if g.a == isInput {
			d.know(n, d.decide(d.level(int(g.b)), falseEdge, trueEdge))
			continue
		}
		a, b := d.edges[g.a.node()], d.edges[g.b.node()]
		switch {
		case a == noEdge:
			d.stack = append(d.stack, g.a.node())
		case b == noEdge:
			d.stack = append(d.stack, g.b.node())
		default:
			d.know(n, d.and((a-1)^edge(g.a&1), (b-1)^edge(g.b&1)))
		}
	}
	if d.full {
		return falseEdge
	}
	return (d.edges[l.node()] - 1) ^ edge(l&1)
}

// know notes the diagram of a node.
func (d *Diagrams) know(n uint32, e edge) {
	if d.full {
		return
	}
	d.edges[n] = e + 1
	if f := &d.functions[e.decision()]; e > trueEdge && *f == False {
		*f = Lit(n)<<1 ^ Lit(e&1)
	}
}

// level is the place of an input in the order.
func (d *Diagrams) level(input int) uint32 {
	for len(d.levels) <= input {
		d.levels = append(d.levels, 0)
	}
	if d.levels[input] == 0 {
		d.order++
		d.levels[input] = d.order
	}
	return d.levels[input]
}

// and is the conjunction of two diagrams.
func (d *Diagrams) and(a, b edge) edge {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == falseEdge || a^1 == b:
		return falseEdge
	case a == trueEdge || a == b:
		return b
	case d.full:
		return falseEdge
	}
	if known := d.result(a, b); known.a == a && known.b == b {
		return known.and
	}
	if d.steps++; d.steps > d.until {
		d.full = true
		return falseEdge
	}
	x, y := d.decisions[a.decision()], d.decisions[b.decision()]
	level := min(x.level, y.level)
	lowA, highA := x.at(level, a)
	lowB, highB := y.at(level, b)
	low := d.and(lowA, lowB)
	e := d.decide(level, low, d.and(highA, highB))
	if !d.full {
		*d.result(a, b) = conjunct{a, b, e}
	}
	return e
}

// result is where the conjunction of two diagrams is noted.
func (d *Diagrams) result(a, b edge) *conjunct {
	h := (uint64(a)<<32 | uint64(b)) * 0x9E3779B97F4A7C15
	return &d.results[h>>32&uint64(len(d.results)-1)]
}

// at returns the successors of the diagram of e, for either value of the input at a level.
func (x decision) at(level uint32, e edge) (low, high edge) {
	if x.level != level {
		return e, e
	}
	return x.low ^ e&1, x.high ^ e&1
}

// decide is the diagram that decides by the input at a level.
func (d *Diagrams) decide(level uint32, low, high edge) edge {
	if low == high {
		return low
	}
	negated := low & 1
	x := decision{level, low ^ negated, high ^ negated}
	mask := uint64(len(d.unique) - 1)
	i := x.hash() & mask
	for ; d.unique[i] != 0; i = (i + 1) & mask {
		if n := d.unique[i]; d.decisions[n] == x {
			return edge(n)<<1 ^ negated
		}
	}
	if len(d.decisions) >= d.most {
		d.full = true
		return falseEdge
	}
	n := uint32(len(d.decisions))
	d.decisions = append(d.decisions, x)
	d.functions = append(d.functions, False)
	d.unique[i] = n
	if 2*len(d.decisions) > len(d.unique) {
		d.resize()
	}
	return edge(n)<<1 ^ negated
}

func (x decision) hash() uint64 {
	h := (uint64(x.low)<<32 | uint64(x.high)) * 0x9E3779B97F4A7C15
	h = (h ^ h>>29 ^ uint64(x.level)) * 0xBF58476D1CE4E5B9
	return h ^ h>>32
}

func (d *Diagrams) resize() {
	d.unique = make([]uint32, 2*len(d.unique))
	d.results = make([]conjunct, len(d.unique))
	mask := uint64(len(d.unique) - 1)
	for n := 1; n < len(d.decisions); n++ {
		i := d.decisions[n].hash() & mask
		for d.unique[i] != 0 {
			i = (i + 1) & mask
		}
		d.unique[i] = uint32(n)
	}
}
