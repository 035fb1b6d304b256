package strategies

import (
	"context"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// The effect of isolations within a phase follows from the known supports: a message is
// sent, and a fact reported, if all messages of one of its supports arrive. The knowledge
// of a process is the messages that it has received and the facts that it has reported. The
// solver proposes sets of isolations by size, each of which leaves the processes with other
// knowledge than the sets before.

const (
	maxTogether  = 3   // the most isolations of a set in one phase
	maxKnowledge = 256 // sets that are proposed for a phase at most
)

// outcomeChoices are the sets of one size, by the progress that they prevent.
type outcomeChoices struct {
	broken []string // the progress that remains, a text each
	sets   [][]*isolations
}

// isolations is a set of isolations in one phase.
type isolations struct {
	faults []rounds.Fault
	starts [][]int  // by fault the rounds from which it leaves the same knowledge, if the other faults stay
	lost   []string // the progress that it takes away
}

func (c *outcomeChoices) add(left string, set *isolations) {
	for i, text := range c.broken {
		if text == left {
			c.sets[i] = append(c.sets[i], set)
			return
		}
	}
	c.broken, c.sets = append(c.broken, left), append(c.sets, []*isolations{set})
}

// proposal is the circuit of a phase.
type proposal struct {
	*solver.Circuit
	phase     *phase
	universe  *schedules.Universe // of isolations alone
	units     []int               // the units of the phase
	input     map[int]solver.Lit  // by unit
	valid     []solver.Lit
	happens   map[int]solver.Lit // by event: a message arrives, a fact is reported
	knowledge []solver.Lit       // the knowledge of all processes
	progress  []solver.Lit       // progress that rules state, or facts, or if there are none that a process has all possible knowledge
	named     []string           // of the progress the first of them
}

func newProposal(p *phase, u *schedules.Universe) *proposal {
	c := &proposal{Circuit: solver.NewCircuit(0), phase: p, universe: u, input: map[int]solver.Lit{}, happens: map[int]solver.Lit{}}
	of := map[string][]solver.Lit{}
	for unit := range u.Len() {
		f := u.Fault(unit)
		if f.Round < p.First || f.Round > p.Last {
			continue
		}
		c.units = append(c.units, unit)
		c.input[unit] = c.Input()
		of[f.Process] = append(of[f.Process], c.input[unit])
	}
	for _, process := range u.Bounds().Processes {
		c.valid = append(c.valid, c.AtMost(of[process], 1))
	}
	for _, i := range p.first {
		c.add(i)
	}
	switch {
	case len(p.stated) > 0:
		c.progress, c.named = c.stated()
	case len(c.progress) == 0:
		c.progress = c.whole()
	}
	return c
}

// add adds an event; the events before it were added.
func (c *proposal) add(i int) {
	e := c.phase.events[i]
	var ways []solver.Lit
	for _, support := range c.phase.supports[i] {
		ways = append(ways, c.all(support))
	}
	happens := c.Ors(ways...)
	if e.fact {
		c.progress = append(c.progress, happens)
		c.named = append(c.named, c.phase.text(i, c.universe.Bounds().Processes))
	} else {
		happens = c.And(happens, c.arrives(e))
	}
	c.happens[i] = happens
	c.knowledge = append(c.knowledge, happens)
}

// all is true when all messages arrive; messages that the execution without faults does not
// have never arrive.
func (c *proposal) all(messages arrivals) solver.Lit {
	var lits []solver.Lit
	for _, i := range messages.all() {
		l, known := c.happens[i]
		if !known {
			return solver.False
		}
		lits = append(lits, l)
	}
	return c.Ands(lits...)
}

// arrives is true when no isolation loses a message.
func (c *proposal) arrives(e lineageEvent) solver.Lit {
	var lost []solver.Lit
	for _, unit := range c.universe.Losing(e.from, e.to, e.round) {
		lost = append(lost, c.input[unit])
	}
	return c.Ors(lost...).Not()
}

// whole is true, by process, when it receives all that it would without faults.
func (c *proposal) whole() []solver.Lit {
	all := make([]solver.Lit, len(c.universe.Bounds().Processes))
	for i := range all {
		all[i] = solver.True
	}
	for _, i := range c.phase.first {
		to := c.phase.events[i].to
		all[to] = c.And(all[to], c.happens[i])
	}
	return all
}

// propose finds the sets of isolations of a phase, with no more than most isolations in
// one.
func (p *phase) propose(ctx context.Context, u *schedules.Universe, most int) error {
	c := newProposal(p, u)
	p.sets, p.changed = make([]*outcomeChoices, most+1), false
	for size := range p.sets {
		p.sets[size] = &outcomeChoices{}
	}
	s := solver.NewSolver(c.Circuit)
	for _, v := range c.valid {
		s.Assert(v)
	}
	units := make([]solver.Lit, len(c.units))
	for i, unit := range c.units {
		units[i] = c.input[unit]
	}
	sizes := c.Counts(units, most+1)
	words := solver.NewWords(c.Circuit, c.knowledge...)
	s.AssertAny(c.other(nil)...)
	found := 0
	for size := 1; size <= most && found < maxKnowledge; {
		fewer := solver.True
		if size < len(sizes) {
			fewer = sizes[size].Not()
		}
		status, err := s.Solve(ctx, fewer)
		switch status {
		case solver.Unknown:
			return err
		case solver.Unsat:
			size++
			continue
		}
		found++
		left, set := c.read(s, words)
		p.sets[len(set.faults)].add(left, set)
		s.AssertAny(c.other(s)...)
	}
	return c.Err()
}

// other says that processes know something else than in the model, or without
// faults if there is none.
func (c *proposal) other(s *solver.Solver) []solver.Lit {
	lits := make([]solver.Lit, len(c.knowledge))
	for i, l := range c.knowledge {
		if lits[i] = l; s == nil || s.Value(l) {
			lits[i] = l.Not()
		}
	}
	return lits
}

// read returns the set of isolations of the model, and the progress that is left.
func (c *proposal) read(s *solver.Solver, words *solver.Words) (left string, set *isolations) {
	set = &isolations{}
	on := map[int]bool{}
	for _, unit := range c.units {
		if s.Value(c.input[unit]) {
			on[unit] = true
			set.faults = append(set.faults, c.universe.Fault(unit))
		}
	}
	for _, f := range set.faults {
		set.starts = append(set.starts, c.starts(s, words, on, f))
	}
	text := make([]byte, len(c.progress))
	for i, l := range c.progress {
		switch text[i] = '1'; {
		case s.Value(l):
			continue
		case i < len(c.named):
			set.lost = append(set.lost, c.named[i])
		}
		text[i] = '0'
	}
	return string(text), set
}

// starts returns the rounds from which the isolation f of a model leaves the same
// knowledge, if the others stay.
func (c *proposal) starts(s *solver.Solver, words *solver.Words, on map[int]bool, f rounds.Fault) (starts []int) {
	inputs := make([]uint64, c.Inputs())
	var others []int
	for i, unit := range c.units {
		switch g := c.universe.Fault(unit); {
		case g.Process == f.Process && len(others) < 64:
			inputs[i] = 1 << len(others)
			others = append(others, g.Round)
		case on[unit] && g.Process != f.Process:
			inputs[i] = ^uint64(0)
		}
	}
	words.Eval(inputs)
	same := ^uint64(0)
	for _, l := range c.knowledge {
		if word := words.Value(l); s.Value(l) {
			same &= word
		} else {
			same &^= word
		}
	}
	for i, round := range others {
		if same>>i&1 == 1 {
			starts = append(starts, round)
		}
	}
	return starts
}
