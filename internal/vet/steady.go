package vet

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// steady tells whether a relation that depends on no message has the same facts in all
// rounds, with any crashes. It returns false while the rounds are unknown.
func (a *analysis) steady(relation string) bool {
	if a.schedule == nil {
		return false
	}
	same, known := a.same[relation]
	if !known {
		same = a.unchanged(relation) && !a.stopped(relation)
		a.same[relation] = same
	}
	return same
}

// unchanged tells whether a relation has the same facts in all rounds without faults.
func (a *analysis) unchanged(relation string) bool {
	first := fmt.Sprint(a.schedule.timed.Facts(relation, 1))
	return !slices.ContainsFunc(a.after(), func(round int) bool {
		return fmt.Sprint(a.schedule.timed.Facts(relation, round)) != first
	})
}

// stops tells whether a crash stops a process from keeping facts.
func (a *analysis) stops() bool { return a.Bounds.Crashes != 0 && a.Bounds.CrashStop }

// stopped tells whether a relation may lack facts when a process stops that keeps them at
// another process: its own facts stay unchanged then.
func (a *analysis) stopped(relation string) bool {
	return a.stops() && slices.ContainsFunc(a.Program.Slice(relation).Rules, func(r *syntax.Rule) bool {
		return r.Kind == syntax.Next && (r.Location() == nil || !placed(&r.Head, r.Location()))
	})
}

// anywhere tells whether every process may read an atom that depends on no message: its own
// facts, facts that are the same in all rounds, and facts of the first round.
func (a *analysis) anywhere(r *syntax.Rule, t syntax.Term) bool {
	switch {
	case a.schedule == nil || a.fixed(r, t):
		return true
	case t.At > 0:
		return !a.stops()
	default:
		return r.Location() != nil && placed(t.Atom, r.Location())
	}
}

// fixed tells whether a rule reads the same in all rounds.
func (a *analysis) fixed(r *syntax.Rule, t syntax.Term) bool {
	return t.At == 1 || a.steady(t.Atom.Relation) || t.At == 0 && a.lists(r, t.Atom)
}

// lists tells whether a rule reads only the process of an atom, as in clock(P, _), and the
// processes are the same in all rounds. The result is false if clocks are unknown.
func (a *analysis) lists(r *syntax.Rule, atom *syntax.Atom) bool {
	if a.schedule == nil || len(atom.Args) < 2 || a.stopped(atom.Relation) {
		return false
	}
	for _, e := range atom.Args[1:] {
		if !ignored(r, e) {
			return false
		}
	}
	return !slices.ContainsFunc(a.after(), func(round int) bool {
		return a.listed(atom.Relation, round) != a.listed(atom.Relation, 1)
	})
}

// listed returns the processes that have facts of a relation in a round.
func (a *analysis) listed(relation string, round int) string {
	var all []string
	for _, row := range a.schedule.timed.Facts(relation, round) {
		all = append(all, row[0].String())
	}
	slices.Sort(all)
	return fmt.Sprint(slices.Compact(all))
}

// after returns the rounds after the first.
func (a *analysis) after() (all []int) {
	for round := 2; round <= a.Bounds.EOT; round++ {
		all = append(all, round)
	}
	return all
}

// open tells whether a rule may have its head at any process: it depends on no message, and
// reads the same in all rounds.
func (a *analysis) open(r *syntax.Rule) bool {
	return a.timed[r.Head.Relation] && !slices.ContainsFunc(r.Body, func(t syntax.Term) bool {
		return t.Atom != nil && a.schedule != nil && !a.fixed(r, t)
	})
}
