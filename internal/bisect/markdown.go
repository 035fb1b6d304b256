package bisect

import (
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// WriteMarkdown writes the report as Markdown, for a comment or a page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := &page{}
	if r.Interrupted {
		out.Line("**" + sentence(r.reached()) + "**\n")
	}
	for i, m := range r.Matrices {
		if i > 0 {
			out.Line("")
		}
		out.matrix(m)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// page is the report in Markdown.
type page struct{ text.MarkdownPage }

// matrix writes one system or protocol: the table, and the changes.
func (b *page) matrix(m *Matrix) {
	b.Line("## %s\n", text.Markdown(m.about()))
	for _, scope := range m.scopes() {
		b.Line("%s  ", text.Markdown(scope))
	}
	b.Line("")
	if len(m.Inputs) > 1 {
		b.Table(m.grid())
		b.Line("")
	}
	b.Table(m.table())
	if n := len(m.Schedules); n > 0 {
		b.Line("\n%s each version under the schedule of that number.", labels(n))
	}
	for i, remark := range m.remarks() {
		if i == 0 {
			b.Line("")
		}
		first, _, _ := strings.Cut(remark[1], "\n")
		b.Line("- %s: %s", text.Markdown(remark[0]), text.Markdown(first))
	}
	b.Line("\n### Root cause\n")
	for _, sentence := range m.Conclusion.Sentences {
		b.Line("- %s", text.Markdown(sentence))
	}
	for i, c := range m.Changes {
		b.Line("\n### %s\n", text.Markdown(m.heading(c)))
		b.change(c, m)
		switch known := m.sameDiff(i); {
		case known != "":
			b.Line("\nThe diff is the same as with %s.", text.Markdown(known))
		case c.Diff != "":
			b.Line("\n%s", text.MarkdownFenced("diff", c.Diff))
		}
	}
}

// change writes the differences between two versions.
func (b *page) change(c Change, m *Matrix) {
	if c.Reason != "" {
		b.Line("Not compared: %s", text.Markdown(c.Reason))
		return
	}
	b.Line("What the outcome rests on:\n")
	lines := c.support()
	for _, l := range lines {
		s := text.Markdown(l.Text)
		if l.Kind != "" {
			s = l.Kind + " " + text.MarkdownCode(l.Text)
			if l.Notes != "" {
				s += " (" + text.Markdown(l.Notes) + ")"
			}
		}
		b.Line("- %s: %s", l.Word, s)
	}
	if len(lines) == 0 {
		b.Line("- %s", c.unchanged())
	}
	if lines := c.Inputs.lines(); len(lines) > 0 {
		b.Line("\nThe inputs differ:\n\n%s", text.MarkdownFenced("diff", strings.Join(lines, "\n")))
	}
	if c.boundsDiffer(m) {
		b.Line("\nThe bounds differ: see the scope of each version.")
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
		b.Line("\nUnder the faults they first differ in round %d%s:\n\n%s", d.Round, c.chance(), text.MarkdownFenced("diff", strings.Join(lines, "\n")))
	}
	b.part(c)
}

// part writes how the versions part under the schedule.
func (b *page) part(c Change) {
	if c.Unparted != "" {
		b.Line("\nNot compared under the faults: %s", text.Markdown(c.Unparted))
	}
	if c.words == nil {
		return
	}
	b.Line("\nUnder %s:\n", text.Markdown(c.under()))
	for _, sentence := range c.words.Sentences() {
		b.Line("- %s", text.Markdown(sentence))
	}
	if c.Command != "" {
		b.Line("\n%s", text.MarkdownFenced("sh", c.Command))
	}
}
