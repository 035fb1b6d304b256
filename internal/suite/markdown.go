package suite

import (
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// mostMarkdown is the number of bytes after which no further cases are told
// about. GitHub takes at most 1 MiB for the summary of a step.
const mostMarkdown = 500_000

// WriteMarkdown writes the report as GitHub-flavoured Markdown: a table of all cases, and
// for each unexpected result a section with the violation, the faults, the execution as a
// Mermaid diagram, and the command that executes it again.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := &page{}
	out.Line("## ldfi: %s\n\n%s.\n", text.Markdown(r.title()), text.Markdown(r.summary()))
	out.Line("| | case | verdict | expected | faults | time |\n|---|---|---|---|---|---|")
	for i := range r.Cases {
		out.Line("%s", r.Cases[i].markdownRow())
	}
	for _, s := range append(r.Warnings[:len(r.Warnings):len(r.Warnings)], r.held()...) {
		out.Line("\n**Warning:** %s", text.Markdown(s))
	}
	if note := r.byHosts(); note != "" {
		out.Line("\n**Note:** %s", text.Markdown(note))
	}
	left := 0
	for i := range r.Cases {
		switch {
		case r.Cases[i].Outcome == Pass:
		case out.Len() > mostMarkdown:
			left++
		default:
			out.section(&r.Cases[i])
		}
	}
	out.asynchronous(r.Cases)
	if left > 0 {
		out.Line("\n%s more not told about here.", text.Plural(left, "case"))
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

// held lists kept schedules of cases that pass, and so have no sections, that held in all their
// executions.
func (r *Report) held() (held []string) {
	for i := range r.Cases {
		if r.Cases[i].Outcome == Pass {
			held = append(held, r.Cases[i].held()...)
		}
	}
	return held
}

// byHosts says once which verdicts rest on the word of a host; "" if none do.
func (r *Report) byHosts() string {
	const few = 5
	var names []string
	for i := range r.Cases {
		if answertext.ByWord(r.Cases[i].Answer) != "" {
			names = append(names, r.Cases[i].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if more := len(names) - few; more > 0 {
		names = append(names[:few], fmt.Sprintf("and %d more", more))
	}
	return "the hosts of these searched by themselves, and ldfi did not check their certificates: " + strings.Join(names, ", ")
}

// page is the report in Markdown.
type page struct{ text.MarkdownPage }

// asynchronous says which cases hold in asynchronous executions too, and why others may
// not.
func (m *page) asynchronous(cases []CaseResult) {
	heading := "\nWhat holds, in asynchronous executions:\n\n"
	for i := range cases {
		if a := cases[i].Answer; a != nil && a.Asynchronous != nil && m.Len() < mostMarkdown {
			m.Line("%s- %s: %s", heading, text.Markdown(cases[i].Name), text.Markdown(a.Asynchronous.Text))
			heading = ""
		}
	}
}

// section tells about a case that is not as expected.
func (m *page) section(c *CaseResult) {
	item := func(word, text string) { m.Line("- **%s** %s", word, text) }
	m.Line("\n### %s %s\n\n**%s.**\n", outcomeSigns[c.Outcome], text.Markdown(c.Name), text.Markdown(ends.Replace(c.headline())))
	for _, s := range c.violations() {
		item("violated", text.Markdown(s))
	}
	if broken := c.broken(); broken != nil {
		item("faults", fmt.Sprintf("%s (%s)", text.MarkdownCode(answertext.Schedule(broken.Schedule)), broken.Minimality()))
		for _, written := range broken.Because {
			item("because", text.Markdown(written))
		}
	}
	if c.Answer != nil {
		if scope := scopeText(c.Answer); scope != "" {
			item("scope", text.Markdown(scope))
		}
		for _, content := range c.warnings() {
			item("warning", text.Markdown(content))
		}
	}
	for i := range c.Kept {
		item("kept", text.MarkdownCode(c.Kept[i].File)+": "+text.Markdown(ends.Replace(c.Kept[i].text())))
	}
	if c.NewKept != "" {
		item("keeps", text.MarkdownCode(c.NewKept))
	}
	item("case", text.MarkdownCode(fmt.Sprintf("%s:%d:%d", c.File, c.Line, c.Column)))
	if conflict := c.conflict(); len(conflict) > 0 {
		m.Line("\nThe requests in conflict:\n\n%s", text.MarkdownFenced("text", strings.Join(text.SafeEach(conflict), "\n")))
	}
	if drawing := c.mermaid(); drawing != "" {
		m.Line("\n%s", text.MarkdownFenced("mermaid", drawing))
	}
	if c.Again != "" {
		m.Line("\nTo execute it again:\n\n%s", text.MarkdownFenced("sh", c.Again))
	}
}

var outcomeSigns = map[Outcome]string{Pass: "✅", Fail: "❌", Inconclusive: "❔", Error: "⛔"}

// markdownRow is the line of a case in the table.
func (c *CaseResult) markdownRow() string {
	row := c.row()
	row[0] = text.Markdown(row[0])
	switch row[3] {
	case "":
	case c.looked(): // words, and no schedule
		row[3] = text.Markdown(row[3])
	default:
		row[3] = text.MarkdownCode(row[3])
	}
	line := "| " + outcomeSigns[c.Outcome]
	for _, cell := range row {
		line += " | " + text.MarkdownCell(cell)
	}
	return line + " |"
}

// mermaid draws the execution of the answer, if there is one.
func (c *CaseResult) mermaid() string {
	var drawing strings.Builder
	if broken := c.broken(); broken != nil && broken.Execution != nil {
		diagram.WriteMermaid(&drawing, broken.Execution, diagramOf(broken))
	}
	return drawing.String()
}
