package main

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A script is in the part of Lua that locks are written in: local variables and assignments,
// if, return, numbers, strings, booleans and nil, the operators == ~= < <= > >= + - * / .. and
// or not, KEYS[n], ARGV[n], and the functions redis.call, redis.pcall, tonumber and tostring.
// Everything else is an error that names it.
type script struct {
	body []statement
}

// Values of Lua are nil, bool, float64, string, status, failure, and []any: what redis.call
// returns, KEYS and ARGV.
type scope struct {
	t         turn
	s         *script
	variables []variable
}

type variable struct {
	name  string
	value any
}

type (
	expression func(*scope) (any, error)
	// A statement tells whether it has returned, and what.
	statement func(*scope) (value any, returned bool, err error)
)

// script is EVAL, EVALSHA and SCRIPT.
func (t turn) script(name string, args []string) any {
	if name == "SCRIPT" {
		return t.scripts(args)
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 0 || n > len(args)-2 {
		return wrong("%s: expected the number of keys", name)
	}
	s := t.db.scripts[strings.ToLower(args[0])]
	if name == "EVAL" {
		if _, s, err = t.load(args[0]); err != nil {
			return failure(err.Error())
		}
	}
	if s == nil {
		return failure("NOSCRIPT there is no such script")
	}
	sc := &scope{t: t, s: s, variables: []variable{{"KEYS", texts(args[2 : 2+n])}, {"ARGV", texts(args[2+n:])}}}
	v, _, err := sc.run(s.body)
	if err != nil {
		return failure(err.Error())
	}
	return reply(v)
}

func (t turn) scripts(args []string) any {
	switch {
	case len(args) == 2 && strings.EqualFold(args[0], "LOAD"):
		hash, _, err := t.load(args[1])
		if err != nil {
			return failure(err.Error())
		}
		return hash
	case len(args) > 1 && strings.EqualFold(args[0], "EXISTS"):
		found := []any{}
		for _, hash := range args[1:] {
			n := int64(0)
			if t.db.scripts[strings.ToLower(hash)] != nil {
				n = 1
			}
			found = append(found, n)
		}
		return found
	case len(args) > 0 && strings.EqualFold(args[0], "FLUSH"):
		clear(t.db.scripts)
		return status("OK")
	}
	return wrong("SCRIPT has LOAD, EXISTS and FLUSH")
}

func (t turn) load(text string) (hash string, s *script, err error) {
	sum := sha1.Sum([]byte(text))
	hash = hex.EncodeToString(sum[:])
	if s = t.db.scripts[hash]; s != nil {
		return hash, s, nil
	}
	if s, err = parse(text); err != nil {
		return "", nil, fmt.Errorf("ERR script %s: %v (this stand-in of Redis knows a part of Lua)", hash, err)
	}
	t.db.scripts[hash] = s
	return hash, s, nil
}

func texts(words []string) []any {
	list := make([]any, len(words))
	for i, word := range words {
		list[i] = word
	}
	return list
}

// reply is a value of Lua as a reply.
func reply(v any) any {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case bool:
		if v {
			return int64(1)
		}
		return nil
	case []any:
		list := []any{}
		for _, e := range v {
			if e == nil {
				break
			}
			list = append(list, reply(e))
		}
		return list
	}
	return v
}

// lua is a reply as a value of Lua.
func lua(reply any) any {
	switch r := reply.(type) {
	case nil:
		return false
	case int64:
		return float64(r)
	case pairs:
		return lua([]any(r))
	case []any:
		list := make([]any, len(r))
		for i, e := range r {
			list[i] = lua(e)
		}
		return list
	}
	return reply
}

func (sc *scope) run(body []statement) (any, bool, error) {
	depth := len(sc.variables)
	defer func() { sc.variables = sc.variables[:depth] }()
	for _, s := range body {
		if v, returned, err := s(sc); returned || err != nil {
			return v, returned, err
		}
	}
	return nil, false, nil
}

func (sc *scope) find(name string) *variable {
	for i := len(sc.variables) - 1; i >= 0; i-- {
		if sc.variables[i].name == name {
			return &sc.variables[i]
		}
	}
	return nil
}

// call calls a function.
func (sc *scope) call(name string, args []any) (any, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("ERR %s needs an argument", name)
	}
	switch name {
	case "tonumber":
		if n, ok := number(args[0]); ok {
			return n, nil
		}
		return nil, nil
	case "tostring":
		return text(args[0]), nil
	}
	var words []string
	for _, arg := range args {
		switch arg.(type) {
		case string, float64:
			words = append(words, text(arg))
		default:
			return nil, fmt.Errorf("ERR %s: an argument is neither a string nor a number", name)
		}
	}
	got := lua(sc.t.do(words, sc.s))
	if f, failed := got.(failure); failed && name == "redis.call" {
		return nil, errors.New(string(f))
	}
	return got, nil
}

func truth(v any) bool { return v != nil && v != false }

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'g', 14, 64)
	}
	return fmt.Sprint(v)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil
	}
	return 0, false
}

// operate applies an operator to two values.
func operate(operator string, a, b any) (any, error) {
	_, listA := a.([]any)
	_, listB := b.([]any)
	switch operator {
	case "==", "~=":
		return (!listA && !listB && a == b) == (operator == "=="), nil
	case "..":
		for _, v := range []any{a, b} {
			switch v.(type) {
			case string, float64:
			default:
				return nil, errors.New("ERR .. of what is neither a string nor a number")
			}
		}
		return text(a) + text(b), nil
	}
	sa, okA := a.(string)
	sb, okB := b.(string)
	if c := strings.Compare(sa, sb); okA && okB {
		switch operator {
		case "<":
			return c < 0, nil
		case "<=":
			return c <= 0, nil
		}
	}
	x, okA := number(a)
	y, okB := number(b)
	if !okA || !okB {
		return nil, fmt.Errorf("ERR %s of what is not a number", operator)
	}
	switch operator {
	case "<":
		return x < y, nil
	case "<=":
		return x <= y, nil
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	return x / y, nil
}
