package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"
	"github.com/google/mangle/parse/gen"
	"github.com/lineage-driven/ldfi/specs"
)

// source is the text of some rules.
type source struct {
	name   string
	lines  []string
	errors specs.Errors // everything wrong with it, so far
}

// place is a place in a source.
type place struct{ line, column int }

// clause is one rule, or one fact that the rules state, with the places of its
// parts.
type clause struct {
	ast.Clause
	head       place
	premises   []place
	statements []place // of the transform
}

// declaration is a Decl.
type declaration struct {
	ast.Atom
	at place
}

const (
	maxText  = 1 << 20 // the most bytes that rules may have
	maxDepth = 100     // the most brackets within each other
)

// read parses rules.
func read(name, text string) (*source, []clause, []declaration, error) {
	s := &source{name: name, lines: strings.Split(text, "\n")}
	if len(text) > maxText {
		return s, nil, nil, s.fail(place{}, "the rules have %d bytes, and at most %d are read", len(text), maxText)
	}
	if !utf8.ValidString(text) {
		return s, nil, nil, s.fail(s.invalid(), "the rules are not valid UTF-8 here")
	}
	statements, err := s.split(text)
	if err != nil {
		return s, nil, nil, err
	}
	unit, err := s.parse(text)
	if err != nil {
		return s, nil, nil, err
	}
	clauses, declarations, err := s.join(statements, unit)
	return s, clauses, declarations, err
}

// invalid returns the place of the first byte that is not UTF-8.
func (s *source) invalid() place {
	for i, line := range s.lines {
		if !utf8.ValidString(line) {
			return place{i + 1, 1 + strings.IndexRune(line, utf8.RuneError)}
		}
	}
	return place{}
}

// parse runs Mangle's own parser, which may panic.
func (s *source) parse(text string) (unit parse.SourceUnit, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.fail(place{}, "Mangle's parser gave up: %v", r)
		}
	}()
	unit, err = parse.Unit(strings.NewReader(text))
	if err == nil {
		return unit, nil
	}
	// What follows the first mistake is mostly a consequence of it.
	first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if m := located.FindStringSubmatch(first); m != nil {
		return unit, s.fail(s.runes(m[1], m[2]), "%s", plainly(m[3]))
	}
	return unit, s.fail(place{}, "%s", first)
}

// plainly says in other words what the parser says of a number.
func plainly(mistake string) string {
	if m := outOfRange.FindStringSubmatch(mistake); m != nil {
		return m[1] + " is no number from -2^63 to 2^63-1"
	}
	return mistake
}

var outOfRange = regexp.MustCompile(`^strconv.ParseInt: parsing "(-?\d+)": value out of range$`)

// located is an error of Mangle's parser: line, column from 0, message.
var located = regexp.MustCompile(`^(\d+):(\d+) (.*)$`)

// runes returns the place of a line and a column in characters from 0.
func (s *source) runes(line, column string) place {
	l, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(column)
	return s.placeOf(l, c)
}

func (s *source) placeOf(line, column int) place {
	if line < 1 || line > len(s.lines) {
		return place{}
	}
	for i := range s.lines[line-1] {
		if column == 0 {
			return place{line, i + 1}
		}
		column--
	}
	return place{line, len(s.lines[line-1]) + 1}
}

// statement is the tokens of a rule or declaration, without the dot.
type statement []antlr.Token

// split cuts the text at the dots that end rules.
func (s *source) split(text string) ([]statement, error) {
	lexer := gen.NewMangleLexer(antlr.NewInputStream(text))
	lexer.RemoveErrorListeners() // the parser reports the same
	var all []statement
	var now statement
	depth := 0
	for t := lexer.NextToken(); t.GetTokenType() != antlr.TokenEOF; t = lexer.NextToken() {
		if t.GetChannel() != antlr.TokenDefaultChannel {
			continue
		}
		switch t.GetText() {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ".":
			all, now = append(all, now), nil
			continue
		}
		if depth > maxDepth {
			return nil, s.fail(s.at(t), "there are more than %d brackets within each other", maxDepth)
		}
		if word := t.GetText(); word == "Package" || word == "Use" {
			return nil, s.fail(s.at(t), "properties are in no package: leave %s out", word)
		}
		now = append(now, t)
	}
	if len(now) > 0 {
		last := now[len(now)-1]
		return nil, s.fail(s.at(last), "the rule that ends here has no \".\" behind it")
	}
	return all, nil
}

