package dedalus

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// tokenKind is the kind of a token.
type tokenKind int

const (
	endOfFile tokenKind = iota
	word                // letters digits . _ ? @
	quoted              // a string; the token's text has no quotes
	symbol              // an operator or a bracket
	foreign             // a character that the language lacks
	open                // a string without an end, which has been reported
)

// token is a word of the language, with the place where it starts and the
// offset behind its end.
type token struct {
	kind       tokenKind
	text       string
	at         specs.Position
	start, end int
}

// is tells whether the token is this symbol.
func (t token) is(s string) bool { return t.kind == symbol && t.text == s }

// String names the token in an error message.
func (t token) String() string {
	switch t.kind {
	case endOfFile:
		return "end of the text"
	case quoted:
		return "string " + syntax.Shorten(`"`+t.text+`"`)
	case foreign:
		return fmt.Sprintf("character %q", t.text)
	default:
		return syntax.Shorten("'" + t.text + "'")
	}
}

// comment is a comment with its delimiters.
type comment struct {
	text       string
	at         specs.Position
	start, end int
}

// lexer cuts a text into tokens, and keeps the comments on the side.
type lexer struct {
	file     string
	text     string
	offset   int
	line     int
	bol      int // offset of the beginning of the line
	comments []comment
	report   func(at specs.Position, message string)
}

func newLexer(file, text string, report func(specs.Position, string)) *lexer {
	l := &lexer{file: file, text: text, line: 1, report: report}
	l.offset = len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	return l
}

// position returns where the lexer stands.
func (l *lexer) position() specs.Position {
	return specs.Position{File: l.file, Line: l.line, Column: l.offset - l.bol + 1}
}

// advance moves to an offset further on, over any number of lines.
func (l *lexer) advance(to int) {
	passed := l.text[l.offset:to]
	if n := strings.Count(passed, "\n"); n > 0 {
		l.line += n
		l.bol = l.offset + strings.LastIndexByte(passed, '\n') + 1
	}
	l.offset = to
}

// next returns the next token.
func (l *lexer) next() token {
	l.skip()
	at, start := l.position(), l.offset
	make := func(kind tokenKind, text string, length int) token {
		l.advance(start + length)
		return token{kind: kind, text: text, at: at, start: start, end: l.offset}
	}
	rest := l.text[start:]
	if rest == "" {
		return make(endOfFile, "", 0)
	}
	if n := wordLength(rest); n > 0 {
		return make(word, rest[:n], n)
	}
	if n := symbolLength(rest); n > 0 {
		return make(symbol, rest[:n], n)
	}
	if rest[0] == '"' {
		if n := strings.IndexByte(rest[1:], '"'); n >= 0 {
			return make(quoted, rest[1:1+n], n+2)
		}
		return l.openString(at)
	}
	_, n := utf8.DecodeRuneInString(rest)
	return make(foreign, rest[:n], n)
}

// openString reports a string without an end, and takes the rest of its line
// as what was meant.
func (l *lexer) openString(at specs.Position) token {
	l.report(at, `this string has no end (expected a closing '"')`)
	start := l.offset
	l.advance(start + len(firstLine(l.text[start:])))
	return token{kind: open, text: l.text[start:l.offset], at: at, start: start, end: l.offset}
}

// skip passes over white space and comments.
func (l *lexer) skip() {
	for {
		rest := l.text[l.offset:]
		trimmed := strings.TrimLeft(rest, " \t\r\n\f\v")
		l.advance(l.offset + len(rest) - len(trimmed))
		n := 0
		switch {
		case strings.HasPrefix(trimmed, "//"):
			n = len(firstLine(trimmed))
		case strings.HasPrefix(trimmed, "/*"):
			if end := strings.Index(trimmed[2:], "*/"); end >= 0 {
				n = end + 4
				break
			}
			l.report(l.position(), "this comment has no end (expected a closing '*/')")
			l.advance(len(l.text))
			return
		default:
			return
		}
		c := comment{text: trimmed[:n], at: l.position(), start: l.offset, end: l.offset + n}
		l.comments = append(l.comments, c)
		l.advance(c.end)
	}
}

// wordLength returns the length of the word that a text begins with.
func wordLength(text string) int {
	for i, r := range text {
		if !isWord(r) {
			return i
		}
	}
	return len(text)
}

func isWord(r rune) bool {
	return r >= '0' && r <= '9' || r == '.' || r == '_' || r == '?' || r == '@' || r != utf8.RuneError && unicode.IsLetter(r)
}

// symbolLength returns the length of the symbol that a text begins with.
func symbolLength(text string) int {
	for _, s := range [...]string{":-", "<=", ">=", "==", "!="} {
		if strings.HasPrefix(text, s) {
			return len(s)
		}
	}
	if strings.IndexByte("(),;*/%+-<>|", text[0]) >= 0 {
		return 1
	}
	return 0
}

// advice says what to write instead of a character that the language lacks.
func advice(char string) string {
	switch char {
	case "=":
		return "equality is written '=='"
	case "!":
		return "negation is written 'notin'"
	case "'", "`", "\u201c", "\u201d":
		return `strings are written with '"'`
	case ":":
		return "a rule is written 'head :- body;'"
	case "#":
		return "comments begin with '//'"
	}
	return ""
}
