package schedules

import (
	"iter"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Messages are those of one kind, of each link and round all or one. They tell which of
// them arrive.
type Messages struct {
	e   *Environment
	of  string
	nth int
}

// Of returns what an environment does to the messages of a kind: with a number to the n-th
// that a process sends another in a round, from 1.
func (e *Environment) Of(kind string, nth int) Messages { return Messages{e, kind, nth} }

// Picks tells whether a fault of the environment hits one kind of message alone.
func (e *Environment) Picks() bool { return len(e.ofKinds) > 0 }

// Counts tells whether a fault of the environment hits one message of a kind alone, of those
// that are sent in a round.
func (e *Environment) Counts(kind string, round int) bool {
	return slices.ContainsFunc(e.ofKinds, func(f rounds.Fault) bool {
		return f.Nth > 0 && f.Of == kind && f.Round <= round && round <= max(f.Round, f.Until)
	})
}

// hit tells whether a fault of a link hits them.
func (m Messages) hit(f rounds.Fault) bool {
	return f.Of == "" || f.Of == m.of && (f.Nth == 0 || f.Nth == m.nth)
}

// Delivers tells whether the messages from process from to process to of round arrive in
// that round.
func (m Messages) Delivers(from, to, round int) bool {
	return m.e.Delivers(from, to, round) && !slices.ContainsFunc(m.e.ofKinds, func(f rounds.Fault) bool {
		return m.Loses(f, from, to, round)
	})
}

// Cause returns the fault that loses the messages from process from to process to of
// round, the first in normal form if there are several. It returns false if they
// arrive.
func (m Messages) Cause(from, to, round int) (rounds.Fault, bool) {
	return m.first(m.e.in(round), func(f rounds.Fault) bool { return m.Loses(f, from, to, round) })
}

// Loses tells whether the fault f alone loses the messages from process from to process
// to of round.
func (m Messages) Loses(f rounds.Fault, from, to, round int) bool {
	return m.hit(f) && m.e.strikes(f, from, to, round)
}

// Arrives tells whether the messages from process from to process to of round sent
// arrive at the end of round at.
func (m Messages) Arrives(from, to, sent, at int) bool {
	if at == sent {
		return m.Delivers(from, to, sent)
	}
	return slices.ContainsFunc(m.Postponed(from, to, sent), func(f rounds.Fault) bool {
		_, lost := m.lost(f)
		return !lost && f.Round+f.By == at
	})
}

// Postponed returns the delay and the duplicate of the messages from process from to
// process to of round.
func (m Messages) Postponed(from, to, round int) []rounds.Fault {
	var all []rounds.Fault
	for _, f := range m.e.postpone {
		if f.Round == round && m.e.index[f.Process] == from && m.e.index[f.To] == to && m.hit(f) {
			all = append(all, f)
		}
	}
	return all
}

// lost returns the fault that loses the late message of f, as Environment.Lost does.
func (m Messages) lost(f rounds.Fault) (rounds.Fault, bool) {
	from, to, at := m.e.index[f.Process], m.e.index[f.To], f.Round+f.By
	return m.first(m.e.inEither(f.Round, at), func(g rounds.Fault) bool { return m.severs(g, from, to, f.Round) || m.Loses(g, -1, to, at) })
}

// severs tells whether a fault alone loses the messages from process from to process to in
// a round, whenever they would arrive, for another reason than that the receiver is down.
func (m Messages) severs(f rounds.Fault, from, to, round int) bool {
	if f.Kind == rounds.Delay || f.Kind == rounds.Duplicate || !m.Loses(f, from, to, round) {
		return false
	}
	return f.Kind != rounds.Crash || m.e.index[f.Process] == from
}

// first returns the fault that comes first in normal form of those that are so.
func (m Messages) first(of iter.Seq[rounds.Fault], are func(rounds.Fault) bool) (rounds.Fault, bool) {
	var causes []rounds.Fault
	for f := range of {
		if are(f) {
			causes = append(causes, f)
		}
	}
	if len(causes) == 0 {
		return rounds.Fault{}, false
	}
	return slices.MinFunc(causes, rounds.Fault.Compare), true
}
