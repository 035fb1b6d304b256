package dedalus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// clause is one statement of a file: an include, a fact, a choice or a rule. An
// include has only a path, a fact has a round and no body.
type clause struct {
	include string
	choose  *syntax.Choose
	head    *syntax.Atom
	kind    syntax.Kind
	round   int // of a fact
	body    []syntax.Term
	at      specs.Position
	start   int // offset of the first token
	end     int // offset behind the last one
}

func (c *clause) isFact() bool { return c.head != nil && c.body == nil }

// parser is a recursive descent parser for one file. A statement with a syntax
// error is reported once and skipped.
type parser struct {
	*lexer
	ahead   []token // tokens read but not taken
	last    token   // the last token taken
	spanned token   // the last string taken, if it goes over several lines
	depth   int     // of nested parentheses
	size    int     // operators of the current expression
	folding string  // the aggregate that the current expression seems to have
	errors  specs.Errors
	clauses []*clause
}

// most is the number of syntax errors of one file after which the rest of the
// file is not read.
const most = 1000

func newParser(name, text string) *parser {
	p := &parser{}
	p.lexer = newLexer(name, text, func(at specs.Position, message string) {
		p.errors = append(p.errors, &specs.Error{Position: at, Message: message})
	})
	return p
}

// parseFile parses the text of one file.
func parseFile(name, text string) *parser {
	p := newParser(name, text)
	for p.peek(0).kind != endOfFile && len(p.errors) < most {
		p.spanned = token{}
		if c, ok := p.statement(); ok {
			p.clauses = append(p.clauses, c)
		} else {
			p.recover()
		}
	}
	return p
}

// peek returns the token n places ahead.
func (p *parser) peek(n int) token {
	for len(p.ahead) <= n {
		p.ahead = append(p.ahead, p.next())
	}
	return p.ahead[n]
}

// take takes the next token.
func (p *parser) take() token {
	t := p.peek(0)
	p.ahead = slices.Delete(p.ahead, 0, 1)
	p.last = t
	if t.kind == quoted && strings.Contains(t.text, "\n") {
		p.spanned = t
	}
	return t
}

// accept takes the next token if it is this symbol.
func (p *parser) accept(symbol string) bool {
	if !p.peek(0).is(symbol) {
		return false
	}
	p.take()
	return true
}

// expect takes a symbol, or reports what stands there instead.
func (p *parser) expect(symbol, expected string) bool {
	if p.accept(symbol) {
		return true
	}
	return p.unexpected(expected)
}

// unexpected reports that the next token is not what was expected, unless a
// report has been made of it. It returns false.
func (p *parser) unexpected(expected string) bool {
	switch t := p.peek(0); {
	case t.kind == open:
		return false
	case t.kind == foreign && advice(t.text) != "":
		return p.fail(t.at, "unexpected %v: %s", t, advice(t.text))
	default:
		return p.fail(t.at, "unexpected %v, expected %s%s", t, expected, p.hint(t))
	}
}

// fail reports a syntax error. Just after a string of several lines the
// culprit is most likely that string. It returns false.
func (p *parser) fail(at specs.Position, format string, args ...any) bool {
	if p.spanned.kind == quoted {
		p.report(p.spanned.at, `this string has no end on its line (expected a closing '"')`)
		return false
	}
	p.report(at, fmt.Sprintf(format, args...))
	return false
}

// recover skips to the beginning of the next statement.
func (p *parser) recover() {
	if s := p.spanned; s.kind == quoted {
		p.rewind(s)
	}
	for {
		switch t := p.take(); {
		case t.kind == endOfFile:
			p.ahead = append(p.ahead, t)
			return
		case t.is(";"), t.kind == open && strings.HasSuffix(strings.TrimSpace(t.text), ";"):
			return
		}
	}
}

// rewind goes back to a string of several lines and takes it as one that its
// line ends.
func (p *parser) rewind(s token) {
	first := firstLine(p.text[s.start:])
	for n := len(p.comments); n > 0 && p.comments[n-1].start > s.start; n-- {
		p.comments = p.comments[:n-1]
	}
	p.errors = slices.DeleteFunc(p.errors, func(e *specs.Error) bool {
		return e.Line > s.at.Line || e.Line == s.at.Line && e.Column > s.at.Column
	})
	p.offset, p.line, p.bol = s.start, s.at.Line, s.start-(s.at.Column-1)
	p.advance(s.start + len(first))
	p.ahead = []token{{kind: open, text: first, at: s.at, start: s.start, end: p.offset}}
	p.spanned = token{}
}

// statement parses an include, a fact or a rule with its ';'.
func (p *parser) statement() (*clause, bool) {
	first := p.peek(0)
	c := &clause{at: first.at, start: first.start}
	var ok bool
	switch {
	case first.kind == word && first.text == "include" && !p.peek(1).is("("):
		ok = p.include(c)
	case p.chooseAhead():
		ok = p.choose(c)
	case first.kind == word:
		ok = p.factOrRule(c)
	default:
		ok = p.unexpected("a rule, a fact or an include")
	}
	if !ok {
		return nil, false
	}
	c.end = p.peek(0).end
	return c, p.accept(";") || p.unclosed(c)
}

// unclosed reports that a statement does not end with ';'. It returns true
// where the next line clearly begins another statement.
func (p *parser) unclosed(c *clause) bool {
	expected := "';'"
	if c.body != nil {
		expected = "',' or ';'"
	}
	switch t := p.peek(0); {
	case p.spanned.kind == quoted || t.kind == open:
		return p.unexpected(expected)
	case t.kind == endOfFile || t.kind == word && t.at.Line > p.last.at.Line:
		at := p.last.at
		at.Column += p.last.end - p.last.start
		hint := ""
		if endsInDot(p.last.text) {
			hint = ": " + endHint
		}
		p.fail(at, "expected %s at the end of this statement%s", expected, hint)
		return true
	case t.kind != symbol && p.peek(1).at.Line > t.at.Line:
		p.unexpected(expected)
		p.take()
		return true
	}
	return p.unexpected(expected)
}

