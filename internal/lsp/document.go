package lsp

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/specs"
)

// document is the text of a file at one time. Places in it are offsets in bytes; positions of
// the protocol and of programs are converted to them.
type document struct {
	path    string
	uri     string
	text    string
	version *int  // of the editor; nil: it does not have the file open
	starts  []int // where the lines of the protocol begin, which also a single CR ends
}

func newDocument(path, uri, text string) *document {
	d := &document{path: path, uri: uri, text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			d.starts = append(d.starts, i+1)
		}
	}
	return d
}

// line returns line n, counted from 0, without its end.
func (d *document) line(n int) string {
	end := len(d.text)
	if n+1 < len(d.starts) {
		end = d.starts[n+1]
	}
	return strings.TrimRight(d.text[d.starts[n]:end], "\r\n")
}

// offset returns the offset of a position. One behind the end of its line is that end, and one
// behind the last line is the end of the text.
func (d *document) offset(p position) int {
	if p.Line < 0 || p.Line >= len(d.starts) {
		return len(d.text)
	}
	units, line := 0, d.line(p.Line)
	for i, r := range line {
		if units += utf16.RuneLen(r); units > p.Character {
			return d.starts[p.Line] + i
		}
	}
	return d.starts[p.Line] + len(line)
}

// position returns the position of an offset.
func (d *document) position(offset int) position {
	line, found := slices.BinarySearch(d.starts, offset)
	if !found {
		line--
	}
	units := 0
	for _, r := range d.text[d.starts[line]:offset] {
		units += utf16.RuneLen(r)
	}
	return position{line, units}
}

func (d *document) span(from, to int) span { return span{d.position(from), d.position(to)} }

// at returns the offset of a position in a program, whose lines end with LF only.
func (d *document) at(p specs.Position) int {
	offset := 0
	for range p.Line - 1 {
		n := strings.IndexByte(d.text[offset:], '\n')
		if n < 0 {
			return len(d.text)
		}
		offset += n + 1
	}
	return min(offset+max(p.Column-1, 0), len(d.text))
}

// word returns the range from an offset to the end of the name, number or string there, one
// character if there is none.
func (d *document) word(from int) span {
	rest := d.text[from:]
	end := strings.IndexFunc(rest, func(r rune) bool { return !isName(r) })
	switch {
	case end < 0:
		end = len(rest)
	case end > 0:
	case rest[0] == '"' && strings.IndexByte(rest[1:], '"') >= 0:
		end = strings.IndexByte(rest[1:], '"') + 2
	case rest[0] != '\n' && rest[0] != '\r':
		_, end = utf8.DecodeRuneInString(rest)
	}
	return d.span(from, from+end)
}

// change returns the text after some changes, one after the other.
func (d *document) change(all []change) *document {
	changed := d
	for _, c := range all {
		text := c.Text
		if c.Range != nil {
			from, to := changed.offset(c.Range.Start), changed.offset(c.Range.End)
			text = changed.text[:from] + text + changed.text[max(from, to):]
		}
		changed = newDocument(d.path, d.uri, strings.ToValidUTF8(text, "\uFFFD"))
	}
	return changed
}
