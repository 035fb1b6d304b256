package solver

// Words evaluates functions of a circuit for 64 assignments of the inputs at once: bit
// i of every word belongs to assignment i. It covers the gates that the circuit has
// when Words is made.
type Words struct {
	gates  []gate      // over places in values; gate i has its value at place 2*(first+i)
	inputs [][2]uint32 // the number of an input and its place
	first  int
	values []uint64 // each function at an even place and its negation after it
	places []uint32 // by node: half its place in values; 0 if it is not evaluated
}

// NewWords prepares to evaluate the given functions and all that they depend on.
func NewWords(c *Circuit, roots ...Lit) *Words {
	w := &Words{places: make([]uint32, len(c.nodes))}
	const wanted = 1
	top := uint32(0)
	for _, l := range roots {
		w.places[l.node()] = wanted
		top = max(top, l.node())
	}
	inputs, gates := 0, 0
	for n := top; n > 0; n-- { // a gate comes after those it depends on
		switch g := c.nodes[n]; {
		case w.places[n] == 0:
		case g.a == isInput:
			inputs++
		default:
			gates++
			w.places[g.a.node()], w.places[g.b.node()] = wanted, wanted
		}
	}
	w.places[0] = 0
	w.first = 1 + inputs
	w.inputs = make([][2]uint32, 0, inputs)
	w.gates = make([]gate, 0, gates)
	w.values = make([]uint64, 2*(w.first+gates))
	w.values[True] = ^uint64(0)
	for n, g := range c.nodes[:top+1] {
		switch {
		case w.places[n] == 0:
		case g.a == isInput:
			place := uint32(1 + len(w.inputs))
			w.places[n] = place
			w.inputs = append(w.inputs, [2]uint32{uint32(g.b), 2 * place})
		default:
			w.places[n] = uint32(w.first + len(w.gates))
			w.gates = append(w.gates, gate{w.place(g.a), w.place(g.b)})
		}
	}
	return w
}

func (w *Words) place(l Lit) Lit { return Lit(w.places[l>>1])<<1 | l&1 }

// Gates is how many gates are evaluated.
func (w *Words) Gates() int { return len(w.gates) }

// Eval evaluates everything. The argument has one word for each input of the circuit, by its
// number; inputs beyond its end are false.
func (w *Words) Eval(inputs []uint64) {
	values := w.values
	for _, in := range w.inputs {
		word := uint64(0)
		if int(in[0]) < len(inputs) {
			word = inputs[in[0]]
		}
		values[in[1]], values[in[1]+1] = word, ^word
	}
	out := values[2*w.first:][:2*len(w.gates)]
	for i, g := range w.gates {
		word := values[g.a] & values[g.b]
		out[2*i], out[2*i+1] = word, ^word
	}
}

// Value returns the value of l after Eval, if l is one of the evaluated functions.
func (w *Words) Value(l Lit) uint64 { return w.values[w.place(l)] }
