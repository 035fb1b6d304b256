package bisect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Conclusion is the root cause in words.
type Conclusion struct {
	First   int    `json:"-"`              // the first finding that is violated; -1 if none is
	Version string `json:"first_violated"` // its version

	// The violated versions, by name, whose bugs replay would have missed.
	MissedForward result.List[string] `json:"missed_forward"` // no schedule found in an earlier violated version breaks them: regression tests
	MissedBack    result.List[string] `json:"missed_back"`    // the schedule of the newest violated version does not break them: root cause analysis
	MissedAll     result.List[string] `json:"missed_all"`     // no schedule found in any other version breaks them

	Sentences result.List[string] `json:"sentences"`
}

// conclude fills in the conclusion.
func (m *Matrix) conclude(oneChange bool) {
	m.Conclusion = Conclusion{First: -1}
	c := &m.Conclusion
	violated := m.in(Violated)
	if len(violated) > 0 {
		c.First = violated[0]
		c.Version = m.Findings[c.First].Version
	}
	m.history(oneChange)
	m.unknown(oneChange)
	if len(violated) > 1 {
		m.missed(violated)
	}
}

func (c *Conclusion) say(format string, args ...any) {
	c.Sentences = append(c.Sentences, fmt.Sprintf(format, args...))
}

// in returns the findings of a state.
func (m *Matrix) in(s State) []int {
	var all []int
	for i, f := range m.Findings {
		if f.State == s {
			all = append(all, i)
		}
	}
	return all
}

// history tells where the verdict changes.
func (m *Matrix) history(oneChange bool) {
	c := &m.Conclusion
	last := -1
	for i, f := range m.Findings {
		if !f.State.known() {
			continue
		}
		switch first, where := c.First == i, m.where(last, i); {
		case first && last < 0:
			c.say("The promise can be broken in %s, the first version: %s.", where, m.how(i))
		case first:
			c.say("%s is the first version in which %s: %s.", where, m.firstWords(i), m.how(i))
		case m.broken(i) && !m.broken(last):
			c.say("In %s it can be broken again: %s.", where, m.how(i))
		case !m.broken(i) && last >= 0 && m.broken(last):
			c.say("%s %s.", where, m.mended(i))
		}
		last = i
	}
	switch {
	case last < 0:
		c.say("Nothing is known about any version.")
	case c.First < 0 && len(m.in(Holds)) == len(m.Findings):
		c.say("No schedule within the bounds breaks the promise in any version.")
	case c.First < 0:
		c.say("No version is known in which the promise can be broken.")
	}
	if first, last := m.Findings[0].State, m.Findings[len(m.Findings)-1].State; oneChange && first.known() && last.known() &&
		(first == Violated) == (last == Violated) {
		c.say("The first version and the last have the same verdict, so that the history does not have one change: search all versions, without --first-bad.")
	}
}

// how says what breaks a version.
func (m *Matrix) how(i int) string {
	f := m.Findings[i]
	if f.Schedule.Size() == 0 {
		return "it fails without faults"
	}
	if f.Replayed != "" {
		return fmt.Sprintf("%s, the schedule of %s, breaks it", f.Schedule, f.Replayed)
	}
	return f.Schedule.String()
}

// mended says how well it is known that a version is good.
func (m *Matrix) mended(i int) string {
	if f := m.Findings[i]; f.State == NothingFound {
		return fmt.Sprintf("is the next in which no schedule was found that breaks it (%s)", f.Reason)
	}
	return "holds: no schedule within the bounds breaks it"
}

// firstWords says how well it is known that the versions before one are good.
func (m *Matrix) firstWords(i int) string {
	if slices.ContainsFunc(m.Findings[:i], func(f Finding) bool { return f.State == NothingFound }) {
		return "a schedule was found that breaks the promise"
	}
	return "the promise can be broken"
}

