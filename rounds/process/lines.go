package process

import "strings"

// lines takes the output of a program apart into lines.
type lines struct{ begun string }

// add returns the lines that are whole now.
func (l *lines) add(bytes []byte) (all []string) {
	text := l.begun + string(bytes)
	for {
		line, rest, whole := strings.Cut(text, "\n")
		if !whole {
			l.begun = text
			return all
		}
		all, text = append(all, strings.TrimRight(line, "\r")), rest
	}
}

// rest returns the line that has no end.
func (l *lines) rest() []string {
	if l.begun == "" {
		return nil
	}
	line := strings.TrimRight(l.begun, "\r")
	l.begun = ""
	return []string{line}
}

// longestLine is how many bytes of a line, or of each of its parts, are reported.
const longestLine = 1000

// tidy returns a text as it is reported.
func tidy(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) > longestLine {
		text = strings.ToValidUTF8(text[:longestLine], "") + "…"
	}
	return text
}
