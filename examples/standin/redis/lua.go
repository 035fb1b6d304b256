package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A parser reads tokens: names, numbers, operators as they are, strings with a " before them.
type parser struct {
	tokens []string
	depth  int
}

func parse(source string) (*script, error) {
	tokens, err := split(source)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	body, err := p.block()
	if err != nil {
		return nil, err
	}
	if len(p.tokens) > 0 {
		return nil, fmt.Errorf("%q is not expected", p.tokens[0])
	}
	return &script{body}, nil
}

const deepest = 100

var (
	keywords = []string{"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while"}
	symbols  = []string{"==", "~=", "<=", ">=", "..", "<", ">", "=", "+", "-", "*", "/", "(", ")", "[", "]", ",", ".", ";"}
)

func split(source string) (tokens []string, err error) {
	for source = strings.TrimSpace(source); source != ""; source = strings.TrimSpace(source) {
		n := strings.IndexFunc(source, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		if n < 0 {
			n = len(source)
		}
		switch {
		case strings.HasPrefix(source, "--[["):
			return nil, errors.New("there is no --[[")
		case strings.HasPrefix(source, "--"):
			_, source, _ = strings.Cut(source, "\n")
			continue
		case source[0] == '"' || source[0] == '\'':
			end := strings.IndexByte(source[1:], source[0])
			if end < 0 || strings.ContainsAny(source[1:1+end], "\\\n") {
				return nil, errors.New("expected a string without \\ in one line")
			}
			tokens, source = append(tokens, `"`+source[1:1+end]), source[end+2:]
			continue
		case n > 0:
			if digit := source[0] <= '9'; digit && n < len(source) && source[n] == '.' && !strings.HasPrefix(source[n:], "..") {
				return nil, errors.New("there are whole numbers only")
			}
		default:
			i := slices.IndexFunc(symbols, func(s string) bool { return strings.HasPrefix(source, s) })
			if i < 0 {
				return nil, fmt.Errorf("there is no %q", source[:1])
			}
			n = len(symbols[i])
		}
		tokens, source = append(tokens, source[:n]), source[n:]
	}
	return tokens, nil
}

func (p *parser) next() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) take() string {
	token := p.next()
	if token != "" {
		p.tokens = p.tokens[1:]
	}
	return token
}

