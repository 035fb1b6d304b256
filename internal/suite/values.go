package suite

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// text reads a text.
func (r *reader) text(n ast.Node) (string, bool) {
	switch it := r.follow(n).(type) {
	case *ast.StringNode:
		return it.Value, true
	case *ast.LiteralNode:
		return it.Value.Value, true
	default:
		r.fail(n, "expected a text, found %s%s", kindOf(it), quotesHelp(it))
		return "", false
	}
}

// quotesHelp explains how to write a scalar as a text.
func quotesHelp(n ast.Node) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return fmt.Sprintf("; write it in quotes: %q", n.GetToken().Value)
	}
	return ""
}

// number reads a whole number of at most the given number of bits.
func (r *reader) number(n ast.Node, least uint64, bits int) (uint64, bool) {
	it, ok := r.follow(n).(*ast.IntegerNode)
	if ok {
		number, err := strconv.ParseUint(it.GetToken().Value, 10, bits)
		if err == nil && number >= least {
			return number, true
		}
	}
	r.fail(n, "expected a whole number, %d or more, found %s", least, kindOf(r.follow(n)))
	return 0, false
}

// truth reads true or false.
func (r *reader) truth(n ast.Node) bool {
	it, ok := r.follow(n).(*ast.BoolNode)
	if !ok {
		r.fail(n, "expected true or false, found %s", kindOf(r.follow(n)))
		return false
	}
	return it.Value
}

// yes reads yes or no, or true or false.
func (r *reader) yes(n ast.Node) bool {
	if it, ok := r.follow(n).(*ast.StringNode); ok && (it.Value == "yes" || it.Value == "no") {
		return it.Value == "yes"
	}
	if it, ok := r.follow(n).(*ast.BoolNode); ok {
		return it.Value
	}
	r.fail(n, "expected yes or no, found %s", kindOf(r.follow(n)))
	return false
}

// duration reads a time such as 30s, or a number of seconds.
func (r *reader) duration(n ast.Node) time.Duration {
	it := r.follow(n)
	var d time.Duration
	var err error
	switch it := it.(type) {
	case *ast.IntegerNode:
		d, err = time.ParseDuration(it.GetToken().Value + "s")
	case *ast.StringNode:
		d, err = time.ParseDuration(it.Value)
	default:
		err = errors.New("no time")
	}
	if err != nil || d <= 0 {
		r.fail(n, "expected a time above 0 such as 30s, or a number of seconds, found %s", shownAs(it))
		return 0
	}
	return d
}

// shownAs is a node in an error message.
func shownAs(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return strconv.Quote(s.Value)
	}
	return kindOf(n)
}