func (p *parser) include(c *clause) bool {
	p.take()
	if p.peek(0).kind != quoted {
		return p.unexpected(`the name of a file in quotes: include "file.ded";`)
	}
	t := p.take()
	if t.text == "" {
		return p.fail(t.at, "an include needs the name of a file")
	}
	c.include, c.at = t.text, t.at
	return true
}

func (p *parser) factOrRule(c *clause) bool {
	head, ok := p.predicate()
	if !ok {
		return false
	}
	c.head = head
	suffix, ok := p.suffix()
	if !ok {
		return false
	}
	rule := p.peek(0).is(":-")
	switch {
	case suffix.text == "" && !rule && p.peek(0).is(";"):
		return p.fail(p.peek(0).at, "this fact has no round (expected %s@1; or another round)", head)
	case suffix.text == "" && !rule:
		return p.unexpected("':-', '@next', '@async' or the round of a fact such as '@1'")
	case suffix.text == "":
		c.kind = syntax.Deductive
	case suffix.text == "next":
		c.kind = syntax.Next
	case suffix.text == "async":
		c.kind = syntax.Async
	case rule:
		return p.fail(suffix.at, "a rule's head cannot have a round (expected '@next', '@async' or no suffix)")
	default:
		c.round, ok = p.round(suffix)
		return ok
	}
	if !p.expect(":-", "':-'") {
		return false
	}
	c.body, ok = p.body()
	return ok
}

// suffix takes what stands behind the '@' that may follow a predicate. Without
// a '@' its text is "".
func (p *parser) suffix() (token, bool) {
	t := p.peek(0)
	if t.kind != word || t.text[0] != '@' {
		return token{}, true
	}
	p.take()
	t.text = t.text[1:]
	if t.text == "" {
		if t = p.peek(0); t.kind != word {
			return t, p.unexpected("next, async or the number of a round behind '@'")
		}
		p.take()
	}
	if before := strings.TrimSuffix(t.text, "."); endsInDot(t.text) && (before == "next" || before == "async" || isNumber(before)) {
		return t, p.dotted(t, "@"+t.text)
	}
	if t.text != "next" && t.text != "async" && !isNumber(t.text) {
		return t, p.fail(t.at, "unexpected suffix '@%s'%s, expected '@next', '@async' or a round such as '@1'",
			syntax.Shorten(t.text), text.DidYouMean(t.text, []string{"next", "async"}))
	}
	return t, true
}

// round reads the number of a round.
func (p *parser) round(t token) (int, bool) {
	n, err := strconv.ParseInt(t.text, 10, 64)
	switch {
	case err != nil || n > math.MaxInt32:
		return 0, p.fail(t.at, "round %s is too large (the largest is %d)", syntax.Shorten(t.text), math.MaxInt32)
	case n == 0:
		return 0, p.fail(t.at, "there is no round 0: rounds count from 1")
	}
	return int(n), true
}

func (p *parser) body() ([]syntax.Term, bool) {
	var body []syntax.Term
	for {
		t, ok := p.term()
		if !ok {
			return nil, false
		}
		body = append(body, t)
		if !p.accept(",") {
			return body, true
		}
	}
}

// term parses a literal or a test.
func (p *parser) term() (syntax.Term, bool) {
	t := syntax.Term{Position: p.peek(0).at}
	if first := p.peek(0); first.kind == word && first.text == "notin" && !isOperator(p.peek(1)) {
		p.take()
		t.Negated = true
		if next := p.peek(0); next.kind != word || !p.peek(1).is("(") {
			return t, p.unexpected("a relation behind 'notin', such as notin p(X)")
		}
	}
	if p.peek(0).text == "not" && p.peek(1).is("(") && p.peek(2).kind == word && p.peek(3).is("(") {
		return t, p.fail(p.peek(0).at, "unexpected 'not': %s", notHint)
	}
	if p.peek(0).kind != word || !p.peek(1).is("(") {
		var ok bool
		t.Test, ok = p.wholeExpression()
		return t, ok
	}
	var ok bool
	if t.Atom, ok = p.predicate(); !ok {
		return t, false
	}
	suffix, ok := p.suffix()
	switch {
	case !ok:
		return t, false
	case suffix.text == "next" || suffix.text == "async":
		return t, p.fail(suffix.at, "'@%s' belongs to the head of a rule (a body reads a round such as '@1', or its own)", suffix.text)
	case suffix.text != "":
		t.At, ok = p.round(suffix)
	}
	return t, ok
}

// predicate parses name(arg, ...).
func (p *parser) predicate() (*syntax.Atom, bool) {
	if p.peek(0).kind != word {
		return nil, p.unexpected("the name of a relation")
	}
	name := p.take()
	a := &syntax.Atom{Relation: name.text, Position: name.at}
	if name.text == "notin" {
		return nil, p.fail(name.at, "no relation can be called 'notin'")
	}
	if !p.expect("(", "'(' behind the name of a relation") {
		return nil, false
	}
	if p.accept(")") {
		return a, true
	}
	for {
		e, ok := p.wholeExpression()
		if !ok {
			return nil, false
		}
		a.Args = append(a.Args, e)
		if p.accept(")") {
			return a, true
		}
		if !p.accept(",") {
			return nil, p.unexpected("',' or ')'")
		}
	}
}
