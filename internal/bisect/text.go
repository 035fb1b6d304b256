package bisect

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteText writes the report for a person.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	if r.Interrupted {
		fmt.Fprintln(&b, "interrupted: this is what was known by then")
	}
	for i, m := range r.Matrices {
		if i > 0 {
			b.WriteString("\n")
		}
		m.text(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (m *Matrix) text(b *bytes.Buffer) {
	fmt.Fprintln(b, m.about())
	for i, line := range m.scopes() {
		field(b, []string{"scope", ""}[min(i, 1)], line)
	}
	b.WriteString("\n")
	align(b, m.table())
	if len(m.Schedules) > 0 {
		fmt.Fprintf(b, "\n  %s what replaying the schedule does to the version\n", labels(len(m.Schedules)))
	}
	if remarks := m.remarks(); len(remarks) > 0 {
		b.WriteString("\n")
		for _, remark := range remarks {
			field(b, remark[0], remark[1])
		}
	}
	b.WriteString("\n")
	for i, sentence := range m.Conclusion.Sentences {
		field(b, []string{"cause", ""}[min(i, 1)], sentence)
	}
	for _, c := range m.Changes {
		fmt.Fprintf(b, "\n  %s\n", m.heading(c))
		c.text(b, m)
	}
}

// labels is the heading of the legend.
func labels(n int) string {
	switch n {
	case 1:
		return label(0) + ":"
	case 2:
		return label(0) + ", " + label(1) + ":"
	default:
		return label(0) + " to " + label(n-1) + ":"
	}
}

// field writes a named text; its further lines are indented below the first.
func field(b *bytes.Buffer, name, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %-13s%s", name, line), " ") + "\n")
		name = ""
	}
}

// align writes a table with its columns one below the other.
func align(b *bytes.Buffer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (c *Change) text(b *bytes.Buffer, m *Matrix) {
	if c.Reason != "" {
		field(b, "not compared", c.Reason)
		return
	}
	moves := func(name string, all []Move) {
		own, unchanged := changed(all)
		for _, e := range own {
			field(b, name, c.elementText(e))
			name = ""
		}
		if unchanged > 0 {
			field(b, name, unchangedText(unchanged))
		}
	}
	moves("left", c.Left)
	moves("entered", c.Entered)
	if len(c.Left)+len(c.Entered) == 0 {
		field(b, "support", "nothing entered or left it")
	}
	if c.boundsDiffer(m) {
		field(b, "bounds", "they differ: see the scope of each version")
	}
	if d := c.Divergence; d != nil {
		field(b, "differ", fmt.Sprintf("first in round %d, under the faults", d.Round))
		for _, side := range []struct {
			version string
			events  []string
		}{{c.Before, d.Before}, {c.After, d.After}} {
			for i, event := range shorten(side.events) {
				field(b, []string{side.version, ""}[min(i, 1)], event)
			}
		}
	}
	for line := range strings.Lines(c.Diff) {
		b.WriteString("  " + line)
	}
}

// elementText is an element that entered or left, with its kind unless that
// shows.
func (c *Change) elementText(e Move) string {
	text := e.Text
	if e.File == "" {
		text = e.Kind + " " + text
	}
	if notes := e.notes(); notes != "" {
		text += "   " + notes
	}
	return text
}

// shorten leaves out what a person would not read.
func shorten(events []string) []string {
	const most, longest = 5, 100
	var lines []string
	for _, event := range events[:min(len(events), most)] {
		if runes := []rune(event); len(runes) > longest {
			event = string(runes[:longest]) + "…"
		}
		lines = append(lines, event)
	}
	if more := len(events) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}
