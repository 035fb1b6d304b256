package zookeeper

// The keys of the harnesses.
const (
	key0 = iota
	key1
	keys
)

// request is a write of a client: server sets a key to a value, if another one has the
// value that it asks for.
type request struct {
	server     string
	key, value int
	asked      int // a key
	want       int // its value; -1: any
}

// harness is a step for each element, nil for one without a request. A last step in
// which all servers are started follows.
type harness []*request

// The harnesses of the paper.
var (
	div = harness{{"s1", key0, 101, key0, -1}, nil, {"s2", key1, 302, key1, -1}}
	sc  = harness{{"s1", key1, 101, key1, 0}, nil, {"s0", key0, 200, key1, 101}, {"s1", key1, 301, key1, 0}, {"s0", key0, 400, key1, 0}}
)

// The lengths of the two phases of a step.
const phaseRounds = 4

// place returns the step of a round, from 1, and the number of the round in it.
func (h harness) place(round int) (step, of int) {
	for i, r := range h {
		length := phaseRounds
		if r != nil {
			length = 2 * phaseRounds
		}
		if round <= length {
			return i + 1, round
		}
		round -= length
	}
	return len(h) + 1, round
}

// healed is the round in which the last step begins, which is a phase.
func (h harness) healed() int {
	round := 1
	for step, _ := h.place(round); step <= len(h); step, _ = h.place(round) {
		round++
	}
	return round
}

// state returns the values that transactions leave.
func (h harness) state(of history) (values [keys]int) {
	for i, r := range h {
		if r != nil && of.has(i+1) {
			values[r.key] = r.value
		}
	}
	return values
}
