package bisect

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
)

// missed lists the bugs that replay would have missed.
func (m *Matrix) missed(violated []int) {
	c := &m.Conclusion
	newest := slices.MaxFunc(violated, func(i, j int) int { return cmp.Or(m.version(i)-m.version(j), j-i) })
	for _, i := range violated {
		m.missedIn(i, newest)
	}
	if bugs, them, some := bugsIn(c.MissedForward); some {
		c.say("As a regression test, replay would have missed %s: no schedule found in an earlier version breaks %s.", bugs, them)
	}
	if bugs, them, some := bugsIn(c.MissedBack); some {
		blamed := ""
		if oldest := m.Findings[m.oldestBrokenBy(newest)].Version; oldest != m.Findings[c.First].Version {
			blamed = fmt.Sprintf(", and takes %s for the first bad version", oldest)
		}
		c.say("In search of the root cause, replay would have missed %s: the schedule of %s does not break %s%s.", bugs, m.Findings[newest].Version, them, blamed)
	}
	if bugs, them, some := bugsIn(c.MissedAll); some {
		c.say("Only a search of the version itself finds %s: no schedule found in any other version breaks %s.", bugs, them)
	}
	if bugs, them, some := bugsIn(c.MissedInputs); some {
		c.say("Only a search with the input itself finds %s: no schedule found with any other input breaks %s.", bugs, them)
	}
	if m.replayed(violated) && len(c.MissedForward)+len(c.MissedBack)+len(c.MissedAll)+len(c.MissedInputs) == 0 {
		c.say("Replay would have missed no bug here: every violated version is broken by schedules of the others.")
	}
}

// missedIn records which replays miss the bug of one finding.
func (m *Matrix) missedIn(i, newest int) {
	c, name := &m.Conclusion, m.Findings[i].name()
	apart := func(j int) bool { return m.version(j) != m.version(i) && !m.alike(i, j) }
	if m.missedBy(i, func(j int) bool { return apart(j) && m.version(j) < m.version(i) }) {
		c.MissedForward = append(c.MissedForward, name)
	}
	if apart(newest) && m.missedBy(i, func(j int) bool { return m.version(j) == m.version(newest) }) {
		c.MissedBack = append(c.MissedBack, name)
	}
	if m.missedBy(i, apart) {
		c.MissedAll = append(c.MissedAll, name)
	}
	if m.missedBy(i, func(j int) bool { return m.Findings[j].Input != m.Findings[i].Input }) {
		c.MissedInputs = append(c.MissedInputs, name)
	}
}

// replayed tells whether a schedule of one version was replayed on another.
func (m *Matrix) replayed(violated []int) bool {
	return slices.ContainsFunc(violated, func(i int) bool { return m.version(i) != m.version(violated[0]) && !m.alike(i, violated[0]) })
}

// missedBy tells whether a version was searched, and no schedule that a search found in a
// version of in breaks it.
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

// oldestBrokenBy returns a finding about the version that replaying one's schedule
// back would blame.
func (m *Matrix) oldestBrokenBy(newest int) int {
	oldest := newest
	for _, s := range m.Schedules {
		if !slices.Contains(s.In, newest) {
			continue
		}
		for i, e := range s.Effects {
			if e.Outcome == Breaks && m.version(i) < m.version(oldest) {
				oldest = i
			}
		}
	}
	return oldest
}

// bugsIn names the bugs in versions, and the word that stands for them, if there
// are some.
func bugsIn(versions []string) (bugs, them string, some bool) {
	switch len(versions) {
	case 0:
		return "", "", false
	case 1:
		return "the bug in " + versions[0], "it", true
	default:
		return "the bugs in " + text.List(versions, "and"), "them", true
	}
}
