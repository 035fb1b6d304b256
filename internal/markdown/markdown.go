// Package markdown writes foreign text into GitHub-flavoured Markdown, so that
// nothing in it is taken for Markdown or HTML.
package markdown

import (
	"regexp"
	"strings"

	"github.com/lineage-driven/ldfi/internal/printable"
)

// Text writes a text as one line. Bars are left to Cell.
func Text(text string) string { return special.ReplaceAllString(printable.Line(text), `\$0`) }

var special = regexp.MustCompile("[\\\\`*_\\[\\]<~&$#]")

// Cell makes a cell of a table of what the other functions return.
func Cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Code writes a text in one line as code.
func Code(text string) string {
	text = printable.Line(text)
	if strings.TrimSpace(text) == "" {
		return Text(text)
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if len(fence) > 1 || text[0] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Fenced writes lines as code in a language.
func Fenced(language, code string) string {
	fence := strings.Repeat("`", max(3, longestRun(code)+1))
	return fence + language + "\n" + strings.TrimRight(printable.Lines(code), "\n") + "\n" + fence
}

// longestRun is the number of backticks in the longest run of them.
func longestRun(text string) int {
	longest := 0
	for strings.Contains(text, strings.Repeat("`", longest+1)) {
		longest++
	}
	return longest
}
