package suite

import (
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/specs"
)

// A suite has few levels, and no alias is followed more often than a person would write its
// value. The parser takes gigabytes for deeply nested brackets, so they are counted before
// it reads.
const (
	mostNesting = 100
	mostValues  = 200_000
)

// tooDeep reports the first place that is nested too deeply, and tells whether there is
// one: brackets, or prefixes of one value in one line, such as "- - -" and "a: b: c:".
func (r *reader) tooDeep() bool {
	var n nesting
	for i, line := range r.lines {
		if column := n.line(line); column > 0 {
			at := specs.Position{File: r.file, Line: i + 1, Column: column}
			r.failAt(at, "this is nested too deeply (at most %d levels)", mostNesting)
			return true
		}
	}
	return false
}

// nesting counts levels in the lines of a text. It need not know all of YAML: unquoted text
// counts as well, and its unclosed brackets are far below the limit.
type nesting struct {
	brackets int
	quote    byte // in which the line begins, 0: none
}

// line returns the column in a line where there are too many levels, 0 if nowhere.
func (n *nesting) line(text string) int {
	marks := 0 // in front of a value
	for i := 0; i < len(text); i++ {
		c, begins := text[i], i == 0 || strings.IndexByte(" \t[{,:", text[i-1]) >= 0
		switch {
		case n.quote == '"' && c == '\\':
			i++
		case n.quote != 0 && c == n.quote:
			n.quote = 0
		case n.quote != 0:
		case begins && (c == '"' || c == '\''):
			n.quote = c
		case begins && c == '#':
			return 0
		case c == '[' || c == '{':
			n.brackets++
		case c == ']' || c == '}':
			n.brackets = max(n.brackets-1, 0)
		case strings.IndexByte("-?:!&", c) >= 0 && (begins || c == ':'):
			marks++
		case c == ',':
			marks = 0
		}
		if n.brackets+marks > mostNesting {
			return utf8.RuneCountInString(text[:i]) + 1
		}
	}
	return 0
}
