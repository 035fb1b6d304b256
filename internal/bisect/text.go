package bisect

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/text"
)

// WriteText writes the report for a person.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	if r.Interrupted {
		fmt.Fprintln(&b, r.reached())
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
	fmt.Fprintln(b, text.Safe(m.about()))
	field(b, "scope", m.scopes()...)
	b.WriteString("\n")
	if len(m.Inputs) > 1 {
		text.Table(b, "  ", m.grid())
		b.WriteString("\n")
	}
	text.Table(b, "  ", m.table())
	if len(m.Schedules) > 0 {
		fmt.Fprintf(b, "\n  %s each version under the schedule of that number\n", labels(len(m.Schedules)))
	}
	if remarks := m.remarks(); len(remarks) > 0 {
		b.WriteString("\n")
		for _, remark := range remarks {
			field(b, remark[0], strings.Split(remark[1], "\n")...)
		}
	}
	b.WriteString("\n")
	field(b, "cause", m.Conclusion.Sentences...)
	for i, c := range m.Changes {
		fmt.Fprintf(b, "\n  %s\n", text.Safe(m.heading(c)))
		c.text(b, m)
		if known := m.sameDiff(i); known != "" {
			field(b, "diff", "the same as with "+known)
			continue
		}
		for line := range strings.Lines(text.SafeLines(c.Diff)) {
			b.WriteString("  " + line)
		}
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

// field writes a named text; all lines but the first are indented below it.
func field(b *bytes.Buffer, name string, lines ...string) {
	text.Field(b, "  ", 13, name, lines...)
}

func (c *Change) text(b *bytes.Buffer, m *Matrix) {
	if c.Reason != "" {
		field(b, "not compared", strings.Split(c.Reason, "\n")...)
		return
	}
	word := ""
	for _, l := range c.support() {
		if l.Word == word {
			l.Word = ""
		} else {
			word = l.Word
		}
		field(b, l.Word, c.supportText(l))
	}
	field(b, "support", c.unchanged())
	field(b, "inputs", c.Inputs.lines()...)
	if c.boundsDiffer(m) {
		field(b, "bounds", "they differ: see the scope of each version")
	}
	if c.Divergence != nil {
		c.differ(b)
	}
	c.partText(b)
}

// supportText is an element that entered or left, with its kind unless that
// shows.
func (c Change) supportText(l supportLine) string {
	text := l.Text
	if l.Kind != "" && l.File == "" {
		text = l.Kind + " " + text
	}
	if l.Notes != "" {
		text += "   " + l.Notes
	}
	return text
}

// differ writes the first difference between the two versions, in lines that fit on a
// screen, for any names of versions and messages.
func (c *Change) differ(b *bytes.Buffer) {
	const screen, narrow, wide = 120, 13, 40
	before, after := execution.Apart([]string{c.Before}, []string{c.After}, wide)
	name := max(narrow, text.Width(before[0])+2, text.Width(after[0])+2)
	left, right := c.shown(screen - name)
	field(b, "differ", fmt.Sprintf("first in round %d, under the faults%s", c.Divergence.Round, c.chance()))
	text.Field(b, "  ", name, before[0], left...)
	text.Field(b, "  ", name, after[0], right...)
}

// shown returns the events in which the versions differ, cut to a readable number.
func (c *Change) shown(width int) (before, after []string) {
	const most = 5
	d := c.Divergence
	before, after = d.Shown(most, width)
	return andMore(before, d.Before), andMore(after, d.After)
}

// andMore says how many events are not shown.
func andMore(shown, all []string) []string {
	if more := len(all) - len(shown); more > 0 {
		return append(shown, fmt.Sprintf("and %d more", more))
	}
	return shown
}