// at returns the place of a token.
func (s *source) at(t antlr.Token) place { return s.placeOf(t.GetLine(), t.GetColumn()) }

// join brings what the parser made of the text together with the places.
func (s *source) join(statements []statement, unit parse.SourceUnit) ([]clause, []declaration, error) {
	var clauses []clause
	var declarations []declaration
	decls := unit.Decls[min(1, len(unit.Decls)):] // the first stands for the package
	for _, st := range statements {
		switch {
		case len(st) > 0 && st[0].GetText() == "Decl" && len(decls) > len(declarations):
			d := decls[len(declarations)]
			if d.Constraints != nil || len(d.Descr) > 0 && !plain(d) {
				s.report(s.at(st[0]), "a declaration here only names a relation and its columns: Decl %s.", d.DeclaredAtom)
			}
			declarations = append(declarations, declaration{d.DeclaredAtom, s.at(st[0])})
		case len(st) > 0 && len(unit.Clauses) > len(clauses):
			clauses = append(clauses, s.locate(st, unit.Clauses[len(clauses)]))
		}
	}
	if len(clauses) != len(unit.Clauses) || len(declarations) != len(decls) {
		return nil, nil, s.fail(place{}, "the rules cannot be told apart; write one to a line")
	}
	return clauses, declarations, s.err()
}

// plain tells whether the description of a declaration only documents it.
func plain(d ast.Decl) bool {
	for _, a := range d.Descr {
		if a.Predicate.Symbol != "doc" && a.Predicate.Symbol != "name" && a.Predicate.Symbol != "arg" {
			return false
		}
	}
	return true
}

// locate finds the places of the parts of a rule.
func (s *source) locate(st statement, c ast.Clause) clause {
	found := clause{Clause: c, head: s.at(st[0])}
	parts := &found.premises
	var none []place
	list, starts, depth := &none, false, 0
	for _, t := range st {
		switch text := t.GetText(); {
		case depth == 0 && (text == ":-" || text == "⟸"):
			list, starts = parts, true
			continue
		case depth == 0 && text == "|>":
			list, starts = &found.statements, true
			continue
		case depth == 0 && text == ",":
			starts = true
			continue
		case text == "(" || text == "[" || text == "{":
			depth++
		case text == ")" || text == "]" || text == "}":
			depth--
		}
		if starts {
			*list = append(*list, s.at(t))
			starts = false
		}
	}
	for len(found.premises) < len(c.Premises) {
		found.premises = append(found.premises, found.head)
	}
	return found
}

// statement returns the place of a statement of the transform.
func (c *clause) statement(i int) place {
	if i < len(c.statements) {
		return c.statements[i]
	}
	return c.head
}

// position returns a place as it is shown.
func (s *source) position(at place) specs.Position {
	return specs.Position{File: s.name, Line: at.line, Column: at.column}
}

// report notes a mistake.
func (s *source) report(at place, format string, args ...any) {
	e := &specs.Error{Position: s.position(at), Message: fmt.Sprintf(format, args...)}
	if at.line >= 1 && at.line <= len(s.lines) {
		e.Excerpt = s.lines[at.line-1]
	}
	for _, known := range s.errors {
		if *known == *e {
			return
		}
	}
	s.errors = append(s.errors, e)
}

// fail notes a mistake and returns all.
func (s *source) fail(at place, format string, args ...any) error {
	s.report(at, format, args...)
	return s.err()
}

// err returns the mistakes, nil if there are none.
func (s *source) err() error {
	if len(s.errors) == 0 {
		return nil
	}
	return s.errors
}
