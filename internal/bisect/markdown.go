package bisect

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// markdownEscapes keeps a text from meaning something in Markdown.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "&", "&amp;", "~", `\~`, "$", `\$`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "#", `\#`, "\n", " ")

// WriteMarkdown writes the report as Markdown, for a comment or a page.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := &markdown{}
	if r.Interrupted {
		out.line("**Interrupted: this is what was known by then.**\n")
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

// markdown is a text in Markdown.
type markdown struct{ bytes.Buffer }

func (b *markdown) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

// matrix tells about one system or protocol: the table, and what changed.
func (b *markdown) matrix(m *Matrix) {
	b.line("## %s\n", escape(m.about()))
	for _, scope := range m.scopes() {
		b.line("%s  ", escape(scope))
	}
	b.line("")
	for i, row := range m.table() {
		for _, cell := range row {
			b.WriteString("| " + escape(cell) + " ")
		}
		b.line("|")
		if i == 0 {
			b.line("%s|", strings.Repeat("|---", len(row)))
		}
	}
	if n := len(m.Schedules); n > 0 {
		b.line("\n%s what replaying the schedule does to the version.", labels(n))
	}
	for i, remark := range m.remarks() {
		if i == 0 {
			b.line("")
		}
		first, _, _ := strings.Cut(remark[1], "\n")
		b.line("- %s: %s", escape(remark[0]), escape(first))
	}
	b.line("\n### Root cause\n")
	for _, sentence := range m.Conclusion.Sentences {
		b.line("- %s", escape(sentence))
	}
	for _, c := range m.Changes {
		b.line("\n### %s\n", escape(m.heading(c)))
		b.change(c, m)
	}
}

// change tells what lies between two versions.
func (b *markdown) change(c Change, m *Matrix) {
	if c.Reason != "" {
		b.line("Not compared: %s", escape(c.Reason))
		return
	}
	b.line("What the outcome rests on:\n")
	lines := c.support()
	for _, l := range lines {
		text := l.Text
		if l.Kind != "" {
			text = l.Kind + " `" + l.Text + "`"
			if l.Notes != "" {
				text += " (" + escape(l.Notes) + ")"
			}
		}
		b.line("- %s: %s", l.Word, text)
	}
	if len(lines) == 0 {
		b.line("- nothing entered or left it")
	}
	if c.boundsDiffer(m) {
		b.line("\nThe bounds differ: see the scope of each version.")
	}
	if d := c.Divergence; d != nil {
		b.line("\nUnder the faults they first differ in round %d:\n\n```diff", d.Round)
		for _, event := range shorten(d.Before) {
			b.line("- %s", event)
		}
		for _, event := range shorten(d.After) {
			b.line("+ %s", event)
		}
		b.line("```")
	}
	if c.Diff != "" {
		b.line("\n```diff\n%s```", c.Diff)
	}
}

func escape(text string) string { return markdownEscapes.Replace(text) }