// where names a version, with those before it in which the verdict may have
// changed already.
func (m *Matrix) where(last, i int) string {
	const few = 4
	name := m.Findings[i].Version
	unknown := m.Findings[last+1 : i]
	if len(unknown) == 0 {
		return name
	}
	if len(unknown) > few {
		return fmt.Sprintf("%s (or one of the %d before it of which nothing is known)", name, len(unknown))
	}
	var texts []string
	for _, f := range unknown {
		texts = append(texts, fmt.Sprintf("%s, %s", f.Version, f.State))
	}
	return fmt.Sprintf("%s (or %s)", name, strings.Join(texts, "; or "))
}

// unknown says which versions leave the history open.
func (m *Matrix) unknown(oneChange bool) {
	for _, s := range []State{Inconclusive, Skipped, NotSearched} {
		names := m.names(m.in(s))
		if len(names) == 0 || s == NotSearched && oneChange {
			continue
		}
		m.Conclusion.say("%s: %s. The verdict may have changed there unseen.", strings.ToUpper(string(s[:1]))+string(s[1:]), strings.Join(names, ", "))
	}
}

// missed says which bugs replay would have missed.
func (m *Matrix) missed(violated []int) {
	c := &m.Conclusion
	newest := violated[len(violated)-1]
	for _, i := range violated {
		name := m.Findings[i].Version
		earlier := func(j int) bool { return j < i }
		other := func(j int) bool { return j != i }
		if i != violated[0] && m.missedBy(i, earlier) {
			c.MissedForward = append(c.MissedForward, name)
		}
		if i != newest && m.missedBy(i, func(j int) bool { return j == newest }) {
			c.MissedBack = append(c.MissedBack, name)
		}
		if m.missedBy(i, other) {
			c.MissedAll = append(c.MissedAll, name)
		}
	}
	if len(c.MissedForward) > 0 {
		bugs, them := bugsIn(c.MissedForward)
		c.say("As a regression test, replay would have missed %s: no schedule found in an earlier version breaks %s.", bugs, them)
	}
	if len(c.MissedBack) > 0 {
		blamed := ""
		if oldest := m.Findings[m.oldestBrokenBy(newest)].Version; oldest != m.Findings[c.First].Version {
			blamed = fmt.Sprintf(", and takes %s for the first bad version", oldest)
		}
		bugs, them := bugsIn(c.MissedBack)
		c.say("In search of the root cause, replay would have missed %s: the schedule of %s does not break %s%s.", bugs, m.Findings[newest].Version, them, blamed)
	}
	if len(c.MissedAll) > 0 {
		bugs, them := bugsIn(c.MissedAll)
		c.say("Only a search of the version itself finds %s: no schedule found in any other version breaks %s.", bugs, them)
	}
	if len(c.MissedForward)+len(c.MissedBack)+len(c.MissedAll) == 0 {
		c.say("Replay would have missed no bug here: every violated version is broken by schedules of the others.")
	}
}

// missedBy tells whether a version was searched, and is broken by no schedule
// that a search found in those versions.
func (m *Matrix) missedBy(i int, in func(int) bool) bool {
	asked := false
	for _, s := range m.Schedules {
		for _, j := range s.In {
			if !in(j) {
				continue
			}
			switch s.Effects[i].Outcome {
			case Breaks:
				return false
			case Keeps, Misfit:
				asked = true
			}
		}
	}
	return asked
}

// oldestBrokenBy returns the version that replaying one's schedule back would
// blame.
func (m *Matrix) oldestBrokenBy(newest int) int {
	for _, s := range m.Schedules {
		if slices.Contains(s.In, newest) {
			return slices.IndexFunc(s.Effects, func(e Effect) bool { return e.Outcome == Breaks })
		}
	}
	return newest
}

// bugsIn names the bugs in versions, and the word that stands for them.
func bugsIn(versions []string) (bugs, them string) {
	if len(versions) == 1 {
		return "the bug in " + versions[0], "it"
	}
	return "the bugs in " + plural.List(versions, "and"), "them"
}
