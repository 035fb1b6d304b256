package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// escaper goes through a text from left to right, perhaps in several pieces.
type escaper struct {
	lines bool     // ends of lines and tabs stay
	json  bool     // escapes are those of JSON
	keep  []string // control sequences that stay

	start  bool // there is only white space in the line so far
	colon  bool // and then one colon
	before rune // the last character that was written; 0 at the beginning of a line
	marks  int  // how many combining marks there are up to here
	hashes int  // how many # there are up to here, or up to the letters before here
}

// mostMarks is the number of combining marks that a character has at most; more
// would cover the lines around.
const mostMarks = 8

// append appends the printable form of a text. What cannot be judged without what
// comes next is returned, unless nothing comes.
func (e *escaper) append(out, text []byte, last bool) (written, rest []byte) {
	for len(text) > 0 {
		if n := e.plain(text); n > 0 {
			out, text = append(out, text[:n]...), text[n:]
			continue
		}
		if text[0] == '\x1b' {
			if n := e.kept(text); n > 0 {
				out, text = append(out, text[:n]...), text[n:]
				continue
			}
		}
		if !last && e.waits(text) {
			return out, text
		}
		r, size := utf8.DecodeRune(text)
		if r == '\r' && e.lines && len(text) > 1 && text[1] == '\n' {
			text = text[1:]
			continue
		}
		if piece := text[:size]; e.stays(r, size, text[size:]) {
			out = append(out, piece...)
			e.note(r)
		} else {
			before := len(out)
			out = e.escape(out, r, piece)
			for _, c := range out[before:] {
				e.note(rune(c))
			}
		}
		text = text[size:]
	}
	return out, nil
}

// plain returns how long the text begins with letters, digits and other signs that stay
// wherever they are, and takes note of them.
func (e *escaper) plain(text []byte) int {
	if e.hashes > 0 {
		return 0
	}
	n, blank := 0, true
	for n < len(text) && text[n] >= ' ' && text[n] < '\x7f' && text[n] != ':' && text[n] != '[' && text[n] != '#' {
		blank = blank && text[n] == ' '
		n++
	}
	if n > 0 {
		e.colon, e.marks, e.before = false, 0, rune(text[n-1])
		e.start = e.start && blank
	}
	return n
}

// kept returns the length of a control sequence that stays.
func (e *escaper) kept(text []byte) int {
	for _, sequence := range e.keep {
		if bytes.HasPrefix(text, []byte(sequence)) {
			return len(sequence)
		}
	}
	return 0
}

// waits tells whether more of the text is needed for its first character.
func (e *escaper) waits(text []byte) bool {
	if !utf8.FullRune(text) {
		return true
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r == '\x1b':
		for _, sequence := range e.keep {
			if strings.HasPrefix(sequence, string(text)) {
				return true
			}
		}
		return false
	case r == '\r', isJoiner(r):
		return !utf8.FullRune(text[size:])
	default:
		return false
	}
}

// stays tells whether a character is printed as it is, before a text.
func (e *escaper) stays(r rune, size int, after []byte) bool {
	switch {
	case r == utf8.RuneError && size == 1:
		return false
	case r == '\n' || r == '\t':
		return e.lines
	case r == ':':
		return !e.colon
	case r == '[':
		return e.hashes < 2
	case r < utf8.RuneSelf:
		return unicode.IsPrint(r)
	case isJoiner(r):
		next, length := utf8.DecodeRune(after)
		return length > 1 && joins(e.before, next)
	case unicode.Is(unicode.Variation_Selector, r):
		return varies(e.before, r)
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || !unicode.IsGraphic(r):
		return false
	case unicode.Is(unicode.M, r):
		return e.before != 0 && !unicode.IsSpace(e.before) && e.marks < mostMarks
	default:
		return true
	}
}

// note takes note of a character that is written.
func (e *escaper) note(r rune) {
	switch {
	case r == '#' && (e.before == '#' || e.hashes == 0):
		e.hashes++
	case r == '#':
		e.hashes = 1
	case !isLetter(r) || e.hashes < 2:
		e.hashes = 0
	}
	e.colon = e.start && r == ':'
	e.start = e.start && unicode.IsSpace(r)
	e.marks++
	if !unicode.Is(unicode.M, r) {
		e.marks = 0
	}
	e.before = r
	if r == '\n' && e.lines {
		e.start, e.before = !e.json, 0
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// short are the escapes that have names.
var short = map[rune]string{'\a': `\a`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\v': `\v`}

// escape appends a character as an escape.
func (e *escaper) escape(out []byte, r rune, piece []byte) []byte {
	switch name := short[r]; {
	case r == utf8.RuneError: // a byte that is none
		return fmt.Appendf(out, `\x%02x`, piece[0])
	case e.json && r > 0xffff:
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	case e.json:
		return fmt.Appendf(out, `\u%04x`, r)
	case name != "":
		return append(out, name...)
	case r < utf8.RuneSelf:
		return fmt.Appendf(out, `\x%02x`, r)
	case r > 0xffff:
		return fmt.Appendf(out, `\U%08x`, r)
	default:
		return fmt.Appendf(out, `\u%04x`, r)
	}
}