func (p *parser) accept(token string) bool {
	if p.next() != token {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(token string) error {
	if !p.accept(token) {
		return fmt.Errorf("expected %q, not %q", token, p.next())
	}
	return nil
}

func (p *parser) name() (string, error) {
	token := p.next()
	if token == "" || slices.Contains(keywords, token) || !(token[0] == '_' || token[0] >= 'a' && token[0] <= 'z' || token[0] >= 'A' && token[0] <= 'Z') {
		return "", fmt.Errorf("expected a name, not %q", token)
	}
	return p.take(), nil
}

// block reads statements up to else, elseif, end or the end.
func (p *parser) block() (body []statement, err error) {
	if p.depth++; p.depth > deepest {
		return nil, errors.New("it is too deep")
	}
	defer func() { p.depth-- }()
	for {
		switch p.next() {
		case "", "else", "elseif", "end":
			return body, nil
		case ";":
			p.take()
			continue
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		body = append(body, s)
	}
}

func (p *parser) statement() (statement, error) {
	switch p.next() {
	case "return":
		p.take()
		switch p.next() {
		case "", "else", "elseif", "end", ";":
			return func(*scope) (any, bool, error) { return nil, true, nil }, nil
		}
		e, err := p.expression(0)
		return func(sc *scope) (any, bool, error) {
			v, err := e(sc)
			return v, true, err
		}, err
	case "if":
		p.take()
		return p.condition()
	case "local":
		p.take()
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		e := expression(func(*scope) (any, error) { return nil, nil })
		if p.accept("=") {
			if e, err = p.expression(0); err != nil {
				return nil, err
			}
		}
		return func(sc *scope) (any, bool, error) {
			v, err := e(sc)
			sc.variables = append(sc.variables, variable{name, v})
			return nil, false, err
		}, nil
	}
	if len(p.tokens) > 1 && p.tokens[1] == "=" {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		p.take()
		e, err := p.expression(0)
		return func(sc *scope) (any, bool, error) {
			v, err := e(sc)
			if to := sc.find(name); err == nil && to != nil {
				to.value = v
			} else if err == nil {
				err = fmt.Errorf("ERR %s is not a local variable", name)
			}
			return nil, false, err
		}, err
	}
	e, err := p.function()
	return func(sc *scope) (any, bool, error) {
		_, err := e(sc)
		return nil, false, err
	}, err
}

// condition reads what stands behind if or elseif.
func (p *parser) condition() (statement, error) {
	if p.depth++; p.depth > deepest {
		return nil, errors.New("it is too deep")
	}
	defer func() { p.depth-- }()
	is, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if err := p.expect("then"); err != nil {
		return nil, err
	}
	then, err := p.block()
	if err != nil {
		return nil, err
	}
	var otherwise []statement
	switch {
	case p.accept("elseif"):
		s, err := p.condition() // it takes the end
		if err != nil {
			return nil, err
		}
		otherwise = []statement{s}
	case p.accept("else"):
		if otherwise, err = p.block(); err != nil {
			return nil, err
		}
		fallthrough
	default:
		if err := p.expect("end"); err != nil {
			return nil, err
		}
	}
	return func(sc *scope) (any, bool, error) {
		v, err := is(sc)
		if err != nil {
			return nil, false, err
		}
		if truth(v) {
			return sc.run(then)
		}
		return sc.run(otherwise)
	}, nil
}

// levels has the operators of two values, those that bind least first.
var levels = [][]string{{"or"}, {"and"}, {"==", "~=", "<", "<=", ">", ">="}, {".."}, {"+", "-"}, {"*", "/"}}

func (p *parser) expression(level int) (expression, error) {
	if level == len(levels) {
		return p.unary()
	}
	a, err := p.expression(level + 1)
	for err == nil && slices.Contains(levels[level], p.next()) {
		operator := p.take()
		left := a
		right, err := p.expression(level + 1)
		if err != nil {
			return nil, err
		}
		if operator == ">" || operator == ">=" {
			operator, left, right = map[string]string{">": "<", ">=": "<="}[operator], right, left
		}
		a = func(sc *scope) (any, error) {
			x, err := left(sc)
			if err != nil || operator == "or" && truth(x) || operator == "and" && !truth(x) {
				return x, err
			}
			y, err := right(sc)
			if err != nil || operator == "or" || operator == "and" {
				return y, err
			}
			return operate(operator, x, y)
		}
	}
	return a, err
}

func (p *parser) unary() (expression, error) {
	if p.depth++; p.depth > deepest {
		return nil, errors.New("it is too deep")
	}
	defer func() { p.depth-- }()
	token := p.next()
	constant := func(v any) (expression, error) {
		p.take()
		return func(*scope) (any, error) { return v, nil }, nil
	}
	switch {
	case token == "not", token == "-":
		p.take()
		e, err := p.unary()
		return func(sc *scope) (any, error) {
			v, err := e(sc)
			if err != nil || token == "not" {
				return !truth(v), err
			}
			return operate("-", 0.0, v)
		}, err
	case token == "(":
		p.take()
		e, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		return e, p.expect(")")
	case token == "nil":
		return constant(nil)
	case token == "true", token == "false":
		return constant(token == "true")
	case strings.HasPrefix(token, `"`):
		return constant(token[1:])
	}
	if n, err := strconv.ParseFloat(token, 64); err == nil && token[0] <= '9' {
		return constant(n)
	}
	return p.function()
}

// function reads a variable, an element of one, or a call.
func (p *parser) function() (expression, error) {
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	if p.accept(".") {
		field, err := p.name()
		if err != nil {
			return nil, err
		}
		name += "." + field
	}
	if p.accept("(") {
		return p.arguments(name)
	}
	e := func(sc *scope) (any, error) {
		if v := sc.find(name); v != nil {
			return v.value, nil
		}
		return nil, fmt.Errorf("ERR there is no variable %s", name)
	}
	if !p.accept("[") {
		return e, nil
	}
	index, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	return func(sc *scope) (any, error) {
		v, err := e(sc)
		if err != nil {
			return nil, err
		}
		list, ok := v.([]any)
		i, err := index(sc)
		if err != nil {
			return nil, err
		}
		n, isNumber := i.(float64)
		if !ok || !isNumber {
			return nil, fmt.Errorf("ERR %s[]: expected a list and a number", name)
		}
		if n < 1 || n > float64(len(list)) || n != math.Trunc(n) {
			return nil, nil
		}
		return list[int(n)-1], nil
	}, p.expect("]")
}

func (p *parser) arguments(name string) (expression, error) {
	if !slices.Contains([]string{"redis.call", "redis.pcall", "tonumber", "tostring"}, name) {
		return nil, fmt.Errorf("there is no function %s", name)
	}
	var args []expression
	for !p.accept(")") {
		if len(args) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		e, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		args = append(args, e)
	}
	return func(sc *scope) (any, error) {
		var values []any
		for _, e := range args {
			v, err := e(sc)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		return sc.call(name, values)
	}, nil
}
