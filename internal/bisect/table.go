package bisect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/plural"
)

// table is the matrix as cells, the first row its heading.
func (m *Matrix) table() [][]string {
	heading := []string{"version", "verdict", "executions"}
	for k := range m.Schedules {
		heading = append(heading, label(k))
	}
	heading = append(heading, "fault set")
	noted := slices.ContainsFunc(m.Findings, func(f Finding) bool { return f.Note != "" })
	if noted {
		heading = append(heading, "about")
	}
	rows := [][]string{heading}
	for i := 0; i < len(m.Findings); i++ {
		f := m.Findings[i]
		if n := m.alike(i); n > folded {
			row := make([]string, len(heading))
			row[0], row[1], row[2] = fmt.Sprintf("%d versions", n), string(f.State), m.executions(f)
			rows = append(rows, row)
			i += n - 1
			continue
		}
		row := []string{f.Version, string(f.State), m.executions(f)}
		for _, s := range m.Schedules {
			row = append(row, string(s.Effects[i].Outcome))
		}
		row = append(row, m.faults(i))
		if noted {
			row = append(row, f.Note)
		}
		rows = append(rows, row)
	}
	return rows
}

// folded is how many lines alike, one after the other, a table has at most.
const folded = 3

// alike returns how many versions from one on were not searched, or are the same
// program as one before them.
func (m *Matrix) alike(i int) int {
	n := 0
	for _, f := range m.Findings[i:] {
		if f.State != m.Findings[i].State || f.Same != m.Findings[i].Same || f.State != NotSearched && f.Same == "" {
			break
		}
		n++
	}
	return n
}

// label is the short name of a schedule.
func label(k int) string { return fmt.Sprintf("#%d", k+1) }

func (m *Matrix) executions(f Finding) string {
	switch {
	case f.Same != "":
		return "as " + f.Same
	case !f.State.searched():
		return ""
	default:
		return fmt.Sprint(f.Executions)
	}
}

// faults is the fault set that breaks a version, with its label.
func (m *Matrix) faults(i int) string {
	f := m.Findings[i]
	if f.State != Violated {
		return ""
	}
	text := cmp.Or(f.Schedule.String(), "none: it fails without faults")
	for k, s := range m.Schedules {
		if s.Schedule.String() == f.Schedule.String() {
			text = label(k) + " " + text
		}
	}
	switch {
	case f.Replayed != "":
		text += " (of " + f.Replayed + ", replayed)"
	case !f.Minimal && f.Size > 1:
		text += " (there may be smaller ones)"
	}
	return text
}

// remarks returns what the table has no room for: a name and a text each. What
// is the same for several versions is said once.
func (m *Matrix) remarks() [][2]string {
	var remarks [][2]string
	findings := map[[2]string][]int{} // that they are about
	note := func(name string, i int, text string) {
		remark := [2]string{name, text}
		if text != "" && findings[remark] == nil {
			remarks = append(remarks, remark)
		}
		findings[remark] = append(findings[remark], i)
	}
	for i, f := range m.Findings {
		note(string(f.State), i, f.Reason)
	}
	for k, s := range m.Schedules {
		for i, e := range s.Effects {
			note(label(k), i, e.Reason)
		}
	}
	for i, f := range m.Findings {
		for _, text := range f.Warnings {
			note("warning", i, text)
		}
	}
	for i, remark := range remarks {
		remarks[i][1] = m.remarkText(remark[1], findings[remark])
	}
	return remarks
}

// remarkText is the text of a remark, after the versions that it is about.
func (m *Matrix) remarkText(text string, findings []int) string {
	const few = 4
	names := m.names(findings)
	if len(names) > few {
		names = []string{names[0], fmt.Sprintf("%d more", len(names)-1)}
	}
	if prefix := plural.List(names, "and") + ":"; !strings.HasPrefix(text, prefix) {
		return prefix + " " + text
	}
	return text
}

// names returns the versions of findings.
func (m *Matrix) names(findings []int) []string {
	var names []string
	for _, i := range findings {
		names = append(names, m.Findings[i].Version)
	}
	return names
}

// scopes returns what was searched: one line if that is the same for all
// versions, or one for each that differs from the one before.
func (m *Matrix) scopes() []string {
	var lines, names []string
	for _, f := range m.Findings {
		if f.Scope.Scenarios == nil {
			continue
		}
		if text := f.Scope.Text; len(lines) == 0 || lines[len(lines)-1] != text {
			lines, names = append(lines, text), append(names, f.Version)
		}
	}
	if len(lines) < 2 {
		return lines
	}
	for i := range lines {
		lines[i] = "from " + names[i] + " on: " + lines[i]
	}
	return append(lines, "the versions have different bounds: give flags for those that all are to have")
}

// about is the first line of a matrix.
func (m *Matrix) about() string {
	n := len(m.in(Violated))
	text := fmt.Sprintf("%d of %d versions can be broken", n, len(m.Findings))
	if m.System != "" {
		text = m.System + ": " + text
	}
	return text
}

// heading names a change.
func (m *Matrix) heading(c Change) string {
	before, after := m.Findings[c.From], m.Findings[c.To]
	return fmt.Sprintf("%s → %s: %s → %s", before.Version, after.Version, before.State, after.State)
}

// supportLine is an element that entered or left the support, or says how many
// count in one program only though both have them.
type supportLine struct{ Word, Kind, File, Text, Notes string }

// support returns what entered or left it.
func (c Change) support() []supportLine {
	var lines []supportLine
	for _, side := range []struct {
		word  string
		moves []Move
	}{{"left", c.Left}, {"entered", c.Entered}} {
		unchanged := 0
		for _, e := range side.moves {
			if e.Present {
				unchanged++
				continue
			}
			lines = append(lines, supportLine{side.word, e.Kind, e.File, e.Text, e.notes()})
		}
		switch {
		case unchanged == 1:
			lines = append(lines, supportLine{Word: side.word, Text: "1 rule or fact that both programs have"})
		case unchanged > 1:
			lines = append(lines, supportLine{Word: side.word, Text: fmt.Sprintf("%d rules or facts that both programs have", unchanged)})
		}
	}
	return lines
}

// notes says what an element that entered or left is besides.
func (e Move) notes() string {
	var notes []string
	if e.File != "" {
		notes = append(notes, fmt.Sprintf("%s:%d", e.File, e.Line))
	}
	if e.Faults {
		notes = append(notes, "under the faults")
	}
	return strings.Join(notes, ", ")
}
