package bisect

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// WriteMarkdown writes the report as Markdown, for a comment or a page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := &page{}
	if r.Interrupted {
		out.line("**" + sentence(r.reached()) + "**\n")
	}
	for i, m := range r.Matrices {
		if i > 0 {
			out.line("")
		}
		out.matrix(m)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// page is a text in Markdown.
type page struct{ bytes.Buffer }

func (b *page) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

// matrix tells about one system or protocol: the table, and what changed.
func (b *page) matrix(m *Matrix) {
	b.line("## %s\n", text.Markdown(m.about()))
	for _, scope := range m.scopes() {
		b.line("%s  ", text.Markdown(scope))
	}
	b.line("")
	if len(m.Inputs) > 1 {
		b.table(m.grid())
		b.line("")
	}
	b.table(m.table())
	if n := len(m.Schedules); n > 0 {
		b.line("\n%s what replaying the schedule does to the version.", labels(n))
	}
	for i, remark := range m.remarks() {
		if i == 0 {
			b.line("")
		}
		first, _, _ := strings.Cut(remark[1], "\n")
		b.line("- %s: %s", text.Markdown(remark[0]), text.Markdown(first))
	}
	b.line("\n### Root cause\n")
	for _, sentence := range m.Conclusion.Sentences {
		b.line("- %s", text.Markdown(sentence))
	}
	for i, c := range m.Changes {
		b.line("\n### %s\n", text.Markdown(m.heading(c)))
		b.change(c, m)
		switch known := m.sameDiff(i); {
		case known != "":
			b.line("\nThe diff is the same as with %s.", text.Markdown(known))
		case c.Diff != "":
			b.line("\n%s", text.MarkdownFenced("diff", c.Diff))
		}
	}
}

// table writes cells, the first row the heading.
func (b *page) table(rows [][]string) {
	for i, row := range rows {
		for _, cell := range row {
			b.WriteString("| " + text.MarkdownCell(text.Markdown(cell)) + " ")
		}
		b.line("|")
		if i == 0 {
			b.line("%s|", strings.Repeat("|---", len(row)))
		}
	}
}

// change tells what lies between two versions.
func (b *page) change(c Change, m *Matrix) {
	if c.Reason != "" {
		b.line("Not compared: %s", text.Markdown(c.Reason))
		return
	}
	b.line("What the outcome rests on:\n")
	lines := c.support()
	for _, l := range lines {
		s := text.Markdown(l.Text)
		if l.Kind != "" {
			s = l.Kind + " " + text.MarkdownCode(l.Text)
			if l.Notes != "" {
				s += " (" + text.Markdown(l.Notes) + ")"
			}
		}
		b.line("- %s: %s", l.Word, s)
	}
	if len(lines) == 0 {
		b.line("- %s", c.unchanged())
	}
	if lines := c.Inputs.lines(); len(lines) > 0 {
		b.line("\nThe inputs differ:\n\n%s", text.MarkdownFenced("diff", strings.Join(lines, "\n")))
	}
	if c.boundsDiffer(m) {
		b.line("\nThe bounds differ: see the scope of each version.")
	}
	if d := c.Divergence; d != nil {
		const widest = 100
		before, after := c.shown(widest)
		var lines []string
		for _, event := range before {
			lines = append(lines, "- "+event)
		}
		for _, event := range after {
			lines = append(lines, "+ "+event)
		}
		b.line("\nUnder the faults they first differ in round %d%s:\n\n%s", d.Round, c.chance(), text.MarkdownFenced("diff", strings.Join(lines, "\n")))
	}
	b.part(c)
}

// part says by what the versions part under the schedule.
func (b *page) part(c Change) {
	if c.Unparted != "" {
		b.line("\nNot compared under the faults: %s", text.Markdown(c.Unparted))
	}
	if c.words == nil {
		return
	}
	b.line("\nUnder %s:\n", text.Markdown(c.under()))
	for _, sentence := range c.words.Sentences() {
		b.line("- %s", text.Markdown(sentence))
	}
	if c.Command != "" {
		b.line("\n%s", text.MarkdownFenced("sh", c.Command))
	}
}
