package text

import (
	"regexp"
	"strings"
)

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
