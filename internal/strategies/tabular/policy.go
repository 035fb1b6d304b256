package tabular

import (
	"math"
	"math/rand/v2"
)

// Policy picks actions, and learns from what they led to. The calls of an execution are
// Begin, then Pick and Record in turns, then End.
type Policy interface {
	// Begin begins an execution in a state. The waypoint is the highest one that holds
	// there, 0 if none does.
	Begin(s State, waypoint int)
	// Pick returns the place of one of the actions that there are in the present state.
	Pick(r *rand.Rand, actions []Action) int
	// Record says which state the action that was picked has led to.
	Record(next State, waypoint int)
	// End learns from the execution.
	End()
}

// step is one step of an execution: the waypoint is the active one before and after it.
type step struct {
	from, to   State
	action     Action
	active     int
	activeNext int
}

// trace is the execution so far.
type trace struct {
	steps  []step
	state  State
	active int
	picked Action
}

func (t *trace) begin(s State, active int) { t.steps, t.state, t.active = t.steps[:0], s, active }

func (t *trace) record(next State, active int) {
	t.steps = append(t.steps, step{t.state, next, t.picked, t.active, active})
	t.state, t.active = next, active
}

// Random picks each action with the same probability.
type Random struct{}

// Begin does nothing.
func (Random) Begin(State, int) {}

// Pick returns the place of any action.
func (Random) Pick(r *rand.Rand, actions []Action) int { return r.IntN(len(actions)) }

// Record does nothing.
func (Random) Record(State, int) {}

// End does nothing.
func (Random) End() {}

// The parameters of Bonus and Waypoint.
const (
	alpha   = 0.2
	gamma   = 0.95
	epsilon = 0.05
)

// greedy picks any action with probability epsilon, and else one of the highest value.
func greedy(r *rand.Rand, t *table, s State, actions []Action) int {
	cells := t.offer(s, actions)
	if r.Float64() < epsilon {
		return r.IntN(len(actions))
	}
	best, n := 0, 0
	for i, c := range cells {
		switch {
		case i == 0 || c.value > cells[best].value:
			best, n = i, 1
		case c.value == cells[best].value:
			if n++; r.IntN(n) == 0 {
				best = i
			}
		}
	}
	return best
}

// Waypoint is Algorithms 3 and 4: a table for each waypoint, the highest waypoint that
// holds in the present state is the active one, and only the last stays so. With no
// waypoint it is Algorithm 2.
type Waypoint struct {
	tables []*table // of waypoint 0, which always holds, 1, ...
	trace  trace
}

// NewWaypoint returns a policy for this number of waypoints.
func NewWaypoint(waypoints int) *Waypoint {
	w := &Waypoint{}
	for range waypoints + 1 {
		w.tables = append(w.tables, newTable(1))
	}
	return w
}

// Bonus is Algorithm 2: what an action is worth is the inverse of how often it was picked
// in its state, or what the best action afterwards is worth, whichever is more.
func Bonus() *Waypoint { return NewWaypoint(0) }

func (w *Waypoint) last() int { return len(w.tables) - 1 }

// Begin begins an execution.
func (w *Waypoint) Begin(s State, waypoint int) { w.trace.begin(s, waypoint) }

// Pick picks an action by the table of the active waypoint.
func (w *Waypoint) Pick(r *rand.Rand, actions []Action) int {
	i := greedy(r, w.tables[w.trace.active], w.trace.state, actions)
	w.trace.picked = actions[i]
	return i
}

// Record notes a step.
func (w *Waypoint) Record(next State, waypoint int) {
	if w.last() > 0 && w.trace.active == w.last() {
		waypoint = w.last()
	}
	w.trace.record(next, waypoint)
}

// End learns, from the last step to the first.
func (w *Waypoint) End() {
	steps := w.trace.steps
	reached := len(steps) // the first step with the target behind it
	for i, s := range steps {
		if s.active == w.last() {
			reached = i
			break
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		t := w.tables[s.active]
		c := t.at(s.from, s.action)
		c.visits++
		later := 0.0
		switch {
		case s.active != s.activeNext && s.active != w.last():
			if s.activeNext > s.active {
				later = 2
			}
			if reached < len(steps) {
				later += 2 * math.Pow(gamma, float64(reached-i-1))
			}
		case i < len(steps)-1:
			later = t.best(s.to)
		}
		c.value = (1-alpha)*c.value + alpha*max(1/float64(c.visits), gamma*later)
	}
}

// Negative is NegRLVisits of Mukherjee et al.: a step costs as much as the state that it
// leads to was visited, and actions are picked by the exponential of what they are worth.
type Negative struct {
	table  *table
	visits map[State]int
	trace  trace
}

// The parameters of Negative.
const (
	negativeAlpha = 0.3
	negativeGamma = 0.7
)

// NewNegative returns a policy.
func NewNegative() *Negative { return &Negative{table: newTable(0), visits: map[State]int{}} }

// Begin begins an execution.
func (n *Negative) Begin(s State, _ int) { n.trace.begin(s, 0) }

// Pick picks an action by the exponentials.
func (n *Negative) Pick(r *rand.Rand, actions []Action) int {
	cells := n.table.offer(n.trace.state, actions)
	most := cells[0].value // so that no exponential is too large
	for _, c := range cells {
		most = max(most, c.value)
	}
	weights, sum := make([]float64, len(cells)), 0.0
	for i, c := range cells {
		weights[i] = math.Exp(c.value - most)
		sum += weights[i]
	}
	x, i := r.Float64()*sum, 0
	for ; i < len(weights)-1 && x >= weights[i]; i++ {
		x -= weights[i]
	}
	n.trace.picked = actions[i]
	return i
}

// Record learns from a step.
func (n *Negative) Record(next State, _ int) {
	n.visits[next]++
	c := n.table.at(n.trace.state, n.trace.picked)
	c.value = (1-negativeAlpha)*c.value + negativeAlpha*(-float64(n.visits[next])+negativeGamma*n.table.best(next))
	n.trace.record(next, 0)
}

// End does nothing.
func (n *Negative) End() {}
