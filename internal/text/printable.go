package text

import (
	"regexp"
	"strings"
)

// Safe returns a text as it is printed within a line: ends of lines and tabs
// become visible as well.
func Safe(text string) string {
	e := escaper{}
	return e.all(text)
}

// SafeEach returns texts as lines.
func SafeEach(texts []string) []string {
	lines := make([]string, len(texts))
	for i, text := range texts {
		lines[i] = Safe(text)
	}
	return lines
}

// SafeLines returns a text of whole lines as it is printed. It keeps their ends, and
// tabs.
func SafeLines(text string) string {
	e := escaper{lines: true, start: true}
	return e.all(text)
}

// Commands tells whether the log of a continuous integration would take something
// in a text for a command.
func Commands(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || command.MatchString(line) {
			return true
		}
	}
	return false
}

// command begins a command anywhere in a line.
var command = regexp.MustCompile(`##[a-zA-Z]*\[`)

// SafeJSON returns the same JSON, with what must not be printed in strings as \u202e.
func SafeJSON(text []byte) []byte {
	for _, c := range text {
		if c >= 0x7f || c == '#' {
			e := escaper{lines: true, json: true}
			out, _ := e.append(nil, text, true)
			return out
		}
	}
	return text
}

func (e *escaper) all(text string) string {
	if plain(text) {
		return text
	}
	out, _ := e.append(nil, []byte(text), true)
	return string(out)
}

// plain tells of most texts that nothing in them needs a second look.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '#' || c == ':' {
			return false
		}
	}
	return true
}
