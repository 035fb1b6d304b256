package schedules

import (
	"iter"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

const (
	unplaced = 32 // faults: they are looked through
	short    = 4  // rounds of a fault
)

// places finds the faults of an environment that may lose messages of a round, or begin in it.
type places struct {
	known   int     // how many of the faults are placed
	rounds  [][]int // by round from 1: the short faults
	lasting []int   // the others
}

func (p *places) reset() {
	for i := range p.rounds {
		p.rounds[i] = p.rounds[i][:0]
	}
	p.known, p.lasting = 0, p.lasting[:0]
}

// in returns the faults that may lose messages of a round, or begin in it, and maybe others.
func (e *Environment) in(round int) iter.Seq[rounds.Fault] {
	p := &e.places
	if p.known == 0 || p.known < len(e.schedule.Faults) || round < 1 || round > e.bounds.EOT {
		return slices.Values(e.schedule.Faults)
	}
	return func(yield func(rounds.Fault) bool) {
		for _, list := range [2][]int{p.lasting, p.rounds[round-1]} {
			for _, i := range list {
				if !yield(e.schedule.Faults[i]) {
					return
				}
			}
		}
	}
}

// inEither is in for two rounds.
func (e *Environment) inEither(round, other int) iter.Seq[rounds.Fault] {
	return func(yield func(rounds.Fault) bool) {
		for _, faults := range [2]iter.Seq[rounds.Fault]{e.in(round), e.in(other)} {
			for f := range faults {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// place places the faults that are not placed yet, if there are many.
func (e *Environment) place() {
	p := &e.places
	if len(e.schedule.Faults) <= unplaced {
		return
	}
	if len(p.rounds) != e.bounds.EOT {
		p.rounds = make([][]int, e.bounds.EOT)
	}
	for ; p.known < len(e.schedule.Faults); p.known++ {
		f := e.schedule.Faults[p.known]
		l := losses{first: f.Round, last: f.Round}
		if k := kindOf(f); k != nil && k.losses != nil {
			l = k.losses(e, f)
		}
		if f.Kind == rounds.Crash || l.last-l.first >= short {
			p.lasting = append(p.lasting, p.known)
			continue
		}
		for round := max(l.first, 1); round <= min(l.last, e.bounds.EOT); round++ {
			p.rounds[round-1] = append(p.rounds[round-1], p.known)
		}
	}
}

// Stops tells whether a fault loses the messages from process from to process to of a round
// on their way, and not by a crash or because it delays them.
func (e *Environment) Stops(from, to, round int) bool {
	for f := range e.in(round) {
		if f.Kind != rounds.Crash && f.Kind != rounds.Delay && e.Loses(f, from, to, round) {
			return true
		}
	}
	return false
}
