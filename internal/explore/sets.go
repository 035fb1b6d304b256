package explore

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Sets are fault sets that break the promise, or do what else was asked for: in the order
// in which they are to be tried, those that differ in their rounds only as one group.
type Sets struct {
	All    []result.Counterexample
	Groups []Group
	Locks  []Lock // under which they were asked for
}

// Group is some of the sets, by their places in All. The first is where the group stands.
type Group struct {
	Name string // what they have in common
	Sets []int
}

// NewSets puts fault sets into groups.
func NewSets(all []result.Counterexample, locks []Lock) *Sets {
	s := &Sets{All: all, Locks: locks}
	for i, c := range all {
		name := withoutRounds(c.Schedule)
		at := slices.IndexFunc(s.Groups, func(g Group) bool { return g.Name == name })
		if at < 0 {
			at, s.Groups = len(s.Groups), append(s.Groups, Group{Name: name})
		}
		s.Groups[at].Sets = append(s.Groups[at].Sets, i)
	}
	return s
}

// Group returns the group of a set.
func (s *Sets) Group(set int) int {
	return slices.IndexFunc(s.Groups, func(g Group) bool { return slices.Contains(g.Sets, set) })
}

// withoutRounds is a schedule of which it does not matter when its faults happen.
func withoutRounds(s rounds.Schedule) string {
	var texts []string
	for _, f := range s.Faults {
		if f.Kind == rounds.Choose {
			continue
		}
		text := f.String()
		if at := strings.Index(text, "@"); at >= 0 {
			text = text[:at]
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}
