package dedalus

import (
	"strings"

	"github.com/lineage-driven/ldfi/specs"
)

const notUTF8 = "this is not UTF-8 text"

// source is the text of a file and where its lines begin.
type source struct {
	text   string
	starts []int
}

func newSource(text string) *source {
	s := &source{text: text, starts: []int{0}}
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return s
		}
		i += n + 1
		s.starts = append(s.starts, i)
	}
}

// line returns line n, counted from 1, without its line end; "" when there is
// no such line.
func (s *source) line(n int) string {
	if s == nil || n < 1 || n > len(s.starts) {
		return ""
	}
	return firstLine(s.text[s.starts[n-1]:])
}

// quoted gives errors the lines that they are about.
func (s *source) quoted(all specs.Errors) specs.Errors {
	for _, e := range all {
		e.Excerpt = s.line(e.Line)
	}
	return all
}

// firstLine returns a text up to its first line end.
func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(first, "\r")
}

// Text returns the text of file as it was read, "" if it is no file of the program.
func (p *Program) Text(file string) string {
	if s := p.sources[file]; s != nil {
		return s.text
	}
	return ""
}
