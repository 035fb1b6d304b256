package process

import "strings"

// lines takes the output of a program apart into lines.
type lines struct{ begun string }

// longestLine is how many bytes of a line are reported.
const longestLine = 1000

// add returns the lines that are whole now.
func (l *lines) add(bytes []byte) (all []string) {
	text := l.begun + string(bytes)
	for {
		line, rest, whole := strings.Cut(text, "\n")
		if !whole {
			l.begun = text
			return all
		}
		all, text = append(all, tidy(line)), rest
	}
}

// rest returns the line that has no end.
func (l *lines) rest() []string {
	if l.begun == "" {
		return nil
	}
	line := tidy(l.begun)
	l.begun = ""
	return []string{line}
}

func tidy(line string) string {
	line = strings.TrimRight(line, "\r")
	if len(line) > longestLine {
		line = line[:longestLine] + "…"
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}
