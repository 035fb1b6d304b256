package bisect

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the report as Markdown, for a comment or a page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	if r.Interrupted {
		b.WriteString("**Interrupted: this is what was known by then.**\n\n")
	}
	for i, m := range r.Matrices {
		if i > 0 {
			b.WriteString("\n")
		}
		m.markdown(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (m *Matrix) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "## %s\n\n", escape(m.about()))
	for _, line := range m.scopes() {
		fmt.Fprintf(b, "%s  \n", escape(line))
	}
	b.WriteString("\n")
	for i, row := range m.table() {
		for j, cell := range row {
			b.WriteString("| " + escape(cell) + " ")
			if j == len(row)-1 {
				b.WriteString("|\n")
			}
		}
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	if len(m.Schedules) > 0 {
		fmt.Fprintf(b, "\n%s what replaying the schedule does to the version.\n", labels(len(m.Schedules)))
	}
	for i, remark := range m.remarks() {
		if i == 0 {
			b.WriteString("\n")
		}
		text, _, _ := strings.Cut(remark[1], "\n")
		fmt.Fprintf(b, "- %s: %s\n", escape(remark[0]), escape(text))
	}
	b.WriteString("\n### Root cause\n\n")
	for _, sentence := range m.Conclusion.Sentences {
		fmt.Fprintf(b, "- %s\n", escape(sentence))
	}
	for _, c := range m.Changes {
		fmt.Fprintf(b, "\n### %s\n\n", escape(m.heading(c)))
		c.markdown(b, m)
	}
}

func (c *Change) markdown(b *bytes.Buffer, m *Matrix) {
	if c.Reason != "" {
		fmt.Fprintf(b, "Not compared: %s\n", escape(c.Reason))
		return
	}
	b.WriteString("What the outcome rests on:\n\n")
	for _, side := range []struct {
		word  string
		moves []Move
	}{{"left", c.Left}, {"entered", c.Entered}} {
		own, unchanged := changed(side.moves)
		for _, e := range own {
			fmt.Fprintf(b, "- %s: %s `%s`", side.word, e.Kind, e.Text)
			if notes := e.notes(); notes != "" {
				b.WriteString(" (" + escape(notes) + ")")
			}
			b.WriteString("\n")
		}
		if unchanged > 0 {
			fmt.Fprintf(b, "- %s: %s\n", side.word, unchangedText(unchanged))
		}
	}
	if len(c.Left)+len(c.Entered) == 0 {
		b.WriteString("- nothing entered or left it\n")
	}
	if c.boundsDiffer(m) {
		b.WriteString("\nThe bounds differ: see the scope of each version.\n")
	}
	if d := c.Divergence; d != nil {
		fmt.Fprintf(b, "\nUnder the faults they first differ in round %d:\n\n```diff\n", d.Round)
		for _, event := range shorten(d.Before) {
			b.WriteString("- " + event + "\n")
		}
		for _, event := range shorten(d.After) {
			b.WriteString("+ " + event + "\n")
		}
		b.WriteString("```\n")
	}
	if c.Diff != "" {
		fmt.Fprintf(b, "\n```diff\n%s```\n", c.Diff)
	}
}

// escape keeps a text from meaning something in Markdown.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "&", "&amp;", "~", `\~`, "$", `\$`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "#", `\#`, "\n", " ").Replace(text)
}
