package provenance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// World is one of the executions of a Graph: the one under Schedule.
type World struct {
	Graph       *Graph
	Schedule    rounds.Schedule // in normal form
	Environment *schedules.Environment

	inputs []bool
	truth  []bool // by node of the circuit
	place  int    // in Options.Among, if that is given: the circuit has the truth
}

// Under returns the world of the schedule s. The faults of s must be units of the graph,
// but may exceed the budgets; Covering widens bounds for any schedule. If Options.Among or
// Given exclude schedules, s must not be one of the excluded ones.
func (g *Graph) Under(s rounds.Schedule) (*World, error) {
	if err := cmp.Or(s.CheckProgram(), g.numbers(s)); err != nil {
		return nil, err
	}
	environment, err := schedules.NewEnvironment(g.Bounds, s)
	if err != nil {
		return nil, err
	}
	on, err := g.unitsOf(s)
	if err != nil {
		return nil, err
	}
	w := &World{Graph: g, Schedule: s.Normal(), Environment: environment}
	if g.restriction.among != nil {
		w.place, err = g.place(s, on)
		return w, err
	}
	if w.inputs, err = g.assignment(on); err != nil {
		return nil, err
	}
	w.truth = evaluate(g.Circuit, w.inputs)
	if g.pruned && slices.ContainsFunc(g.Valid, func(valid solver.Lit) bool { return !w.is(valid) }) {
		return nil, fmt.Errorf("%s: not within the bounds (%s), beyond which too much is possible", s, g.Bounds)
	}
	return w, nil
}

// Numbers reports a fault of one message of several of a kind, which only the evaluation for one schedule knows (Options.Single).
func Numbers(s rounds.Schedule) error {
	for _, f := range s.Faults {
		if f.Nth > 0 {
			return fmt.Errorf("%s: several schedules are evaluated together where faults hit all messages of a kind, and not #%d alone: ldfi inject executes it, and ldfi why explains it", f, f.Nth)
		}
	}
	return nil
}

// numbers is Numbers for a graph, which may know the schedule.
func (g *Graph) numbers(s rounds.Schedule) error {
	if g.singles != nil {
		return nil
	}
	return Numbers(s)
}

// Pruned tells whether facts that no schedule within the bounds gives were left out, so
// that the graph has no worlds beyond them.
func (g *Graph) Pruned() bool { return g.pruned }

// units returns the fault units of a fault. A fault that lasts, and does not end with its
// phase, consists of shorter ones if the period allows.
func (g *Graph) units(f rounds.Fault) ([]int, error) {
	if unit, ok := g.Universe.Index(f); ok {
		return []int{unit}, nil
	}
	var units []int
	part := f
	for part.Round = f.Round; part.Round <= f.Until; part.Round++ {
		part.Until = part.Round
		unit, ok := g.Universe.Index(part)
		if !ok {
			break
		}
		units = append(units, unit)
	}
	if len(units) > 0 && len(units) == f.Until-f.Round+1 {
		return units, nil
	}
	if f.Kind == rounds.Partition {
		wide := g.Bounds
		wide.Partitions = rounds.Unlimited
		if err := wide.CheckProgram(); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
	}
	return nil, fmt.Errorf("%s: no such fault within the bounds (%s)", f, g.Bounds)
}

// evaluate computes the value of every node of a circuit under an assignment of the inputs,
// in one pass.
func evaluate(c *solver.Circuit, inputs []bool) []bool {
	truth := make([]bool, 1+c.Inputs()+c.Gates())
	value := func(l solver.Lit) bool { return truth[l>>1] != (l&1 == 1) }
	for n := 1; n < len(truth); n++ {
		a, b, input, number := c.Node(solver.Lit(n << 1))
		if input {
			truth[n] = inputs[number]
		} else {
			truth[n] = value(a) && value(b)
		}
	}
	return truth
}

// Covering returns bounds that allow every kind of fault in the schedule s of the program
// p: b, widened as far as needed. Faults of messages that p never sends change nothing, and
// so need nothing.
func Covering(p *dedalus.Program, b rounds.Bounds, s rounds.Schedule) rounds.Bounds {
	b = b.Normal()
	b.At = ""
	for _, f := range slices.Concat(s.Faults, s.Faults) { // twice: more rounds with losses make phases longer
		if f.Kind != rounds.Choose {
			b.From = min(b.FirstFault(), f.Round)
		}
		if f.Of != "" && !slices.Contains(b.Kinds, f.Of) {
			if !slices.Contains(rounds.SentBy(p), f.Of) {
				continue
			}
			b.Kinds = append(slices.Clip(b.Kinds), f.Of)
			b.Deliver, b.Kernel = "", "" // which speak about all messages of a process
		}
		f.Nth = 0 // units of single messages are beside those of their kind
		switch _, known := schedules.New(b).Index(f); {
		case known:
		case f.Kind == rounds.Choose:
			b.Choices = rounds.Unlimited
		case f.Kind == rounds.Crash:
			b.Crashes = rounds.Unlimited
		case f.Kind == rounds.Restart:
			b.Crashes, b.Restarts = rounds.Unlimited, rounds.Unlimited
		case f.Kind == rounds.Omit:
			b.Omissions = rounds.Unlimited
			b.EFF = lossesUntil(b, f.Round)
		case f.Kind == rounds.Isolate:
			b.Isolations = rounds.Unlimited
			b = lasting(b, f)
		case f.Kind == rounds.Partition:
			wide := b
			wide.Partitions = rounds.Unlimited
			if wide.CheckProgram() == nil {
				b = lasting(wide, f)
			}
		case f.Kind == rounds.Delay:
			b.Delays = rounds.Unlimited
			b = latest(b, f)
		case f.Kind == rounds.Duplicate:
			b.Duplicates = rounds.Unlimited
			b = latest(b, f)
		case f.Kind == rounds.Cut:
			b.Cuts = rounds.Unlimited
			b = lasting(b, f)
		}
	}
	return b
}

// latest returns bounds in which messages can be as late as a fault makes them.
func latest(b rounds.Bounds, f rounds.Fault) rounds.Bounds {
	b.MaxDelay = max(b.MaxDelay, f.By)
	b.EFF = lossesUntil(b, f.Round)
	return b
}

// lasting returns bounds in which a fault can begin and end in any round until its
// last.
func lasting(b rounds.Bounds, f rounds.Fault) rounds.Bounds {
	b.Period = 1
	b.EFF = lossesUntil(b, max(f.Round, f.Until))
	return b
}

// lossesUntil is an EFF that allows losses in the round.
func lossesUntil(b rounds.Bounds, round int) int {
	if b.EFF == 0 {
		return 0
	}
	return max(b.EFF, round+1)
}

// Holds tells whether a fact of the world's graph holds.
func (w *World) Holds(f *Fact) bool { return f != nil && w.is(f.Cond()) }

// Fires tells whether a firing of the world's graph takes place.
func (w *World) Fires(f *Firing) bool { return w.is(f.Cond()) }

func (w *World) is(l solver.Lit) bool {
	if w.truth == nil {
		return w.Graph.Circuit.Under(l, w.place)
	}
	return w.truth[l>>1] != (l&1 == 1)
}

// True tells whether the function l of the graph's circuit is true in the world. It may
// have been made after the world.
func (w *World) True(l solver.Lit) bool {
	if w.truth != nil && int(l>>1) >= len(w.truth) {
		w.truth = evaluate(w.Graph.Circuit, w.inputs)
	}
	return w.is(l)
}
