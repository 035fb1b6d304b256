package suite

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/template"

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
	var out strings.Builder
	err := markdown.ExecuteTemplate(&out, "report", r)
	left := 0
	for i := range r.Cases {
		switch {
		case r.Cases[i].Outcome == Pass:
		case out.Len() > mostMarkdown:
			left++
		default:
			err = errors.Join(err, markdown.ExecuteTemplate(&out, "case", &r.Cases[i]))
		}
	}
	if left > 0 {
		fmt.Fprintf(&out, "\n%s more not told about here.\n", plural.Of(left, "case"))
	}
	if err == nil {
		_, err = io.WriteString(w, out.String())
	}
	if err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

//go:embed markdown.tmpl
var markdownTemplate string

var markdown = template.Must(template.New("markdown").Funcs(template.FuncMap{
	"title": (*Report).title, "summary": (*Report).summary, "row": (*CaseResult).markdownRow, "headline": (*CaseResult).headline,
	"violations": (*CaseResult).violations, "broken": (*CaseResult).broken, "drawing": (*CaseResult).mermaid, "replayed": (*KeptResult).text,
	"faults": faultsText, "size": sizeText, "scope": scopeText, "warnings": subject.Warnings,
	"text": markdownText, "code": markdownCode, "fenced": fenced, "sign": func(o Outcome) string { return outcomeSigns[o] },
}).Parse(markdownTemplate))

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
	return fence + language + "\n" + strings.TrimRight(printable(code), "\n") + "\n" + fence
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
