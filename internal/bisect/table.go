package bisect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// table is the matrix as cells, the first row its heading.
func (m *Matrix) table() [][]string {
	heading := []string{"version", "verdict", "executions"}
	if len(m.Inputs) > 0 {
		heading = []string{"version", "input", "verdict", "executions"}
	}
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
		if n := m.repeated(i); n > folded {
			f.Version = fmt.Sprintf("%d versions", n)
			row := make([]string, len(heading))
			copy(row, m.beginning(f))
			rows = append(rows, row)
			i += n - 1
			continue
		}
		row := m.beginning(f)
		for _, s := range m.Schedules {
			row = append(row, s.Effects[i].cell())
		}
		row = append(row, m.faults(i))
		if noted {
			row = append(row, f.Note)
		}
		rows = append(rows, row)
	}
	return rows
}

// beginning is the first cells of the row of a finding.
func (m *Matrix) beginning(f Finding) []string {
	cells := []string{f.Version, string(f.State), m.executions(f)}
	if len(m.Inputs) > 0 {
		cells = slices.Insert(cells, 1, f.Input)
	}
	return cells
}

// grid is the verdicts of all versions with all inputs as cells.
func (m *Matrix) grid() [][]string {
	rows := [][]string{append([]string{"version"}, m.Inputs...)}
	n := len(m.Findings) / len(m.Inputs)
	for v, f := range m.Findings[:n] {
		row := []string{f.Version}
		for i := v; i < len(m.Findings); i += n {
			row = append(row, string(m.Findings[i].State))
		}
		rows = append(rows, row)
	}
	return rows
}

// folded limits the similar successive lines of a table.
const folded = 3

// repeated returns the number of successive versions from i on that were not searched, or
// are the same program as an earlier version.
func (m *Matrix) repeated(i int) int {
	n := 0
	for _, f := range m.Findings[i:] {
		if f.Input != m.Findings[i].Input || f.State != m.Findings[i].State || f.Same != m.Findings[i].Same || f.State != NotSearched && f.Same == "" {
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
	if f.Repeats != nil {
		text += fmt.Sprintf(" (%d of %d)", f.Repeats.Broken, f.Repeats.Executions)
	}
	switch {
	case f.Replayed != "":
		text += " (of " + f.Replayed + ", replayed)"
	case !f.Minimal && f.Size > 1 && f.Irreducible:
		text += " (none can be left out)"
	case !f.Minimal && f.Size > 1:
		text += " (perhaps not minimal)"
	}
	return text
}

// heading names a change.
func (m *Matrix) heading(c Change) string {
	before, after := m.Findings[c.From], m.Findings[c.To]
	with := ""
	if c.Input != "" {
		with = " with " + c.Input
	}
	return fmt.Sprintf("%s → %s%s: %s → %s", before.Version, after.Version, with, before.State, after.State)
}

// supportLine is an element that entered or left the support, or the number of elements
// that count in one program only though both have them.
type supportLine struct{ Word, Kind, File, Text, Notes string }

// support returns the elements that entered or left the support.
func (c Change) support() []supportLine {
	var lines []supportLine
	if c.unchanged() != "" {
		return nil
	}
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
			lines = append(lines, supportLine{Word: side.word, Text: "1 rule that both programs have"})
		case unchanged > 1:
			lines = append(lines, supportLine{Word: side.word, Text: fmt.Sprintf("%d rules that both programs have", unchanged)})
		}
	}
	return lines
}

// notes returns remarks on an element that entered or left.
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
