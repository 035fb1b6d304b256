package bisect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
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
	MissedInputs  result.List[string] `json:"missed_inputs"`  // no schedule found with any other input breaks them

	ChangedBy Factor `json:"changed_by"` // what changes the verdict, where there are several inputs; else ""

	Sentences result.List[string] `json:"sentences"` // all of it, as people read it
}

// conclude fills in the conclusion.
func (m *Matrix) conclude(oneChange bool) {
	m.Conclusion = Conclusion{First: -1}
	c := &m.Conclusion
	violated := m.in(Violated)
	if len(violated) > 0 {
		c.First = slices.MinFunc(violated, func(i, j int) int { return cmp.Or(m.version(i)-m.version(j), i-j) })
		c.Version = m.Findings[c.First].Version
	}
	m.factor()
	for _, h := range m.histories() {
		m.history(h, oneChange)
	}
	m.kin()
	m.unknown(oneChange)
	if len(violated) > 1 {
		m.missed(violated)
	}
}

func (c *Conclusion) say(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.Sentences, text) {
		c.Sentences = append(c.Sentences, text)
	}
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
func (m *Matrix) history(h history, oneChange bool) {
	c := &m.Conclusion
	said := len(c.Sentences)
	last, good := -1, true
	for i := h.first; i <= h.last; i++ {
		if !m.Findings[i].State.known() {
			continue
		}
		m.step(h, last, i, good)
		good = good && !m.broken(i)
		last = i
	}
	switch {
	case last < 0:
		c.say("No version has a verdict.")
	case good && m.all(h, Holds):
		c.say("No schedule within the bounds breaks the promise in any version.")
	case good:
		c.say("No version was found in which the promise can be broken.")
	}
	if oldest, newest := m.Findings[h.first].State, m.Findings[h.last].State; oneChange && oldest.known() && newest.known() &&
		(oldest == Violated) == (newest == Violated) {
		c.say("The first and the last version have the same verdict, so the verdict does not change exactly once: search all versions, without --first-bad.")
	}
	for i := said; i < len(c.Sentences) && len(m.Inputs) > 1; i++ {
		c.Sentences[i] = "With " + h.input + ": " + c.Sentences[i]
	}
}

// step describes the change of a version from the last version with a verdict (-1: there is
// none); good says that all versions before it are good.
func (m *Matrix) step(h history, last, i int, good bool) {
	c, where := &m.Conclusion, m.where(max(last, h.first-1), i)
	same := last >= 0 && m.alike(last, i)
	switch broken := m.broken(i); {
	case broken && last < 0:
		c.say("The promise can be broken in %s, the first version: %s.", where, m.how(i))
	case last < 0 || broken == m.broken(last):
	case broken && same:
		c.say("In one version the promise can be broken with the inputs of %s, but not with those of %s: %s.", where, m.Findings[last].Version, m.how(i))
	case broken && good:
		c.say("%s is the first version in which %s: %s.", where, m.firstWords(h, i), m.how(i))
	case broken:
		c.say("In %s it can be broken again: %s.", where, m.how(i))
	case same:
		c.say("With the inputs of %s it %s: the version is that of %s.", where, m.mended(i), m.Findings[last].Version)
	default:
		c.say("%s %s.", where, m.mended(i))
	}
}

// all tells whether all findings of a history have a state.
func (m *Matrix) all(h history, s State) bool {
	return !slices.ContainsFunc(m.Findings[h.first:h.last+1], func(f Finding) bool { return f.State != s })
}

// alike tells whether two findings are about one version with different inputs.
func (m *Matrix) alike(i, j int) bool {
	f, g := m.Findings[i], m.Findings[j]
	return f.Kin != "" && f.Kin == g.Kin || f.Kin == g.Version || g.Kin == f.Version
}

// kin lists the versions that differ only in their inputs, and those for which it is not
// known whether the rules or the inputs changed the verdict.
func (m *Matrix) kin() {
	groups := map[string][]string{}
	var order []string
	for _, f := range m.Findings[:m.histories()[0].last+1] {
		if f.Kin == "" {
			continue
		}
		if groups[f.Kin] == nil {
			order, groups[f.Kin] = append(order, f.Kin), []string{f.Kin}
		}
		groups[f.Kin] = append(groups[f.Kin], f.Version)
	}
	for _, name := range order {
		m.Conclusion.say("%s are one version: they differ in input facts only. Give each version the same inputs with --inputs.", text.List(groups[name], "and"))
	}
	for _, c := range m.Changes {
		switch {
		case c.Inputs == nil || len(c.Inputs.Relations) == 0 || m.alike(c.From, c.To):
		case c.Inputs.requests:
			m.Conclusion.say("From %s to %s both the requests of clients and the program change: ldfi cannot say which of them changed the verdict.", c.Before, c.After)
		default:
			m.Conclusion.say("From %s to %s the inputs change as well (%s): search with --inputs to see whether they or the rules changed the verdict.",
				c.Before, c.After, text.List(c.Inputs.Relations, "and"))
		}
	}
}

// how says which faults break a version.
func (m *Matrix) how(i int) string {
	f := m.Findings[i]
	if f.Repeats != nil {
		return m.howOften(i)
	}
	if f.Schedule.Size() == 0 {
		return "it fails without faults"
	}
	if f.Replayed != "" {
		return fmt.Sprintf("%s, the schedule of %s, breaks it", f.Schedule, f.Replayed)
	}
	return f.Schedule.String()
}

// howOften says how often a version breaks if executions of one schedule may differ.
func (m *Matrix) howOften(i int) string {
	f := m.Findings[i]
	of := ""
	if f.Replayed != "" {
		of = ", the schedule of " + f.Replayed + ","
	}
	return fmt.Sprintf("%s%s %s", cmp.Or(f.Schedule.String(), "without faults it"), of, f.Repeats.Found())
}

// mended says how certain it is that a version is good.
func (m *Matrix) mended(i int) string {
	if f := m.Findings[i]; f.State == NothingFound {
		return fmt.Sprintf("is the next version without a schedule that breaks it, as far as it was searched (%s)", f.Reason)
	}
	return "holds: no schedule within the bounds breaks it"
}

// firstWords says how certain it is that all earlier versions are good.
func (m *Matrix) firstWords(h history, i int) string {
	if slices.ContainsFunc(m.Findings[h.first:i], func(f Finding) bool { return f.State == NothingFound }) {
		return "a schedule was found that breaks the promise"
	}
	return "the promise can be broken"
}

// where names a version, with the versions before it in which the verdict may have changed
// already.
func (m *Matrix) where(last, i int) string {
	const few = 4
	name := m.Findings[i].Version
	unknown := m.Findings[last+1 : i]
	if len(unknown) == 0 {
		return name
	}
	if len(unknown) > few {
		return fmt.Sprintf("%s (or one of the %d versions without a verdict before it)", name, len(unknown))
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
