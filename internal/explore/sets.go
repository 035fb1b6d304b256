package explore

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Sets are fault sets that break the promise, or reach another goal, in the order in which
// they are to be tried.
type Sets struct {
	All    []result.Counterexample
	Groups []Group // each of which has at least one set
	Locks  []Lock  // the locks of the question
}

// Group is sets that are one in some respect, by their places in All: the group stands
// where the first does.
type Group struct {
	result.Group // the common part of its sets; empty for a set that was put in no group
	Members      []int
}

// NewSets returns fault sets with their groups. Without groups, each set is a group of its
// own.
func NewSets(all []result.Counterexample, groups []result.Group, locks []Lock) *Sets {
	s := &Sets{All: all, Locks: locks}
	for _, g := range groups {
		s.Groups = append(s.Groups, Group{Group: g})
	}
	for i, c := range all {
		if len(groups) == 0 {
			s.Groups = append(s.Groups, Group{Members: []int{i}})
			continue
		}
		g := &s.Groups[c.Group-1]
		g.Members = append(g.Members, i)
	}
	return s
}

// Group returns the group of a set.
func (s *Sets) Group(set int) int {
	return slices.IndexFunc(s.Groups, func(g Group) bool { return slices.Contains(g.Members, set) })
}

// Fold is the word by which fault sets are put in groups; "" if they are not.
func (e *Exploration) Fold() string { return e.fold }

// Refold takes the next word, after the last one none, and tells whether there are any.
func (e *Exploration) Refold() bool {
	p := e.asked.AsProtocol()
	if p == nil {
		return false
	}
	folds := append(p.Folds(), "")
	e.fold = folds[(slices.Index(folds, e.fold)+1)%len(folds)]
	return len(folds) > 1
}
