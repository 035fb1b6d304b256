package dedalus

import (
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// wide is the number of characters beyond which a rule gets several lines.
const wide = 100

// indent stands before body terms that have lines of their own.
const indent = "    "

// Format returns the canonical form of a program text: one statement a line, or a rule
// with one body term a line where the rule is long, has comments inside, or had its
// body on several lines before. Comments stay, blank lines stay as one, and the meaning
// stays the same. Files that the text includes are not read. For a text with syntax
// errors the error is of type [specs.Errors].
func Format(name string, text []byte) ([]byte, error) {
	source := newSource(string(text))
	if at, ok := invalidUTF8(name, source.text); ok {
		return nil, specs.Errors{{Position: at, Message: notUTF8, Excerpt: source.line(at.Line)}}
	}
	p := parseFile(name, source.text)
	if len(p.errors) > 0 {
		return nil, sortErrors(nil, source.quoted(p.errors))
	}
	f := &formatter{source: source, comments: p.comments}
	for _, c := range p.clauses {
		f.clause(c)
	}
	f.commentsBefore(len(source.text), "")
	if len(f.out) > 0 {
		f.out = append(f.out, '\n')
	}
	return f.out, nil
}

// formatter writes lines. Every comment goes to the end of the line before it
// if something stood on its left, and otherwise to a line of its own.
type formatter struct {
	source   *source
	comments []comment // not yet written
	out      []byte    // without the last line end
	closed   bool      // the last line ends with a "//" comment
}

// line writes a line for what begins at start in the source, after a blank one
// if there was any.
func (f *formatter) line(text string, start int) {
	before := f.source.text[:start]
	gap := before[len(strings.TrimRight(before, " \t\r\n\f\v")):]
	if len(f.out) > 0 && strings.Count(gap, "\n") > 1 {
		f.out = append(f.out, '\n')
	}
	f.nextLine(text)
}

// nextLine writes a line.
func (f *formatter) nextLine(text string) {
	if len(f.out) > 0 {
		f.out = append(f.out, '\n')
	}
	f.out = append(f.out, text...)
	f.closed = false
}

// clause writes a clause with the comments before and inside it.
func (f *formatter) clause(c *clause) {
	f.commentsBefore(c.start, "")
	switch {
	case c.include != "":
		f.line(`include "`+c.include+`";`, c.start)
	case c.choose != nil:
		f.line(c.choose.String(), c.start)
	case c.isFact():
		f.line(c.head.String()+syntax.Suffix(c.round)+";", c.start)
	default:
		f.rule(c)
	}
	f.commentsBefore(c.end, "")
}

// rule writes a rule on one line or on several.
func (f *formatter) rule(c *clause) {
	r := &syntax.Rule{Head: *c.head, Kind: c.kind, Body: c.body}
	if one := r.String(); !f.broken(c) && !strings.Contains(one, "\n") && utf8.RuneCountInString(one) <= wide {
		f.line(one, c.start)
		return
	}
	f.line(r.Head.String()+r.Kind.String()+" :-", c.start)
	for i, t := range c.body {
		f.commentsBefore(f.offset(t.Position), indent)
		end := ","
		if i == len(c.body)-1 {
			end = ";"
		}
		f.nextLine(indent + t.String() + end)
	}
}

// broken tells whether the terms of a rule's body are on several lines, or
// have comments between them.
func (f *formatter) broken(c *clause) bool {
	line := c.at.Line
	for _, t := range c.body {
		if t.Position.Line != line {
			return true
		}
	}
	return len(f.comments) > 0 && f.comments[0].start < f.offset(c.body[len(c.body)-1].Position)
}

// offset returns the offset of a position.
func (f *formatter) offset(at specs.Position) int { return f.source.starts[at.Line-1] + at.Column - 1 }

// commentsBefore writes the comments that begin before an offset.
func (f *formatter) commentsBefore(offset int, indent string) {
	for len(f.comments) > 0 && f.comments[0].start < offset {
		c := f.comments[0]
		f.comments = f.comments[1:]
		text := strings.ReplaceAll(c.text, "\r\n", "\n")
		toEnd := strings.HasPrefix(text, "//")
		if toEnd {
			text = strings.TrimRight(text, " \t\r\f\v")
		}
		if f.trails(c) && len(f.out) > 0 && !f.closed {
			f.out = append(append(f.out, ' '), text...)
		} else {
			f.line(indent+text, c.start)
		}
		f.closed = toEnd
	}
}

// trails tells whether something stands on the left of a comment.
func (f *formatter) trails(c comment) bool {
	left := f.source.text[f.source.starts[c.at.Line-1]:c.start]
	return strings.TrimLeft(left, " \t\r\f\v") != ""
}
