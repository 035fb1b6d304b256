package text

import (
	"fmt"
	"regexp"
	"strings"
)

// MarkdownPage is a page in Markdown that is being written.
type MarkdownPage struct{ strings.Builder }

// Line writes a line as it is: who calls escapes what is foreign.
func (p *MarkdownPage) Line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// Table writes rows of texts as a table, the first row as its heading.
func (p *MarkdownPage) Table(rows [][]string) {
	for i, row := range rows {
		for _, cell := range row {
			p.WriteString("| " + MarkdownCell(Markdown(cell)) + " ")
		}
		p.Line("|")
		if i == 0 {
			p.Line("%s|", strings.Repeat("|---", len(row)))
		}
	}
}

// Markdown writes a text as one line. Bars are left to Cell.
func Markdown(text string) string { return markdownSpecial.ReplaceAllString(Safe(text), `\$0`) }

var markdownSpecial = regexp.MustCompile("[\\\\`*_\\[\\]<~&$#]")

// MarkdownCell makes a cell of a table of what the other functions return.
func MarkdownCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// MarkdownCode writes a text in one line as code.
func MarkdownCode(text string) string {
	text = Safe(text)
	if strings.TrimSpace(text) == "" {
		return Markdown(text)
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if len(fence) > 1 || text[0] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// MarkdownFenced writes lines as code in a language.
func MarkdownFenced(language, code string) string {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	return fence + language + "\n" + strings.TrimRight(SafeLines(code), "\n") + "\n" + fence
}

// longestRun is the number of backticks in the longest run of them.
func longestRun(text string) int {
	longest := 0
	for strings.Contains(text, strings.Repeat("`", longest+1)) {
		longest++
	}
	return longest
}
