package suite

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/internal/printable"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// mostMarkdown is the number of bytes after which no further cases are told
// about. GitHub takes at most 1 MiB for the summary of a step.
const mostMarkdown = 500_000

// WriteMarkdown writes the report as GitHub-flavoured Markdown: a table of all
// cases, and for each that is not as expected a section with what is violated, the
// faults, the execution as a Mermaid diagram, and the command that executes it
// again.
func (r *Report) WriteMarkdown(w io.Writer) error {
	out := &markdown{}
	out.line("## ldfi: %s\n\n%s.\n", markdownText(r.title()), markdownText(r.summary()))
	out.line("| | case | verdict | expected | faults | time |\n|---|---|---|---|---|---|")
	for i := range r.Cases {
		out.line("%s", r.Cases[i].markdownRow())
	}
	for _, text := range append(r.Warnings[:len(r.Warnings):len(r.Warnings)], r.words()...) {
		out.line("\n**Warning:** %s", markdownText(text))
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
	if left > 0 {
		out.line("\n%s more not told about here.", plural.Of(left, "case"))
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

// words says which verdicts are the word of a host. What passes has no section.
func (r *Report) words() []string {
	var names []string
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Outcome == Pass && c.byWord() {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{"that these hold is the word of their hosts, which searched by themselves: " + strings.Join(names, ", ")}
}

// byWord tells whether there is a certificate of a host.
func (c *CaseResult) byWord() bool {
	return c.Answer != nil && c.Answer.Search != nil && c.Answer.Search.ByHost && c.Answer.Search.Certificate != nil
}

// markdown is a text in Markdown.
type markdown struct{ strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// section tells about a case that is not as expected.
func (m *markdown) section(c *CaseResult) {
	item := func(word, text string) { m.line("- **%s** %s", word, text) }
	m.line("\n### %s %s\n\n**%s.**\n", outcomeSigns[c.Outcome], markdownText(c.Name), markdownText(c.headline()))
	for _, text := range c.violations() {
		item("violated", markdownText(text))
	}
	if broken := c.broken(); broken != nil {
		item("faults", fmt.Sprintf("%s (%s)", markdownCode(faultsText(broken)), minimality.Text(broken)))
		for _, text := range broken.Because {
			item("because", markdownText(text))
		}
	}
	if c.Answer != nil {
		if scope := scopeText(c.Answer); scope != "" {
			item("scope", markdownText(scope))
		}
		for _, text := range subject.Warnings(c.Answer) {
			item("warning", markdownText(text))
		}
	}
	for i := range c.Kept {
		item("kept", markdownCode(c.Kept[i].File)+": "+markdownText(c.Kept[i].text()))
	}
	if c.NewKept != "" {
		item("keeps", markdownCode(c.NewKept))
	}
	item("case", markdownCode(fmt.Sprintf("%s:%d:%d", c.File, c.Line, c.Column)))
	if drawing := c.mermaid(); drawing != "" {
		m.line("\n%s", fenced("mermaid", drawing))
	}
	if c.Again != "" {
		m.line("\nTo execute it again:\n\n%s", fenced("sh", c.Again))
	}
}

var outcomeSigns = map[Outcome]string{Pass: "✅", Fail: "❌", Inconclusive: "❔", Error: "⛔"}

// markdownRow is the line of a case in the table.
func (c *CaseResult) markdownRow() string {
	row := c.row()
	row[0] = markdownText(row[0])
	if row[3] != "" {
		row[3] = markdownCode(row[3])
	}
	line := "| " + outcomeSigns[c.Outcome]
	for _, cell := range row {
		line += " | " + strings.ReplaceAll(cell, "|", `\|`)
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

// fenced writes lines as code.
func fenced(language, code string) string {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	return fence + language + "\n" + strings.TrimRight(printable.Lines(code), "\n") + "\n" + fence
}

// markdownText writes a text in one line so that nothing in it is taken for
// Markdown or HTML. Bars are left to the table.
func markdownText(text string) string { return markdownEscapes.ReplaceAllString(oneLine(text), `\$0`) }

var markdownEscapes = regexp.MustCompile("[\\\\`*_\\[\\]<~&$#]")

// markdownCode writes a text in one line as code.
func markdownCode(text string) string {
	text = oneLine(text)
	if strings.TrimSpace(text) == "" {
		return markdownText(text)
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if len(fence) > 1 || text[0] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// longestRun is the number of backticks in the longest run of them.
func longestRun(text string) int {
	longest := 0
	for strings.Contains(text, strings.Repeat("`", longest+1)) {
		longest++
	}
	return longest
}
