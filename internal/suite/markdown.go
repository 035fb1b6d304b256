package suite

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/plural"
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
	m := &markdown{}
	m.paragraph("## ldfi: %s", markdownText(r.title()))
	m.paragraph("%s.", markdownText(r.summary()))
	m.table(r)
	for _, warning := range r.Warnings {
		m.paragraph("**Warning:** %s", markdownText(warning))
	}
	left := 0
	for i := range r.Cases {
		switch {
		case r.Cases[i].Outcome == Pass:
		case m.Len() > mostMarkdown:
			left++
		default:
			m.section(&r.Cases[i])
		}
	}
	if left > 0 {
		m.paragraph("%s more not told about here.", plural.Of(left, "case"))
	}
	if _, err := io.WriteString(w, m.String()); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

// markdown is a document that is being written.
type markdown struct{ strings.Builder }

// paragraph writes a block, apart from the one before.
func (m *markdown) paragraph(format string, args ...any) {
	if m.Len() > 0 {
		m.WriteString("\n")
	}
	fmt.Fprintf(m, format+"\n", args...)
}

var outcomeSigns = map[Outcome]string{Pass: "✅", Fail: "❌", Inconclusive: "❔", Error: "⛔"}

func (m *markdown) table(r *Report) {
	m.paragraph("| | case | verdict | expected | faults | time |")
	fmt.Fprintln(m, "|---|---|---|---|---|---|")
	for i := range r.Cases {
		c := &r.Cases[i]
		faults, took := "", seconds(c.elapsed())+" s"
		if broken := c.broken(); broken != nil {
			faults = markdownCode(faultsText(broken))
		}
		if c.Cached {
			took = "cached"
		}
		row := []string{outcomeSigns[c.Outcome], markdownText(c.Name), c.verdictText(), c.expected(), faults, took}
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], "|", `\|`)
		}
		fmt.Fprintf(m, "| %s |\n", strings.Join(row, " | "))
	}
}

// expected is what the suite expects of a case.
func (c *CaseResult) expected() string {
	if c.ExpectFaults == nil {
		return string(c.Expect)
	}
	return fmt.Sprintf("%s, %s", c.Expect, plural.Of(*c.ExpectFaults, "fault"))
}

// section tells about one case.
func (m *markdown) section(c *CaseResult) {
	m.paragraph("### %s %s", outcomeSigns[c.Outcome], markdownText(c.Name))
	m.paragraph("**%s.**", markdownText(c.headline()))
	m.WriteString("\n")
	item := func(name, text string) {
		if text != "" {
			fmt.Fprintf(m, "- **%s** %s\n", name, text)
		}
	}
	broken := c.broken()
	if a := c.Answer; a != nil {
		for _, text := range c.violations() {
			item("violated", markdownText(text))
		}
		if broken != nil {
			item("faults", fmt.Sprintf("%s (%s)", markdownCode(faultsText(broken)), sizeText(broken)))
			for _, because := range broken.Because {
				item("because", markdownText(because))
			}
		}
		item("scope", markdownText(scopeText(a)))
		for _, warning := range subject.Warnings(a) {
			item("warning", markdownText(warning))
		}
	}
	for _, k := range c.Kept {
		item("kept", fmt.Sprintf("%s: %s", markdownCode(filepath.ToSlash(k.File)), markdownText(k.text())))
	}
	if c.NewKept != "" {
		item("keeps", markdownCode(filepath.ToSlash(c.NewKept)))
	}
	item("case", markdownCode(fmt.Sprintf("%s:%d:%d", filepath.ToSlash(c.File), c.Line, c.Column)))
	if broken != nil && broken.Execution != nil {
		var drawing strings.Builder
		diagram.WriteMermaid(&drawing, broken.Execution, diagramOf(broken))
		m.block("mermaid", drawing.String())
	}
	if c.Again != "" {
		m.paragraph("To execute it again:")
		m.block("sh", c.Again)
	}
}

// block writes lines as code.
func (m *markdown) block(language, code string) {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	m.paragraph("%s%s\n%s\n%s", fence, language, strings.TrimRight(printable(code), "\n"), fence)
}

// markdownText writes a text in one line so that nothing in it is taken for
// Markdown or HTML. Bars are left to the table.
func markdownText(text string) string { return markdownEscapes.Replace(oneLine(text)) }

var markdownEscapes = func() *strings.Replacer {
	var pairs []string
	for _, r := range "\\`*_[]<~&$#" {
		pairs = append(pairs, string(r), `\`+string(r))
	}
	return strings.NewReplacer(pairs...)
}()

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
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
